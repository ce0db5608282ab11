import { describe, expect, it } from '@jest/globals'
import { decorated, type ControlPlane } from '../../src/control-plane/client.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import { aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID } from '../builders.ts'
import { aLostAnswer, refusedWith } from '../control-plane-stub.ts'
import { namesOf, setUp, type Scenario } from './set-up.ts'

/** Plans that follow one whose PATCH is done, and whose revision is another client's, or does not become active. */

const origin = { repoRef: 'main', appConfigPath: 'app.json' }
const THEIR_COMMIT = 'e'.repeat(40)
const serving = { settings: origin, repoCommitSha: 'a'.repeat(40) }
const current = aDeployment({ updatedAt: -1, settings: { ...origin, installCommand: 'npm ci' } })
const CHANGES = { settings: { installCommand: 'yarn' } }

interface Adopting {
  /** The deployment as a list shows it, as soon as the revision of the other client has shown its commit. */
  listed?: (deployment: Deployment) => Partial<Deployment> | undefined
  /** The same, as the reads show it one after the other; the last one stays. */
  reads?: readonly (Partial<Deployment> | undefined)[]
  scenario?: Scenario
  request?: Partial<RolloutRequest>
  /** What the control plane makes late of the first POST, milliseconds after it. */
  lateTwinMs?: number
}

/** The answer to the first POST is lost; the revision of another client is found, and reports its commit a minute later. */
async function adopt({ listed = () => ({}), reads = [{}], scenario, request, lateTwinMs }: Adopting) {
  const readsLeft = [...reads]
  const around = setUp({
    current,
    failureStops: true,
    revisions: { [OLD_REVISION_ID]: serving, back: serving },
    ...scenario,
  })
  const { clock, change, writes } = around
  let lostAt = Infinity
  const shownLatest = (): string => reads.at(-1)?.latestRevisionId ?? change({}).latestRevisionId ?? ''
  const reports = (): boolean => clock.now() > lostAt + 60_000
  const reporting = (service: ControlPlane): Partial<ControlPlane> => ({
    listDeployments: async (query) => {
      const page = await service.listDeployments(query)
      if (!reports()) return page
      const resources = page.resources.flatMap((one) => {
        const over = listed(one)
        return over === undefined ? [] : [{ ...one, ...over }]
      })
      return { ...page, resources }
    },
    getDeployment: async (id) => {
      const one = await service.getDeployment(id)
      if (!reports()) return one
      const [over] = readsLeft.length > 1 ? readsLeft.splice(0, 1) : readsLeft
      if (over === undefined) throw refusedWith(404)
      return { ...one, ...over, settings: { ...one.settings, ...over.settings } }
    },
    createRevision: async (...about) => {
      if (lostAt < Infinity) return await service.createRevision(...about)
      lostAt = clock.now()
      change({ latestRevisionId: 'theirs' })
      throw aLostAnswer()
    },
    getRevision: async (deploymentId, id) => {
      if (id === 'revision-1' && lateTwinMs !== undefined)
        return { ...(await service.getRevision(deploymentId, id)), createdAt: lostAt + 70_000 }
      if (id !== 'theirs') return await service.getRevision(deploymentId, id)
      const theirs = aRevision({ id, status: 'QUEUED', createdAt: lostAt, settings: origin })
      return reports() ? { ...theirs, repoCommitSha: THEIR_COMMIT } : theirs
    },
    listRevisions: async (deploymentId, query) => {
      if (lateTwinMs === undefined || !reports()) return await service.listRevisions(deploymentId, query)
      const made = { settings: origin, repoCommitSha: COMMIT, status: 'DEPLOYED' }
      const twin = aRevision({ ...made, id: 'twin', createdAt: lostAt + lateTwinMs })
      const newest = await service.getRevision(deploymentId, shownLatest())
      const createdAt = newest.id === 'theirs' ? lostAt : lostAt + 70_000
      const older = ['theirs', OLD_REVISION_ID].map((id) =>
        aRevision({ id, settings: origin, repoCommitSha: THEIR_COMMIT }),
      )
      return [{ ...newest, createdAt }, twin, ...older.filter(({ id }) => id !== newest.id)]
    },
    redeploy: async () => {
      writes.push('redeploy')
      return await Promise.resolve(change({ latestRevisionId: 'back', activeRevisionId: 'back' }))
    },
  })
  const deps = { ...around.deps, controlPlane: decorated(around.deps.controlPlane, reporting) }
  const outcome = await rollout(aRequest({ ...CHANGES, ...request }), deps).catch((thrown: unknown) => thrown)
  return { ...around, outcome, names: namesOf(around.events), settings: change({}).settings }
}

