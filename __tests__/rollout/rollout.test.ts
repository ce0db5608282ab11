import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { type ControlPlane, decorated } from '../../src/control-plane/client.ts'
import type { Run } from '../../src/rollout/dependencies.ts'
import { hashOfAll } from '../../src/rollout/plan/plan-digest.ts'
import { prepareRollout } from '../../src/rollout/prepare.ts'
import { executeRollout } from '../../src/rollout/execute.ts'
import { rollout } from '../../src/rollout/rollout.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { gitHubOf } from '../a-run.ts'
import {
  aDeployment,
  aRequest,
  aRevision,
  COMMIT,
  INTEGRATION_ID,
  LISTENER_ID,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../builders.ts'
import { aLostAnswer, refusedWith } from '../control-plane-stub.ts'
import { replying } from '../networks.ts'
import { namesOf, setUp, type Scenario } from './set-up.ts'

const settings = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }
const deployed = { kind: 'deployed', isConfirmed: true }
const PLANNED_CREATE = ['current-state-read', 'planned create', 'applying']
const PLANNED_REVISE = ['current-state-read', 'planned revise', 'applying']
const ORIGIN = { repoRef: 'main', appConfigPath: 'app.json' }
const DEPLOYED_COMMIT = 'ABCDEF5EABCDEF5EABCDEF5EABCDEF5EABCDEF5E'

/** Rolls out a git_host deployment, if not requested otherwise. */
async function run(request: Partial<RolloutRequest>, scenario: Scenario = {}) {
  const started = setUp(scenario)
  const outcome = await rollout(aRequest({ source: 'git_host', settings, ...request }), started.deps)
  return { ...started, outcome, names: namesOf(started.events) }
}

/** Rolls out to a name that is free when the rollout is planned, and taken when it is created. */
async function runLate(request: Partial<RolloutRequest>, scenario: Scenario = {}) {
  const { answers, ...others } = scenario
  const started = setUp({
    current: aDeployment(),
    answers: { createDeployment: () => Promise.reject(refusedWith(409)), ...answers },
    ...others,
  })
  const { controlPlane } = started.deps
  let isPlanned = false
  const listDeployments: ControlPlane['listDeployments'] = async (query) => {
    if (isPlanned) return await controlPlane.listDeployments(query)
    isPlanned = true
    return { resources: [], offset: 0 }
  }
  const deps = { ...started.deps, controlPlane: { ...controlPlane, listDeployments } }
  const ended = rollout(aRequest({ source: 'git_host', settings, ...request }), deps)
  const outcome = await ended.catch((thrown: unknown) => thrown)
  return { ...started, outcome, names: namesOf(started.events) }
}

describe('rollout of a plan of which only a hash was approved', () => {
  const create = { source: 'git_host', settings } as const
  const hashOf = async (request: Partial<RolloutRequest>, scenario: Scenario = {}): Promise<string> =>
    hashOfAll([(await prepareRollout(aRequest(request), setUp(scenario).deps)).outline])

  it('writes nothing but that plan', async () => {
    const approved = await hashOf(create)
    expect(await run({ approved })).toMatchObject({ outcome: deployed, writes: ['create'] })
    const because = { kind: 'other-plan', differences: [{ kind: 'hash' }] }
    const other = await run({ approved, settings: { ...settings, appConfigPath: 'other.json' } })
    expect(other).toMatchObject({ outcome: { kind: 'failed', because }, writes: [] })
  })

  it('makes that plan again if it plans again', async () => {
    const { outcome, names } = await runLate({ approved: await hashOf(create) })
    expect(outcome).toMatchObject({ kind: 'failed', because: { kind: 'other-plan' } })
    expect(names.filter((name) => name === 'applying')).toHaveLength(1)
  })
})

