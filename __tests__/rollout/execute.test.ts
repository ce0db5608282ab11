import { describe, expect, it, jest } from '@jest/globals'
import { type ControlPlane, decorated } from '../../src/control-plane/client.ts'
import type { Deployment, Settings } from '../../src/control-plane/model.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import { A_TURN, gitHubOf } from '../a-run.ts'
import { aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID } from '../builders.ts'
import { aLostAnswer, refusedWith } from '../control-plane-stub.ts'
import { giving } from './giving.ts'
import { namesOf, type Scenario, setUp } from './set-up.ts'
import { type Busy, CONTAINER, image, rollOut, THEIRS } from './busy.ts'
import { refreshed } from '../../src/fleet/execute.ts'
import { addOwnPatch, unprovedFields, withoutOwnPatch } from '../../src/rollout/apply/own-patch.ts'
import { executeRollout } from '../../src/rollout/execute.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import { prepareRollout } from '../../src/rollout/prepare.ts'
import { FRESH_READ_MS } from '../../src/rollout/timing.ts'

describe('where nothing is to be changed', () => {
  const verification = { url: 'https://agent.example/ok', status: 200, contains: undefined, timeoutMs: 60_000 }

  it.each<[string, Partial<RolloutRequest>, number]>([
    ['ends if nothing is to be checked', {}, 0],
    ['verifies the address', { verification }, 1],
    ['ends without a check if it does not wait', { verification, wait: false }, 0],
  ])('%s', async (_case, over, reads) => {
    const probe = jest.fn(giving({ kind: 'answer', status: 200, body: '' } as const))
    const revision = { repoCommitSha: COMMIT, settings: origin }
    const { deps } = setUp({ current: aDeployment(), revisions: { [OLD_REVISION_ID]: revision }, over: { probe } })
    expect(await rollout(aRequest({ ifUnchanged: 'skip', ...over }), deps)).toEqual({ kind: 'unchanged' })
    expect(probe).toHaveBeenCalledTimes(reads)
  })
})

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

/**
 * Loses the answer to the first POST, and reports the revision of another client, a minute later with its commit. The
 * service below is the shared model of `setUp`. It has one state for all requests: here reads contradict each other in
 * turn, and a revision reports its commit late, so these answers lie over it.
 */