/** Another client has deployed what the run asks for. */
const SAME = {
  reads: [{ activeRevisionId: 'same', latestRevisionId: 'same', repoCommitSha: COMMIT }],
  scenario: { revisions: { [OLD_REVISION_ID]: serving, same: { settings: origin, repoCommitSha: COMMIT } } },
  request: { ifUnchanged: 'skip' },
} satisfies Adopting

describe('a rollout that has patched something, and whose revision turns out to be that of another client', () => {
  it('restores what was there before its patch, when its own revision fails', async () => {
    const { outcome, writes, names, settings } = await adopt({
      scenario: { statuses: [['QUEUED', 'BUILD_FAILED']] },
      request: { rollback: 'on-failure' },
    })
    expect(names).toContain('other-commit')
    expect(outcome).toMatchObject({ kind: 'rolled-back' })
    expect(writes).toEqual(['patch installCommand', 'revision-1', 'redeploy', 'patch installCommand'])
    expect(settings).toMatchObject({ installCommand: 'npm ci' })
  })

  it.each([
    ['creates a revision of its own', {}],
    ['finds nothing to change', SAME],
  ])('names what the control plane makes late of its lost request, when it %s', async (_case, given) => {
    const { events, names } = await adopt({ ...given, lateTwinMs: 9_000 })
    expect(names).toContain('other-commit')
    const twice = { kind: 'made-twice', what: 'revision', other: 'twin', isSentOnce: true }
    expect(events).toContainEqual(expect.objectContaining(twice))
  })

  it('is superseded if another revision serves once it has looked for what its lost request made', async () => {
    const newer = { activeRevisionId: 'newer', latestRevisionId: 'newer' }
    const { outcome } = await adopt({
      ...SAME,
      reads: [...SAME.reads, ...SAME.reads, newer],
      scenario: { revisions: { ...SAME.scenario.revisions, newer: { settings: origin, createdAt: 10_000_000 } } },
      lateTwinMs: 9_000,
    })
    expect(outcome).toEqual({ kind: 'superseded', by: 'newer' })
  })

  it('counts its plans', async () => {
    let latest = 0
    const writeTurn = async () => {
      around.clock.advance(6_000)
      around.change({ latestRevisionId: `other-${++latest}` })
      return await Promise.resolve(true)
    }
    const around = setUp({
      current: { ...current, latestRevisionId: 'ours' },
      revisions: { ours: { settings: origin, repoCommitSha: COMMIT }, [OLD_REVISION_ID]: serving },
      over: { writeTurn },
    })
    const ended = rollout(aRequest({ resume: true, settings: {} }), around.deps)
    await expect(ended).rejects.toMatchObject({ name: 'ChangedError' })
    const plans = namesOf(around.events).filter((name) => name.startsWith('planned'))
    expect(plans).toEqual(['planned resume', ...Array.from({ length: 4 }, () => 'planned revise')])
  })

  const keeps = `The deployment ${current.id} keeps settings that this run has patched (install-command)`
  const renamed = { name: 'agent-blue' }
  const theirs = { settings: { installCommand: 'pnpm i' } }
  const cleared = { settings: { installCommand: undefined } }
  it.each([
    ['is renamed', renamed, `it was renamed to "agent-blue". ${keeps}`],
    ['is deleted', undefined, 'it was deleted. Rerun the job.'],
    ['is renamed and changed', { ...renamed, ...theirs }, 'it was renamed to "agent-blue". Rerun the job.'],
    ['is renamed and cleared', { ...renamed, ...cleared }, 'it was renamed to "agent-blue". Rerun the job.'],
  ])('writes nothing else after the deployment %s, and says what it keeps', async (_case, read, words) => {
    const { outcome, writes } = await adopt({ reads: [read] })
    expect(String(outcome)).toContain(`since the first write of this run, ${words}`)
    expect(writes).toEqual(['patch installCommand'])
  })

  it.each<[string, Partial<Adopting>]>([
    ['a list lacks it', { listed: () => undefined }],
    ['a list shows another one of its name', { listed: () => ({ id: 'green' }) }],
    ['a replica shows an earlier name', { reads: [renamed, {}] }],
    ['a replica lacks it', { reads: [undefined, {}] }],
  ])('goes on with the deployment that it has patched, though %s', async (_case, given) => {
    const { outcome, writes } = await adopt(given)
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(writes).toEqual(['patch installCommand', 'revision-1'])
  })
})