describe('rollout: the events', () => {
  it('of a new deployment', async () => {
    const { outcome, names, writes } = await run({}, { statuses: [['QUEUED', 'BUILDING', 'DEPLOYED']] })
    expect(outcome).toEqual(deployed)
    expect(writes).toEqual(['create'])
    const written = ['written created', 'applied created']
    expect(names).toEqual([...PLANNED_CREATE, ...written, 'BUILDING', 'DEPLOYED'])
  })

  it('of a patch and a new revision', async () => {
    const request = { settings: { ...settings, buildOnPush: true } }
    const statuses = [['BUILDING', 'DEPLOYED']]
    const { outcome, names, writes } = await run(request, { current: aDeployment(), statuses })
    expect(outcome).toEqual(deployed)
    expect(writes).toEqual(['patch buildOnPush', 'revision-1'])
    const written = ['written patched', 'written patched', 'applied patched']
    expect(names).toEqual([...PLANNED_REVISE, 'settings-patched', ...written, 'BUILDING', 'DEPLOYED'])
  })

  const unfinished: Scenario = {
    current: aDeployment({ latestRevisionId: REVISION_ID }),
    revisions: {
      [REVISION_ID]: { statuses: ['BUILDING', 'BUILDING', 'DEPLOYED'], repoCommitSha: COMMIT, settings: ORIGIN },
    },
  }

  it('of an unfinished revision that matches the request', async () => {
    const { outcome, names, writes } = await run({ resume: true }, unfinished)
    expect(outcome).toEqual(deployed)
    expect(writes).toEqual([])
    expect(names).toEqual(['current-state-read', 'planned resume', 'attached resumed', 'BUILDING', 'DEPLOYED'])
  })

  it('of an unfinished revision that lacks only the patch that comes last', async () => {
    const request = { resume: true, settings: { ...settings, buildOnPush: true } }
    const { outcome, writes } = await run(request, unfinished)
    expect(outcome).toEqual(deployed)
    expect(writes).toEqual(['patch buildOnPush'])
  })

  it('of two revisions by a repeated write, without a wait', async () => {
    let posts = 0
    const made = (id: string) => aRevision({ id, settings: ORIGIN })
    const current = aDeployment()
    const ids = () => [...(posts < 2 ? [] : ['second', 'first']), OLD_REVISION_ID]
    const answers: Scenario['answers'] = {
      createRevision: async () =>
        await (++posts === 1 ? Promise.reject(aLostAnswer()) : Promise.resolve(made('first'))),
      listRevisions: async () => await Promise.resolve(ids().map(made)),
      getDeployment: async () => await Promise.resolve({ ...current, latestRevisionId: ids()[0] }),
    }
    const { outcome, events } = await run({ wait: false }, { current, answers })
    expect(outcome).toEqual({ kind: 'started' })
    expect(events.at(-1)).toEqual({ kind: 'made-twice', what: 'revision', ours: 'first', other: 'second' })
  })

  describe('of an unfinished revision', () => {
    const other = 'f'.repeat(40)
    /** A revision that reports these commits, one at each read; the last one stays. */
    async function resume(commits: (string | undefined)[], repoRef = 'main') {
      const revision = aRevision({ id: REVISION_ID, settings: { ...ORIGIN, repoRef } })
      const left = [...commits]
      const made = aRevision({ id: 'revision-1', status: 'DEPLOYED' })
      let created = 0
      let reads = 0
      const current = aDeployment({ latestRevisionId: REVISION_ID, settings: { repoRef } })
      const now = () => {
        const id = created > 0 ? 'revision-1' : REVISION_ID
        const activeRevisionId = created > 0 || left.length === 1 ? id : current.activeRevisionId
        return { ...current, latestRevisionId: id, activeRevisionId }
      }
      const answers: Scenario['answers'] = {
        createRevision: () => Promise.resolve({ ...made, id: `revision-${++created}` }),
        getDeployment: () => Promise.resolve(now()),
        getRevision: (_deployment, id) => {
          if (id !== REVISION_ID) return Promise.resolve(made)
          reads += 1
          const repoCommitSha = left.length > 1 ? left.shift() : left[0]
          return Promise.resolve({ ...revision, repoCommitSha, status: left.length > 1 ? 'QUEUED' : 'DEPLOYED' })
        },
      }
      const started = await run({ resume: true, settings: { ...settings, repoRef } }, { current, answers })
      return { ...started, created, reads }
    }

    it('whose commit is reported in time', async () => {
      const { outcome, names, created } = await resume([undefined, undefined, COMMIT, COMMIT])
      expect(outcome).toEqual(deployed)
      expect(created).toBe(0)
      expect(names.slice(0, 4)).toEqual(['current-state-read', 'commit-awaited', 'planned resume', 'attached resumed'])
    })

    it('whose commit turns out to be another one while the run waits for it', async () => {
      const { outcome, names, created } = await resume([undefined, undefined, other, other])
      expect(outcome).toEqual(deployed)
      expect(created).toBe(1)
      expect(names).toContain('planned revise')
    })

    it('whose commit is not reported in time', async () => {
      const { names, created, reads } = await resume(Array<undefined>(99).fill(undefined))
      expect(created).toBe(1)
      expect(reads).toBe(11)
      expect(names.slice(0, 3)).toEqual(['current-state-read', 'commit-awaited', 'planned revise'])
    })

    it('whose commit turns out to be another one during the watch', async () => {
      const { outcome, names, created, events } = await resume([undefined, undefined, other, other], 'c'.repeat(40))
      expect(outcome).toEqual(deployed)
      expect(created).toBe(1)
      const [resumed, again] = [names.indexOf('attached resumed'), names.indexOf('other-commit')]
      expect(names.slice(resumed, again)).toEqual(['attached resumed', 'QUEUED', 'DEPLOYED'])
      expect(names.slice(again, again + 4)).toEqual(['other-commit', ...PLANNED_REVISE])
      expect(events.find(({ kind }) => kind === 'other-commit')).toMatchObject({ commit: other })
    })

    it('that another read shows without its commit again: it is not resumed twice', async () => {
      const { names, created } = await resume([undefined, undefined, other, ...Array<undefined>(9)], 'c'.repeat(40))
      expect(created).toBe(1)
      expect(names.filter((name) => name === 'attached resumed')).toHaveLength(1)
    })
  })

  it.each([
    [5_000, OLD_REVISION_ID],
    [5_001, 'theirs'],
  ])('of a plan that is %d ms old: what is there is read right before the write', async (ageMs, latest) => {
    const known: unknown[] = []
    const createRevision: ControlPlane['createRevision'] = async (_id, _draft, ids) => {
      known.push(ids[0])
      return await Promise.resolve(aRevision())
    }
    const { deps, clock, change } = setUp({ current: aDeployment(), answers: { createRevision } })
    const prepared = await prepareRollout(aRequest({ source: 'git_host', settings, wait: false }), deps)
    change({ latestRevisionId: 'theirs' })
    clock.advance(ageMs)
    await executeRollout(prepared, deps)
    expect(known).toEqual([latest])
  })

  describe('of a revision that is DEPLOYED and not active yet', () => {
    /** An earlier attempt has made it. `activeMs`: from the start of the run until it is active. */
    async function resume(activeMs: number, over: Partial<RolloutRequest> = {}) {
      const current = aDeployment({ latestRevisionId: REVISION_ID })
      const shown = { repoCommitSha: COMMIT, settings: ORIGIN }
      const revisions = { [REVISION_ID]: shown, [OLD_REVISION_ID]: { ...shown, createdAt: 0 } }
      const around = setUp({ current, revisions })
      const { controlPlane: service } = around.deps
      const controlPlane = decorated(service, (inner) => ({
        getDeployment: async (id) => {
          if (around.writes.length === 0 && around.clock.now() >= activeMs)
            around.change({ activeRevisionId: REVISION_ID })
          return await inner.getDeployment(id)
        },
      }))
      const request = aRequest({ resume: true, source: 'git_host', settings, ...over })
      const outcome = await rollout(request, { ...around.deps, controlPlane })
      return { outcome, writes: around.writes, names: namesOf(around.events), waitedMs: around.clock.now() }
    }

    it.each([
      ['is waited for, and no other is made', { wait: true }, deployed],
      ['is waited for, also without a wait', { wait: false }, { kind: 'started' }],
    ])('%s', async (_case, over, expected) => {
      const { outcome, writes, names, waitedMs } = await resume(11_000, over)
      expect(outcome).toEqual(expected)
      expect(writes).toEqual([])
      expect(names.slice(0, 3)).toEqual(['current-state-read', 'planned resume', 'attached resumed'])
      expect(waitedMs).toBe(12_000)
    })

    it.each([true, false])('is as if it were not there, if it is not active in time (wait: %p)', async (wait) => {
      const { outcome, writes, names, waitedMs } = await resume(Infinity, { wait })
      expect(outcome).toEqual(wait ? deployed : { kind: 'started' })
      expect(writes).toEqual(['revision-1'])
      expect(waitedMs).toBeGreaterThanOrEqual(30_000)
      const again = names.indexOf('not-activated')
      expect(names.slice(again, again + 4)).toEqual(['not-activated', ...PLANNED_REVISE])
    })
  })

  it('of a deployment that needs no change', async () => {
    const revisions = { [OLD_REVISION_ID]: { repoCommitSha: COMMIT.toUpperCase(), settings: ORIGIN } }
    const started = await run({ ifUnchanged: 'skip' }, { current: aDeployment(), revisions })
    const { outcome, names, writes, events } = started
    expect(outcome).toEqual({ kind: 'unchanged' })
    expect(writes).toEqual([])
    expect(names).toEqual(['current-state-read', 'planned unchanged', 'attached unchanged'])
    expect(events.at(-1)).toMatchObject({ revision: { id: OLD_REVISION_ID } })
  })

  it.each([
    ['create', undefined],
    ['revise', aDeployment()],
  ])('of a dry run that plans to %s: it writes nothing', async (plan, current) => {
    const { outcome, names, writes } = await run({ dryRun: true }, current && { current })
    expect(outcome).toEqual({ kind: 'planned' })
    expect(writes).toEqual([])
    expect(names).toEqual(['current-state-read', `planned ${plan}`])
  })

  it('of a rollout that is not waited for', async () => {
    const { outcome, names, clock } = await run({ wait: false }, { current: aDeployment(), statuses: [['QUEUED']] })
    expect(outcome).toEqual({ kind: 'started' })
    expect(names.slice(-2)).toEqual(['written revised', 'applied revised'])
    expect(clock.now()).toBe(0)
  })
})