function reportTheirs(
  { clock, change, writes }: ReturnType<typeof setUp>,
  { listed = () => ({}), reads = [{}], lateTwinMs }: Adopting,
): (service: ControlPlane) => Partial<ControlPlane> {
  let lostAt = Infinity
  const readsLeft = [...reads]
  const shownLatest = (): string => reads.at(-1)?.latestRevisionId ?? change({}).latestRevisionId ?? ''
  const reports = (): boolean => clock.now() > lostAt + 60_000
  return (service) => ({
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
}

/** Rolls out; the run finds the revision of another client in place of what its first POST has made. */
async function adopt(adopting: Adopting) {
  const around = setUp({
    current,
    failureStops: true,
    revisions: { [OLD_REVISION_ID]: serving, back: serving },
    ...adopting.scenario,
  })
  const controlPlane = decorated(around.deps.controlPlane, reportTheirs(around, adopting))
  const request = aRequest({ ...CHANGES, ...adopting.request })
  const outcome = await rollout(request, { ...around.deps, controlPlane }).catch((thrown: unknown) => thrown)
  return { ...around, outcome, names: namesOf(around.events), settings: around.change({}).settings }
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
    const write = async () => {
      around.clock.advance(6_000)
      around.change({ latestRevisionId: `other-${++latest}` })
      return await Promise.resolve(A_TURN)
    }
    const around = setUp({
      current: { ...current, latestRevisionId: 'ours' },
      revisions: { ours: { settings: origin, repoCommitSha: COMMIT }, [OLD_REVISION_ID]: serving },
      over: { turns: { write } },
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

/** The answer to the POST is lost; a revision of the same configuration is found. */
async function find(settings: Settings, source: string, over: Partial<RolloutRequest>) {
  const around = setUp({ current: aDeployment({ source, settings }), revisions: { found: { settings } } })
  const losing = (): Partial<ControlPlane> => ({
    createRevision: async () => {
      around.change({ latestRevisionId: 'found', activeRevisionId: 'found' })
      return await Promise.reject(aLostAnswer())
    },
  })
  const deps = { ...around.deps, controlPlane: decorated(around.deps.controlPlane, losing) }
  const outcome = await rollout(aRequest({ settings, ...over }), deps)
  return { outcome, doubts: around.events.filter(({ kind }) => kind === 'commit-uncompared') }
}

describe('a revision that is found after a lost POST, and reports no commit', () => {
  const doubted = [{ kind: 'commit-uncompared', id: 'found' }]
  it.each<[string, Settings, string, Partial<RolloutRequest>, string, object[]]>([
    ["may be another client's", origin, 'git_host', {}, 'deployed', doubted],
    ['may be so, too, if the run does not wait', origin, 'git_host', { wait: false }, 'started', doubted],
    ['has no commit if it is of an image', image(2), 'external_container', {}, 'deployed', []],
  ])('%s', async (_case, settings, source, over, kind, expected) => {
    const { outcome, doubts } = await find(settings, source, over)
    expect(outcome).toMatchObject({ kind })
    expect(doubts).toEqual(expected)
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

  const newer = { latestRevisionId: 'theirs', activeRevisionId: 'theirs' }
  it.each([
    ['a newer revision', newer, ['resume', 'revise'], ['patch buildOnPush', 'revision-1']],
    ['another branch', { settings: { repoRef: 'release' } }, ['resume', 'resume'], ['patch buildOnPush']],
    ['the activation of its revision', { activeRevisionId: 'ours' }, ['resume'], ['patch buildOnPush']],
  ])('looks first, and finds %s', async (_case, change: Partial<Deployment>, plans, writes) => {
    let turns = 0
    const write = async () => {
      if (turns++ === 0) {
        around.clock.advance(6_000)
        around.change(change)
      }
      return await Promise.resolve(A_TURN)
    }
    const around = setUp({
      current: aDeployment({ latestRevisionId: 'ours', settings }),
      revisions: { [OLD_REVISION_ID]: serving, theirs: serving, ours: { ...ours, status: 'BUILDING' } },
      over: { turns: { write } },
    })
    await rollout(aRequest({ ...request, wait: false }), around.deps)
    const planned = around.events.flatMap((event) => (event.kind === 'planned' ? event.plan.kind : []))
    expect(planned).toEqual(plans)
    expect(around.writes).toEqual(writes)
  })
})

describe('a creation that turns out to be of another client', () => {
  const tag = { repoRef: 'refs/tags/v1', appConfigPath: 'app.json' }

  it('has its patch restored, when the revision of the run fails', async () => {
    const both = { latestRevisionId: 'theirs', activeRevisionId: 'theirs' }
    const theirs = aDeployment({ ...both, settings: { ...tag, shareable: false } })
    let lostAt = Infinity
    const around = setUp({
      current: theirs,
      statuses: [['QUEUED', 'BUILD_FAILED']],
      failureStops: true,
      revisions: { theirs: { settings: tag } },
    })
    const { clock } = around
    const late = (service: ControlPlane): Partial<ControlPlane> => ({
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
    const deps = { ...around.deps, controlPlane: decorated(around.deps.controlPlane, late) }
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
        createDeployment: giving(aLostAnswer()),
      },
    })
    const asked = { source: 'internal_container', ifMissing: 'create', settings: { imageUri: 'r/i:1' } } as const
    expect(await rollout(aRequest({ ...asked, ...over }), around.deps)).toMatchObject({ kind })
    expect(around.events).toContainEqual({ kind: 'made-twice', what: 'deployment', ours: 'theirs', other: 'late' })
    // Nothing shows that it is not the result of the lost creation.
    const mayBeOwn = around.events.some(({ kind: name }) => name === 'maybe-own-revision')
    expect(mayBeOwn).toBe(kind === 'unchanged')
  })
})

/** A deployment that another client changes after the run has patched it, and before its revision. */

const at = (place: string) => ({ customUrl: `https://${place}.example` })
const currentPatched = { ...CONTAINER, updatedAt: -1, settings: { ...image(1), ...at('one') } }
const secrets = [{ name: 'K', value: 'v' }]
const WHEN_FAILED = { rollback: 'on-failure', settings: { ...at('two'), secrets } } as const
/** The revision of the run fails. */
const FAILING: Scenario = {
  current: currentPatched,
  failureStops: true,
  statuses: [['QUEUED', 'DEPLOY_FAILED']],
  revisions: { theirs: { settings: image(2) }, [OLD_REVISION_ID]: { settings: image(1) } },
}

const VERIFICATION = { url: 'https://agent.example', status: 200, contains: undefined, timeoutMs: 1_000 }

describe('a rollout that has patched something', () => {
  it('repeats in its revision what is there by then', async () => {
    const busy = { pauses: [THEIRS], scenario: { current: currentPatched } }
    const { outcome, sent, writes, events } = await rollOut(busy, { settings: { ...at('two'), secrets } })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(sent).toEqual(['r/i:2'])
    expect(writes).toEqual(['patch customUrl', 'revision-1'])
    const change = { kind: 'revised', revisionId: 'theirs' }
    expect(events).toContainEqual({ kind: 'changed-meanwhile', deploymentId: currentPatched.id, change })
  })

  const asOthers: Scenario = { current: currentPatched, revisions: { theirs: { settings: image(2) } } }
  const skipping: Partial<RolloutRequest> = { ifUnchanged: 'skip', settings: { ...at('two'), ...image(2) } }

  it('creates no revision if that of another client is what was requested, and has deployed something', async () => {
    const { outcome, writes } = await rollOut({ pauses: [THEIRS], scenario: asOthers }, skipping)
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: true })
    expect(writes).toEqual(['patch customUrl'])
  })

  it('lists what it has patched if that revision of another client fails the check', async () => {
    const over = { probe: giving({ kind: 'answer', status: 500, body: '' } as const) }
    const request = { ...skipping, rollback: 'on-failure', verification: VERIFICATION } as const
    const { outcome, last } = await rollOut({ pauses: [THEIRS], scenario: { ...asOthers, over } }, request)
    expect(outcome).toMatchObject({ kind: 'unverified' })
    const because = { kind: 'not-own-revision', revisionId: 'theirs' }
    expect(last).toMatchObject({ kind: 'not-possible', because, kept: ['customUrl'] })
  })

  const theirsWith = (settings: Settings) => ({ ...THEIRS, settings: { ...image(2), ...settings } })
  it.each([
    ['what was there before its patch', 'one', { pauses: [THEIRS] }],
    ['the same after a PATCH whose answer was lost', 'one', { afterLostPatch: THEIRS }],
    ['the same after two pauses', 'one', { pauses: [THEIRS, { latestRevisionId: 'other' }] }],
    ['the same if the service writes it in its own form', 'one', { pauses: [THEIRS], hasOwnForm: true }],
    ['the same after two pauses then', 'one', { pauses: [THEIRS, { latestRevisionId: 'other' }], hasOwnForm: true }],
    ['what another client set after it', 'three', { pauses: [theirsWith(at('three'))] }],
    // No PATCH clears it again.
    ['nothing that another client cleared after it', 'two', { pauses: [theirsWith({ customUrl: undefined })] }],
  ])('restores %s', async (_case, place, busy: Partial<Busy>) => {
    const { outcome, settings, sent } = await rollOut({ ...busy, scenario: FAILING }, WHEN_FAILED)
    expect(outcome).toMatchObject({ kind: 'rolled-back' })
    expect(settings.customUrl).toContain(at(place).customUrl)
    expect(sent).toEqual(['r/i:2', 'r/i:2'])
  })

  const written = { ...at('two'), customUrl: 'https://two.example/agent' }
  it.each<[string, Partial<Deployment>[]]>([
    ['what no answer shows to be its own form of ours', [THEIRS]],
    ['the same after two pauses', [THEIRS, { latestRevisionId: 'other' }]],
  ])('lists what it does not restore: %s', async (_case, pauses) => {
    const { settings, last } = await rollOut({ pauses, hasOwnForm: 'undated', scenario: FAILING }, WHEN_FAILED)
    expect(settings).toMatchObject(written)
    expect(last).toMatchObject({ kind: 'restored', changedSince: ['customUrl'] })
  })

  it('restores the same after the revision of another client, which it has resumed, fails', async () => {
    const digest = { imageUri: `r/i@sha256:${'2'.repeat(64)}` }
    const theirs = { settings: digest, status: 'BUILDING', statuses: ['BUILDING', 'BUILDING', 'DEPLOY_FAILED'] }
    const scenario = { ...FAILING, revisions: { ...FAILING.revisions, theirs } }
    const request = { resume: true, rollback: 'on-failure', settings: { ...at('two'), ...digest } } as const
    const pauses = [{ latestRevisionId: 'theirs', settings: digest }]
    const { settings, names } = await rollOut({ pauses, scenario }, request)
    expect(names).toContain('attached resumed')
    expect(settings).toMatchObject(at('one'))
  })

  it('says after five plans that it has written, and names the other revision', async () => {
    const pauses = [2, 3, 4, 5, 6, 7].map((version) => ({ latestRevisionId: `theirs-${version}` }))
    const busy = { pauses, scenario: { current: currentPatched } }
    const { outcome, writes, names } = await rollOut(busy, { settings: at('two') })
    const words = 'since the first write of this run, it got another latest revision (theirs-6). Check the deployment'
    expect(String(outcome)).toContain(words)
    expect(writes).toEqual(['patch customUrl'])
    expect(names.filter((name) => name === 'planned revise')).toHaveLength(5)
  })
})

describe('a rollout during whose PATCH another client acts', () => {
  const scenario: Scenario = { current: currentPatched, revisions: FAILING.revisions ?? {} }
  const asked = { settings: { ...at('two'), secrets } }
  const theirs = (place: string) => ({ settings: at(place) })

  it('repeats in its revision what the answer to the PATCH shows, and not the earlier image', async () => {
    const { outcome, sent, writes, events } = await rollOut({ atPatches: [THEIRS], scenario }, asked)
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(sent).toEqual(['r/i:2'])
    expect(writes).toEqual(['patch customUrl', 'revision-1'])
    const change = { kind: 'revised', revisionId: 'theirs' }
    expect(events).toContainEqual({ kind: 'changed-meanwhile', deploymentId: currentPatched.id, change })
  })

  it('plans five times at most', async () => {
    const pauses = [2, 3, 4, 5, 6].map((version) => ({ latestRevisionId: `theirs-${version}` }))
    const { outcome, writes } = await rollOut({ atPatches: [THEIRS], pauses, scenario }, asked)
    expect(outcome).toMatchObject({ name: 'ChangedError', isWritten: true })
    expect(writes).toEqual(['patch customUrl'])
  })

  const twice = ['patch customUrl', 'patch customUrl', 'revision-1']
  it.each<[string, Omit<Busy, 'scenario'>, string[], string[]]>([
    ['a third value after the PATCH', { pauses: [theirs('three')] }, twice, []],
    ['the same again', { pauses: [theirs('three'), theirs('three')] }, twice, ['customUrl']],
    ['another third value then', { pauses: [theirs('three'), theirs('four')] }, twice, ['customUrl']],
    ['the earlier value', { pauses: [theirs('one')] }, ['patch customUrl', 'revision-1'], ['customUrl']],
    ['its own form of each value', { hasOwnForm: true }, twice, ['customUrl']],
    ['the same, and no date', { hasOwnForm: 'undated' }, twice, ['customUrl']],
  ])('patches at most twice where the service shows %s', async (_case, busy, expected, fields) => {
    const { outcome, writes, events } = await rollOut({ ...busy, scenario }, asked)
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(writes).toEqual(expected)
    const unconfirmed = events.flatMap((event) => (event.kind === 'patch-unconfirmed' ? event.fields : []))
    expect(unconfirmed).toEqual(fields)
  })

  it('sets what the step sets, and others have changed since', async () => {
    const current = { ...aDeployment(), settings: { ...origin, installCommand: 'yarn', buildCommand: 'make' } }
    const settings = { installCommand: 'yarn', buildCommand: 'make all' }
    const busy = { pauses: [{ settings: { installCommand: 'pnpm i' } }], scenario: { current } }
    const { writes } = await rollOut(busy, { source: 'git_host', settings })
    expect(writes).toEqual(['patch buildCommand', 'patch installCommand', 'revision-1'])
  })

  it('makes a revision if a newer one has come during the last PATCH of the one that it resumes', async () => {
    const resumed = { resume: true, settings: { buildOnPush: true, repoRef: 'main' }, source: 'git_host' } as const
    const settings = { ...origin, buildOnPush: false }
    const revisions = { ours: { settings: origin, repoCommitSha: COMMIT, status: 'BUILDING' }, theirs: serving }
    const scenario = { current: aDeployment({ latestRevisionId: 'ours', settings }), revisions }
    const { names, writes } = await rollOut({ atPatches: [{ latestRevisionId: 'theirs' }], scenario }, resumed)
    expect(names.filter((name) => name.startsWith('planned'))).toEqual(['planned resume', 'planned revise'])
    expect(writes).toEqual(['patch buildOnPush', 'revision-1'])
    expect(names).toContain('written patched')
  })

  describe('with an approved plan', () => {
    const approvedBy = async () => {
      const { deps } = setUp(scenario)
      const { outline } = await prepareRollout(aRequest({ source: 'external_container', ...asked, dryRun: true }), deps)
      return new Map([[outline.name, outline]])
    }

    it.each<[string, Omit<Busy, 'scenario'>]>([
      ['a revision', { atPatches: [THEIRS] }],
      ['a third value', { pauses: [theirs('three')] }],
    ])('is refused after %s, and says what has changed', async (_case, busy) => {
      const { outcome, writes, events } = await rollOut(
        { ...busy, scenario },
        { ...asked, approved: await approvedBy() },
      )
      expect(outcome).toMatchObject({ kind: 'failed', because: { kind: 'other-plan' } })
      expect(writes).toEqual(['patch customUrl'])
      expect(events).toContainEqual(expect.objectContaining({ kind: 'written', change: 'patched' }))
    })

    const same = { latestRevisionId: 'same', activeRevisionId: 'same', settings: { ...image(1), secrets } }
    it.each<[string, Partial<Busy>]>([
      ['the new plan shows the change', { pauses: [{ latestRevisionId: 'theirs' }] }],
      ['that of others is what was approved', { atPatches: [same] }],
    ])('is refused, too, if %s', async (_case, given) => {
      const busy = {
        ...given,
        scenario: { ...scenario, revisions: { ...scenario.revisions, same: { settings: same.settings } } },
      }
      const { outcome, writes } = await rollOut(busy, { ...asked, approved: await approvedBy() })
      const kind = expect.stringMatching(/^(latest|meanwhile)$/)
      const because = { kind: 'other-plan', differences: [expect.objectContaining({ kind })] }
      expect(outcome).toEqual({ kind: 'failed', because })
      expect(writes).toEqual(['patch customUrl'])
    })

    it('is applied if nothing has changed', async () => {
      const { outcome, writes } = await rollOut({ scenario }, { ...asked, approved: await approvedBy() })
      expect(outcome).toMatchObject({ kind: 'deployed' })
      expect(writes).toEqual(['patch customUrl', 'revision-1'])
    })
  })
})

const STAGING = 'e6666666-6666-4666-8666-666666666666'
const SERVING = 'f7777777-7777-4777-8777-777777777777'
const OTHER = 'd'.repeat(40)
const staging = aDeployment({ id: STAGING, name: 'staging', activeRevisionId: SERVING })

const PROMOTE: Partial<RolloutRequest> = { promoteFrom: { kind: 'id', id: STAGING }, protectNewer: false }

interface Production {
  /** The commits that GitHub reports of main, one after the other. */
  heads?: (string | undefined)[]
  /** The commit of the new revision; undefined: the control plane reports none. */
  built?: string
}

function production({ heads = [COMMIT], built }: Production) {
  const current = aDeployment({ repoCommitSha: OTHER })
  const started = setUp({ current, over: { gitHub: gitHubOf({ readCommit: giving(...heads) }) } })
  const controlPlane = decorated(started.deps.controlPlane, (service) => ({
    getDeployment: async (id) => (id === STAGING ? staging : await service.getDeployment(id)),
    getRevision: async (id, revisionId) => {
      const commit = revisionId === SERVING ? COMMIT : revisionId === OLD_REVISION_ID ? OTHER : undefined
      if (commit === undefined) return { ...(await service.getRevision(id, revisionId)), repoCommitSha: built }
      return aRevision({ id: revisionId, status: 'DEPLOYED', repoCommitSha: commit, settings: origin })
    },
  }))
  return { ...started, deps: { ...started.deps, controlPlane } }
}

async function promote({ rollback = 'never', ...given }: Production & Pick<Partial<RolloutRequest>, 'rollback'> = {}) {
  const { deps, writes, events } = production(given)
  const prepared = await prepareRollout(aRequest({ ...PROMOTE, rollback }), deps)
  const { outcome }: { outcome: RolloutOutcome } = await executeRollout(prepared, deps)
  return { outcome, writes, events }
}

describe('a promotion', () => {
  it('is deployed only with the commit of the other deployment', async () => {
    expect(await promote({ built: COMMIT })).toMatchObject({ outcome: { kind: 'deployed' }, writes: ['revision-1'] })
    const because = { kind: 'other-commit', wanted: COMMIT }
    const other = await promote({ built: OTHER })
    expect(other.outcome).toEqual({ kind: 'failed', because: { ...because, built: OTHER } })
    expect((await promote()).outcome).toMatchObject({ kind: 'failed', because })
  })

  it.each([[OTHER], [undefined]])('writes nothing where GitHub reports %s for the branch', async (head) => {
    const { deps, writes } = production({ heads: [head] })
    const because = { kind: 'ref-moved', ref: 'main', isTag: false, commit: COMMIT, head }
    const unfit = { kind: 'unfit', namedBy: 'name', state: { kind: 'not-promotable', from: 'staging', because } }
    await expect(prepareRollout(aRequest(PROMOTE), deps)).rejects.toMatchObject({ unfit })
    expect(writes).toEqual([])
  })

  it('tries to go back from another commit, with rollback: on-failure', async () => {
    const { outcome, events } = await promote({ rollback: 'on-failure', built: OTHER })
    expect(outcome.kind).toBe('failed')
    // This control plane has no route to deploy a revision again.
    expect(events.find(({ kind }) => kind === 'rollback-changed')).toMatchObject({
      rollback: { kind: 'under-way', to: OLD_REVISION_ID },
    })
  })

  it('asks GitHub again before an old plan of a fleet is carried out', async () => {
    const { deps, clock } = production({ heads: [COMMIT, OTHER] })
    const prepared = await prepareRollout(aRequest(PROMOTE), deps)
    await clock.sleep(FRESH_READ_MS + 1, deps.signal)
    const moved = { kind: 'not-promotable', because: { kind: 'ref-moved', head: OTHER } }
    await expect(refreshed(prepared, deps)).rejects.toMatchObject({ unfit: { state: moved } })
  })
})

const deployment = (settings: Settings) => aDeployment({ source: 'external_container', settings })
const FIRST = { customUrl: 'https://one.example', shareable: false }
const SENT = { customUrl: 'https://two.example', shareable: true }
const OWN_FORM = { customUrl: 'https://two.example/agent' }
const THEIRS_EARLIER = { customUrl: 'https://three.example' }

describe('a deployment that a run has patched for an earlier plan', () => {
  it.each<[string, Settings | undefined, Settings, Settings, string[]]>([
    ['what was sent', {}, SENT, FIRST, []],
    ['what was sent, and no answer has shown anything', undefined, SENT, FIRST, []],
    ['what the service has shown of it', OWN_FORM, { ...SENT, ...OWN_FORM }, FIRST, []],
    ['another value', OWN_FORM, { ...SENT, ...THEIRS_EARLIER }, { ...FIRST, ...THEIRS_EARLIER }, ['customUrl']],
    ['what may be its form of it', {}, { ...SENT, ...OWN_FORM }, { ...FIRST, ...OWN_FORM }, ['customUrl']],
    ['what was there before', {}, FIRST, FIRST, []],
  ])('shows %s', (_case, shown, now, before, unproved) => {
    const earlier = addOwnPatch(undefined, deployment(FIRST), SENT, shown)
    expect(withoutOwnPatch(deployment(now), earlier).settings).toEqual(deployment(before).settings)
    expect(unprovedFields(earlier, deployment(now))).toEqual(unproved)
  })

  it('is restored to what was there before it, also if its own earlier state is not shown', () => {
    const earlier = addOwnPatch(undefined, deployment(FIRST), SENT)
    const { settings } = withoutOwnPatch({ ...deployment({}), settings: {} }, earlier, deployment(SENT))
    expect(settings).toEqual(FIRST)
  })
})