describe('a rollout that resumes a revision and sends its last patch', () => {
  const settings = { ...origin, buildOnPush: false }
  const request = { resume: true, settings: { buildOnPush: true, repoRef: 'main' } }
  const ours = { settings: origin, repoCommitSha: COMMIT }

  it('restores what was there before, when the revision does not become active and its own one fails', async () => {
    const around = setUp({
      current: aDeployment({ latestRevisionId: 'ours', settings }),
      revisions: { [OLD_REVISION_ID]: serving, ours },
      statuses: [['QUEUED', 'BUILD_FAILED']],
    })
    const outcome = await rollout(aRequest({ ...request, rollback: 'on-failure' }), around.deps)
    expect(outcome).toMatchObject({ kind: 'failed' })
    expect(namesOf(around.events)).toContain('not-activated')
    expect(around.writes).toEqual(['patch buildOnPush', 'revision-1', 'patch buildOnPush'])
    expect(around.change({}).settings).toMatchObject({ buildOnPush: false })
  })

  it.each([
    [
      'a newer revision',
      { latestRevisionId: 'theirs', activeRevisionId: 'theirs' },
      ['planned resume', 'planned revise'],
      ['patch buildOnPush', 'revision-1'],
    ],
    [
      'another branch',
      { settings: { repoRef: 'release' } },
      ['planned resume', 'planned resume'],
      ['patch buildOnPush'],
    ],
    ['the activation of its revision', { activeRevisionId: 'ours' }, ['planned resume'], ['patch buildOnPush']],
  ])('looks first, and finds %s', async (_case, change: Partial<Deployment>, plans, writes) => {
    let turns = 0
    const writeTurn = async () => {
      if (turns++ === 0) {
        around.clock.advance(6_000)
        around.change(change)
      }
      return await Promise.resolve(true)
    }
    const around = setUp({
      current: aDeployment({ latestRevisionId: 'ours', settings }),
      revisions: { [OLD_REVISION_ID]: serving, theirs: serving, ours: { ...ours, status: 'BUILDING' } },
      over: { writeTurn },
    })
    await rollout(aRequest({ ...request, wait: false }), around.deps)
    expect(namesOf(around.events).filter((name) => name.startsWith('planned'))).toEqual(plans)
    expect(around.writes).toEqual(writes)
  })
})