describe('rollout: another client creates the deployment after it was planned', () => {
  it('plans again, and creates a revision', async () => {
    const { outcome, names, writes } = await runLate({})
    expect(outcome).toEqual(deployed)
    expect(writes).toEqual(['revision-1'])
    const written = ['written revised', 'applied revised']
    expect(names).toEqual([...PLANNED_CREATE, 'name-taken', ...PLANNED_REVISE, ...written, 'DEPLOYED'])
  })

  const same = { revisions: { [OLD_REVISION_ID]: { repoCommitSha: COMMIT, settings: ORIGIN } } }

  it('writes nothing where that one needs no change', async () => {
    const { outcome, names, writes } = await runLate({ ifUnchanged: 'skip' }, same)
    expect([outcome, writes]).toEqual([{ kind: 'unchanged' }, []])
    expect(names.slice(-2)).toEqual(['planned unchanged', 'attached unchanged'])
  })

  it('checks that one where it needs no change', async () => {
    // Nothing listens at this address.
    const url = 'http://127.0.0.1:1/ok'
    const verification = { url, status: 200, contains: undefined, timeoutMs: 3_000, forMs: undefined }
    const { outcome, writes } = await runLate({ ifUnchanged: 'skip', verification }, same)
    expect(outcome).toMatchObject({ kind: 'unverified', url })
    expect(writes).toEqual([])
  })

  it('ends with the problems of the second plan', async () => {
    const { outcome, writes } = await runLate({ settings: { ...settings, integrationId: LISTENER_ID } })
    expect(outcome).toMatchObject({ problems: [{ input: 'integration-id' }] })
    expect(writes).toEqual([])
  })
})

describe('rollout: a newer commit is deployed', () => {
  it('writes nothing', async () => {
    const compareCommits = jest.fn<Run['gitHub']['compareCommits']>().mockResolvedValue('behind')
    const current = aDeployment({ repoCommitSha: DEPLOYED_COMMIT })
    const scenario = { current, over: { gitHub: gitHubOf({ compareCommits }) } }
    const { outcome, names, writes, events } = await run({ protectNewer: true }, scenario)
    expect(outcome).toEqual({ kind: 'superseded', by: OLD_REVISION_ID })
    expect(writes).toEqual([])
    expect(names).toEqual(['current-state-read', 'planned outdated', 'newer-commit-deployed'])
    expect(events.at(-1)).toMatchObject({ deployed: DEPLOYED_COMMIT, ours: COMMIT })
    expect(compareCommits.mock.calls).toEqual([[DEPLOYED_COMMIT, COMMIT]])
  })
})

describe('rollout of an uploaded source', () => {
  let folder = ''
  let tempDir = ''
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'rollout-test-'))
    tempDir = await mkdtemp(path.join(tmpdir(), 'rollout-temp-'))
    await writeFile(path.join(folder, 'app.json'), '{}')
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
    await rm(tempDir, { recursive: true })
  })

  const upload = { source: 'internal_source', settings: { appConfigPath: 'app.json' } } as const
  const uploaded = aDeployment({ source: 'internal_source' })
  const unavailable = (): Promise<never> => Promise.reject(refusedWith(403))

  it('has packed the archive when it is prepared, and keeps it until it is executed', async () => {
    const { deps } = setUp({ answers: { createUploadTicket: unavailable }, over: { workspace: folder, tempDir } })
    const prepared = await prepareRollout(aRequest(upload), deps)
    expect(await readdir(tempDir)).toHaveLength(1)
    await expect(executeRollout(prepared, deps)).rejects.toThrow()
    expect(await readdir(tempDir)).toHaveLength(1)
    await prepared.source.dispose()
    expect(await readdir(tempDir)).toEqual([])
  })

  it('uploads it between the two writes, and deletes it', async () => {
    const methods: string[] = []
    const network = replying(({ method, url: { host } }) => {
      methods.push(`${method} ${host}`)
      return { status: 200 }
    })
    const ticket = { url: new URL('https://store.example/put'), objectPath: 'objects/1', headers: {} }
    const { deps, events, writes } = setUp({
      answers: { createUploadTicket: () => Promise.resolve(ticket) },
      over: { workspace: folder, tempDir, network },
    })
    const outcome = await rollout(aRequest(upload), deps)
    expect(outcome).toEqual(deployed)
    expect(methods).toEqual(['PUT store.example'])
    expect(writes).toEqual(['create', 'revision-2'])
    expect(namesOf(events).slice(-3)).toEqual(['written created', 'applied created', 'DEPLOYED'])
    expect(events.find(({ kind }) => kind === 'applied')).toMatchObject({ revisionId: 'revision-2' })
    expect(await readdir(tempDir)).toEqual([])
  })

  it('packs it once when it is planned again, and deletes it', async () => {
    const { names } = await runLate(upload, {
      current: uploaded,
      answers: { createUploadTicket: unavailable },
      over: { workspace: folder, tempDir },
    })
    expect(names).toEqual([...PLANNED_CREATE, 'name-taken', ...PLANNED_REVISE])
    expect(await readdir(tempDir)).toEqual([])
  })

  it.each<[string, Partial<RolloutRequest>, Scenario, string[]]>([
    ['after a dry run', { dryRun: true }, {}, []],
    ['after a refused plan', { ifMissing: 'fail' }, {}, []],
    ['when the current state cannot be read', {}, { answers: { listDeployments: unavailable } }, []],
    ['when it cannot be uploaded', {}, { answers: { createUploadTicket: unavailable } }, ['create']],
    [
      'when it cannot be uploaded to a deployment that exists',
      { source: undefined },
      { current: uploaded, answers: { createUploadTicket: unavailable } },
      [],
    ],
  ])('deletes the archive %s', async (_case, request, scenario, expected) => {
    const { deps, writes } = setUp({ ...scenario, over: { workspace: folder, tempDir } })
    await rollout(aRequest({ ...upload, ...request }), deps).catch(() => undefined)
    expect(writes).toEqual(expected)
    expect(await readdir(tempDir)).toEqual([])
  })
})