describe('a creation that turns out to be of another client', () => {
  const tag = { repoRef: 'refs/tags/v1', appConfigPath: 'app.json' }

  it('has its patch restored, when the revision of the run fails', async () => {
    const theirs = aDeployment({
      latestRevisionId: 'theirs',
      activeRevisionId: 'theirs',
      settings: { ...tag, shareable: false },
    })
    let lostAt = Infinity
    const around = setUp({
      current: theirs,
      statuses: [['QUEUED', 'BUILD_FAILED']],
      failureStops: true,
      revisions: { theirs: { settings: tag } },
    })
    const { clock } = around
    const wrap = (service: ControlPlane): ControlPlane => ({
      ...service,
      within: (deadline) => wrap(service.within(deadline)),
      listDeployments: async (query) =>
        lostAt < Infinity ? await service.listDeployments(query) : { resources: [], offset: 0 },
      createDeployment: async () => {
        lostAt = clock.now()
        return await Promise.reject(aLostAnswer())
      },
      getRevision: async (...about) => {
        const read = await service.getRevision(...about)
        if (read.id !== 'theirs' || clock.now() > lostAt + 60_000) return { ...read, repoCommitSha: THEIR_COMMIT }
        return { ...read, status: 'QUEUED' }
      },
    })
    const deps = { ...around.deps, controlPlane: wrap(around.deps.controlPlane) }
    const { integrationId, repoUrl } = theirs.settings
    const settings = { integrationId, repoUrl, ...tag, shareable: true }
    const repository = { ...aRequest({}).repository, repoRef: { kind: 'ref', ref: tag.repoRef } as const }
    const request = aRequest({ source: 'git_host', rollback: 'on-failure', settings, repository })
    expect(await rollout(request, deps)).toMatchObject({ kind: 'rolled-back' })
    expect(namesOf(around.events)).toContain('other-commit')
    expect(around.writes).toEqual(['patch shareable', 'revision-1', 'revision-2'])
    expect(around.change({}).settings).toMatchObject({ shareable: false })
  })
})

describe('a rollout whose name is taken', () => {
  it('is planned five times at most, each time past the lag of replicas', async () => {
    const posted: number[] = []
    let lists = 0
    const around = setUp({
      answers: {
        // The replica that lags answers each plan.
        listDeployments: async () => {
          const resources = lists++ % 2 === 0 ? [] : [aDeployment({ id: 'theirs' })]
          return await Promise.resolve({ resources, offset: resources.length })
        },
        createDeployment: async () => {
          posted.push(around.clock.now())
          return await Promise.reject(refusedWith(409))
        },
      },
    })
    const request = aRequest({ source: 'internal_container', ifMissing: 'create', settings: { imageUri: 'r/i:1' } })
    await expect(rollout(request, around.deps)).rejects.toThrow('the name is taken, and 5 plans in a row')
    expect(posted).toEqual([0, 6_000, 12_000, 18_000, 24_000])
  })

  const verification = { url: 'https://agent.example', status: 200, contains: undefined, timeoutMs: 1_000 }
  it.each<[string, Partial<RolloutRequest>, string, string]>([
    ['a lost creation', {}, 'r/i:9', 'deployed'],
    ['one and no revision', { ifUnchanged: 'skip' }, 'r/i:1', 'unchanged'],
    ['one and a check', { ifUnchanged: 'skip', verification }, 'r/i:1', 'unverified'],
  ])('after %s names what that may have made besides', async (_case, over, imageUri, kind) => {
    const theirs = aDeployment({ id: 'theirs', source: 'internal_container', settings: { imageUri: 'r/i:9' } })
    const revised = { ...theirs, settings: { imageUri } }
    const late = aDeployment({ id: 'late', source: 'internal_container', settings: { imageUri: 'r/i:1' } })
    const around = setUp({
      current: theirs,
      revisions: { [OLD_REVISION_ID]: { settings: { imageUri } } },
      answers: {
        listDeployments: async () => {
          const { clock } = around
          const resources = clock.now() === 0 ? [] : clock.now() < 20_000 ? [theirs] : [revised, late]
          return await Promise.resolve({ resources, offset: resources.length })
        },
        createDeployment: async () => await Promise.reject(aLostAnswer()),
      },
    })
    const asked = { source: 'internal_container', ifMissing: 'create', settings: { imageUri: 'r/i:1' } } as const
    expect(await rollout(aRequest({ ...asked, ...over }), around.deps)).toMatchObject({ kind })
    expect(around.events).toContainEqual({ kind: 'made-twice', what: 'deployment', ours: 'theirs', other: 'late' })
  })
})
