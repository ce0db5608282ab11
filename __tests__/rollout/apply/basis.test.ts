import { describe, expect, it } from '@jest/globals'
import { BusyError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import { ANY_CHANGE, knownDeployment, type DeploymentFacts } from '../../../src/rollout/apply/basis.ts'
import type { DeploymentChange } from '../../../src/rollout/deployment-change.ts'
import { aDeployment, fakeClock, aRequest, aRevision, INTEGRATION_ID, OLD_REVISION_ID } from '../../builders.ts'
import { aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { aRun, gitHubOf } from '../../a-run.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { rollback } from '../../../src/rollout/rollback.ts'
import { rollout } from '../../../src/rollout/rollout.ts'
import type { RolloutRequest, Target } from '../../../src/rollout/rollout-request.ts'
import { replying } from '../../networks.ts'
import { giving } from '../giving.ts'
import { namesOf, setUp, type Scenario } from '../set-up.ts'
import { busyFor, CONTAINER, image, rollOut, THEIRS } from '../busy.ts'

const BEFORE = aDeployment({ name: 'agent', updatedAt: 2_000 })

const { trouble } = aLostAnswer()

interface Later {
  before?: Deployment
  /** What the first read shows; as `now` if not set. */
  first?: Deployment
  /** What a read shows after the pause; undefined: it is missing. */
  now?: Deployment | undefined
  known?: DeploymentFacts
  pauseMs?: number
  /** The ends of the writes before the pause. */
  ends?: readonly (Error | undefined)[]
  what?: 'settings' | 'creation'
  /** What a list shows. */
  listed?: Deployment[]
  /** What it shows after the first time. */
  listedLater?: Deployment[]
}

/** What becomes of a write to a deployment that is known for a while. */
async function writeLater({
  before = BEFORE,
  known = { isNamed: true },
  pauseMs = 5_001,
  ends = [],
  what,
  listed = [],
  listedLater = listed,
  ...later
}: Later) {
  const clock = fakeClock()
  let reads = 0
  let lists = 0
  const { now, first = now } = later
  const controlPlane = aControlPlane({
    getDeployment: async () => {
      reads += 1
      const shown = reads === 1 ? first : now
      return await (shown === undefined ? Promise.reject(refusedWith(404)) : Promise.resolve(shown))
    },
    listDeployments: async () => {
      const resources = lists++ === 0 ? listed : listedLater
      return await Promise.resolve({ resources, offset: resources.length })
    },
  })
  const deps = aRun({ controlPlane, clock, deadline: 600_000, maxRetries: 3 })
  const basis = knownDeployment(before, deps, known)
  const endWith = async (end: Error | undefined): Promise<string> =>
    await (end === undefined ? Promise.resolve('done') : Promise.reject(end))
  for (const end of ends) await basis.send('write', async () => await endWith(end), what).catch(() => undefined)
  clock.advance(pauseMs)
  const written: string[] = []
  let latest: string | undefined
  const startedAt = clock.now()
  const ended = await basis
    .send('write', async ({ name, latestRevisionId }) => {
      written.push(name)
      latest = latestRevisionId
      return await Promise.resolve('done')
    })
    .catch((thrown: unknown) => thrown)
  return { ended, written, reads, latest, sleptMs: clock.now() - startedAt }
}

const RENAMED_TO_BLUE = { kind: 'renamed', now: 'agent-blue' }
const RENAMED = { ...BEFORE, name: 'agent-blue', updatedAt: 3_000 }

describe('a write to a deployment', () => {
  it('is not sent to one that has lost its name', async () => {
    const { ended, written } = await writeLater({ now: RENAMED })
    const changed = { name: 'ChangedError', change: RENAMED_TO_BLUE, isWritten: false }
    expect(ended).toMatchObject({ ...changed, deploymentId: BEFORE.id })
    expect(String(ended)).toContain('since the plan was made, it was renamed to "agent-blue". Rerun the job.')
    expect(written).toEqual([])
  })

  it('is not sent to one that was deleted', async () => {
    const { ended, written } = await writeLater({})
    expect(ended).toMatchObject({ name: 'ChangedError', change: { kind: 'deleted' } })
    expect(written).toEqual([])
    expect(await writeLater({ known: {} })).toMatchObject({ ended: { status: 404 }, written: [] })
  })

  it('is sent by its id to one that has another name now', async () => {
    expect(await writeLater({ now: RENAMED, known: {} })).toMatchObject({ written: ['agent-blue'] })
  })

  it('does not believe a replica that shows an earlier name', async () => {
    const now = { ...RENAMED, updatedAt: 1_000 }
    expect(await writeLater({ now })).toMatchObject({ ended: 'done', written: ['agent'] })
  })

  it.each<[string, readonly (Error | undefined)[], boolean]>([
    ['after a write', [undefined], true],
    ['after a write whose response is lost', [aLostAnswer()], true],
    ['after a write that was refused', [refusedWith(422)], false],
    ['after a 429', [new BusyError(trouble)], false],
    ['after both', [aLostAnswer(), new BusyError(trouble)], true],
  ])('knows whether the run has written to it: %s', async (_case, ends, isWritten) => {
    expect(await writeLater({ now: RENAMED, ends })).toMatchObject({ ended: { isWritten }, written: [] })
  })

  it('follows another read after a 429, however short the pause', async () => {
    const ends = [new BusyError(trouble)]
    expect(await writeLater({ now: RENAMED, ends, pauseMs: 1 })).toMatchObject({ written: [], reads: 1 })
  })

  describe('whose plan it ends', () => {
    const known = { planEnds: ANY_CHANGE }

    const commands = { installCommand: 'npm ci' }
    const without = { installCommand: undefined }
    const container = { resourceSpec: { cpu: 1 }, imageUri: 'r/i:1' }
    it.each<[string, Deployment['settings'], Deployment['settings'], boolean]>([
      ['shows a command no more', commands, without, true],
      ['has never shown a command', without, commands, false],
      ['shows nothing of its revision', container, {}, false],
      ['does not say whether it builds on push', { buildOnPush: true }, {}, false],
    ])('%s', async (_case, settings, now, ends) => {
      const shown = (of: Deployment['settings']): Deployment => ({ ...BEFORE, settings: of })
      const { ended } = await writeLater({ before: shown(settings), now: shown(now), known })
      if (ends) expect(ended).toMatchObject({ change: { kind: 'set', fields: ['installCommand'] } })
      else expect(ended).toBe('done')
    })

    it('goes on if a replica that lags shows a command no more', async () => {
      const before = { ...BEFORE, settings: { ...BEFORE.settings, ...commands } }
      expect(await writeLater({ before, first: BEFORE, now: before, known })).toMatchObject({ ended: 'done' })
    })
    it('goes on if a list still shows the command, as some services show it there only', async () => {
      const before = { ...BEFORE, settings: commands }
      const now = { ...BEFORE, settings: without }
      const other = aDeployment({ id: 'other', settings: { installCommand: 'make' } })
      expect(await writeLater({ before, now, known, listed: [other, before] })).toMatchObject({ ended: 'done' })
      const ended = { change: { kind: 'set', fields: ['installCommand'] } }
      expect(await writeLater({ before, now, known, listed: [other, now] })).toMatchObject({ ended })
    })

    it('does not believe a list that lags, and still shows the command', async () => {
      const before = { ...BEFORE, settings: commands }
      const now = { ...BEFORE, settings: without }
      const ended = { change: { kind: 'set', fields: ['installCommand'] } }
      expect(await writeLater({ before, now, known, listed: [before], listedLater: [now] })).toMatchObject({ ended })
    })

    const later = { ...BEFORE, updatedAt: 3_000 }
    const image = { imageUri: 'r/i:1' }

    it.each<[DeploymentChange, Partial<Deployment>, string]>([
      [
        { kind: 'revised', revisionId: 'theirs' },
        { latestRevisionId: 'theirs' },
        'got another latest revision (theirs)',
      ],
      [{ kind: 'active', revisionId: 'other' }, { activeRevisionId: 'other' }, 'got another active revision (other)'],
      [{ kind: 'active', revisionId: null }, { activeRevisionId: null }, 'lost its active revision'],
      [{ kind: 'set', fields: ['imageUri'] }, { settings: { imageUri: 'r/i:2' } }, 'got other settings (image-uri)'],
    ])('is not sent after %j', async (change, over, words) => {
      const before = { ...BEFORE, settings: image }
      const now = { ...later, settings: image, ...over }
      const { ended, written, reads } = await writeLater({ before, now, known })
      expect(ended).toMatchObject({ name: 'ChangedError', change, isWritten: false })
      expect(String(ended)).toContain(`since the plan was made, it ${words}. Rerun the job.`)
      expect(written).toEqual([])
      expect(reads).toBe(2)
      // A later write of the same plan.
      expect(await writeLater({ before, now, known, ends: [undefined] })).toMatchObject({ ended: 'done' })
      expect(await writeLater({ before, now, known: { planEnds: [] } })).toMatchObject({ ended: 'done' })
    })

    it.each<[Partial<Deployment>, unknown]>([
      [{ latestRevisionId: 'theirs' }, { change: { kind: 'revised' }, written: 'settings', isWritten: true }],
      [{ activeRevisionId: 'other' }, { change: { kind: 'active' } }],
      [{ settings: { imageUri: 'r/i:2' } }, 'done'],
    ])('may be sent after its settings, which may be its own: %j', async (over, ended) => {
      const before = { ...BEFORE, settings: image }
      const now = { ...later, settings: image, ...over }
      for (const end of [undefined, aLostAnswer()])
        expect(await writeLater({ before, now, known, ends: [end], what: 'settings' })).toMatchObject({ ended })
    })

    it.each<[string, Partial<Deployment>, Partial<Deployment>]>([
      ['no latest revision', { latestRevisionId: undefined }, { latestRevisionId: 'theirs' }],
      ['no active revision', { activeRevisionId: undefined }, { activeRevisionId: 'other' }],
      ['fewer settings', {}, { settings: image }],
    ])('is sent where only one of two reads reports more: a list may show %s', async (_case, less, more) => {
      for (const [first, second] of [
        [less, more],
        [more, less],
      ]) {
        const [before, now] = [
          { ...BEFORE, ...first },
          { ...later, ...second },
        ]
        expect(await writeLater({ before, now, known })).toMatchObject({ ended: 'done' })
      }
    })

    it('is sent where no revision is active before and after', async () => {
      const none = { activeRevisionId: null }
      const before = { ...BEFORE, ...none }
      expect(await writeLater({ before, now: { ...later, ...none }, known })).toMatchObject({ ended: 'done', reads: 1 })
    })

    it('is sent where only a replica that lags shows a change', async () => {
      const lagging = { ...later, updatedAt: undefined, latestRevisionId: 'older' }
      const { ended, reads, sleptMs } = await writeLater({ now: later, first: lagging, known })
      expect({ ended, reads, sleptMs }).toEqual({ ended: 'done', reads: 2, sleptMs: 6_000 })
    })

    it('keeps the latest revision that a read does not report', async () => {
      const now = { ...later, latestRevisionId: undefined }
      expect(await writeLater({ now, known })).toMatchObject({ latest: BEFORE.latestRevisionId })
    })
  })

  it('says what has come between a write and the next', async () => {
    const { ended } = await writeLater({ now: RENAMED, known: { isNamed: true, isWritten: true } })
    const words = 'since the first write of this run, it was renamed to "agent-blue". Check both deployments'
    expect(String(ended)).toContain(words)
  })
})

/** A name that goes to another deployment while a run is under way, between its plan and its first write. */

const NAME = 'agent'

const TARGET = { kind: 'name', name: NAME } as const

const BY_ID = { kind: 'id', id: 'blue' } as const

const settings = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }

const verification = { url: 'https://app.example/', status: 200, contains: undefined, timeoutMs: 60_000 }

const AT_ONCE = replying(() => ({ status: 200 }))

const GREEN_TAKES_IT = { blue: 'agent-blue', green: NAME }

const NOBODY_TAKES_IT = { blue: 'agent-blue', green: 'agent-green' }

interface Renaming {
  /** The names after the renaming; undefined: there are none. */
  names?: Record<string, string>
  source?: Deployment['source']
  /** The PATCH is slow, and the names change meanwhile. */
  isPatchSlow?: boolean
  over?: Parameters<typeof setUp>[0]['over']
}

/** Two deployments. `rename` takes six seconds, and changes their names. The writes are noted with their deployment. */
function twoDeployments({ names = GREEN_TAKES_IT, source = 'git_host', isPatchSlow, over = {} }: Renaming) {
  const writes: string[] = []
  const ofName = (id: string, name: string): Deployment =>
    aDeployment({ id, name, source, latestRevisionId: `${id}-1`, activeRevisionId: `${id}-1`, settings })
  let all = [ofName('blue', NAME), ofName('green', 'agent-green')]
  const find = (id: string): Deployment => all.find((one) => one.id === id) ?? aDeployment({ id })
  const change = (id: string, to: Partial<Deployment>): Deployment => {
    all = all.map((one) => (one.id === id ? { ...one, ...to } : one))
    return find(id)
  }
  const answers: Partial<ControlPlane> = {
    listDeployments: async ({ offset }) =>
      await Promise.resolve({ resources: offset > 0 ? [] : all, offset: offset + all.length }),
    getDeployment: async (id) => await Promise.resolve(find(id)),
    updateDeployment: async (id, patch) => {
      writes.push(`PATCH ${id}`)
      const patched = change(id, { settings: { ...find(id).settings, ...patch } })
      if (isPatchSlow === true) rename()
      return await Promise.resolve(patched)
    },
    createRevision: async (id, { settings: given }) => {
      writes.push(`POST ${id}`)
      change(id, { latestRevisionId: `${id}-2`, activeRevisionId: `${id}-2`, settings: given })
      return await Promise.resolve(aRevision({ id: `${id}-2`, status: 'QUEUED', settings: given }))
    },
    getRevision: async (_id, id) => await Promise.resolve(aRevision({ id, status: 'DEPLOYED', settings })),
    createUploadTicket: async (id) => {
      writes.push(`upload to ${id}`)
      const url = new URL('https://store.example/put')
      return await Promise.resolve({ url, objectPath: 'objects/1', headers: {} })
    },
  }
  const around = setUp({ answers, over })
  let isRenamed = false
  const rename = (): void => {
    around.clock.advance(6_000)
    if (isRenamed) return
    isRenamed = true
    for (const [id, name] of Object.entries(names)) change(id, { name })
  }
  return { ...around, writes, rename }
}

/** A rollout whose check before the first write takes so long that the name moves. */
async function checkedFirst(request: Partial<RolloutRequest>, renaming: Renaming = {}) {
  const around = twoDeployments(renaming)
  const probe = async () => {
    around.rename()
    return await Promise.resolve({ kind: 'answer', status: 200, body: '' } as const)
  }
  const asked = aRequest({ target: TARGET, source: 'git_host', settings, verification, ...request })
  const ended = rollout(asked, { ...around.deps, probe })
  const outcome = await ended.catch((thrown: unknown) => thrown)
  return { outcome, writes: around.writes, events: around.events, names: namesOf(around.events) }
}

describe('a deployment that is renamed during the check before a rollout', () => {
  it('gets no write: the run plans again for the one that has the name', async () => {
    const { outcome, writes, events, names } = await checkedFirst({})
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(writes).toEqual(['POST green'])
    expect(events).toContainEqual({ kind: 'changed-meanwhile', deploymentId: 'blue', change: RENAMED_TO_BLUE })
    const planned = ['current-state-read', 'planned revise']
    expect(names.slice(0, 6)).toEqual([...planned, 'applying', 'changed-meanwhile', ...planned])
  })

  it('gets no PATCH either', async () => {
    const { writes } = await checkedFirst({ settings: { ...settings, buildOnPush: true } })
    expect(writes).toEqual(['PATCH green', 'POST green'])
  })

  it('fails the run if no deployment has the name, and none may be created', async () => {
    const { outcome, writes } = await checkedFirst({ ifMissing: 'fail' }, { names: NOBODY_TAKES_IT })
    expect(outcome).toMatchObject({ problems: [{ input: 'name' }] })
    expect(writes).toEqual([])
  })

  it('is rolled out if the step has its id', async () => {
    expect(await checkedFirst({ target: BY_ID })).toMatchObject({
      outcome: { kind: 'deployed' },
      writes: ['POST blue'],
    })
  })
})

describe('a deployment that is renamed after the first write to it', () => {
  it('gets no other write, and the run fails: it cannot plan again', async () => {
    const around = twoDeployments({ isPatchSlow: true })
    const asked = aRequest({ target: TARGET, source: 'git_host', settings: { ...settings, buildOnPush: true } })
    const running = rollout(asked, around.deps)
    await expect(running).rejects.toMatchObject({ name: 'ChangedError', change: RENAMED_TO_BLUE, isWritten: true })
    expect(around.writes).toEqual(['PATCH blue'])
  })
})

describe('a deployment that is renamed during the upload of its source', () => {
  it('gets no revision: the source goes to the one that has the name', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'renamed-test-'))
    try {
      await writeFile(path.join(folder, 'app.json'), '{}')
      const network = replying(() => {
        around.rename()
        return { status: 200 }
      })
      const over = { workspace: folder, network }
      const around = twoDeployments({ source: 'internal_source', over })
      const upload = { source: 'internal_source', settings: { appConfigPath: 'app.json' } } as const
      const outcome = await rollout(aRequest({ target: TARGET, ...upload }), around.deps)
      expect(outcome).toMatchObject({ kind: 'deployed' })
      expect(around.writes).toEqual(['upload to blue', 'upload to green', 'POST green'])
      const checked = await checkedFirst(upload, { source: 'internal_source', over: { ...over, network: AT_ONCE } })
      expect(checked.writes).toEqual(['upload to green', 'POST green'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a deployment that is renamed before it is rolled back', () => {
  it.each([
    ['gets no write', TARGET, []],
    ['is rolled back if the step has its id', BY_ID, ['POST blue']],
  ])('%s', async (_case, target, writes) => {
    const around = twoDeployments({ source: 'external_container' })
    const { controlPlane } = around.deps
    // The last read of the plan is slow.
    const getRevision: ControlPlane['getRevision'] = async (...about) => {
      around.rename()
      const [, id] = about
      const built = { settings: { imageUri: `registry.example/agent:${id.replace(/-2$/, '-0')}` } }
      return { ...(await controlPlane.getRevision(...about)), ...built }
    }
    const deps = { ...around.deps, controlPlane: { ...controlPlane, getRevision }, isFirstAttempt: true }
    const ended = rollback({ ...aRequest({ target }), revisionId: 'blue-0', isStartedByHand: false }, deps)
    const outcome = await ended.catch((thrown: unknown) => thrown)
    const renamed = { name: 'ChangedError', change: RENAMED_TO_BLUE, isWritten: false }
    if (target === TARGET) expect(outcome).toMatchObject(renamed)
    expect(around.writes).toEqual(writes)
  })
})

/** A deployment that another client changes while a run waits for its first write: each pause follows a 429. */

const NEWER = 'e'.repeat(40)

const secrets = [{ name: 'K', value: 'v' }]

describe('a rollout', () => {
  it('repeats what is there at its write, not what was there before', async () => {
    const busy = { pauses: [THEIRS], scenario: { current: CONTAINER } }
    const { outcome, sent, names } = await rollOut(busy, { settings: { secrets } })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(sent).toEqual(['r/i:2'])
    expect(names.slice(3, 6)).toEqual(['request-retried', 'changed-meanwhile', 'current-state-read'])
  })

  it('protects a newer commit that was deployed meanwhile', async () => {
    const current = aDeployment({ repoCommitSha: 'a'.repeat(40) })
    const theirs = { latestRevisionId: 'theirs', activeRevisionId: 'theirs', repoCommitSha: NEWER }
    const compareCommits = async (deployed: string) =>
      await Promise.resolve(deployed === NEWER ? ('behind' as const) : ('ahead' as const))
    const busy = { pauses: [theirs], scenario: { current, over: { gitHub: gitHubOf({ compareCommits }) } } }
    const { outcome, writes } = await rollOut(busy, { source: 'git_host', protectNewer: true, settings })
    expect(outcome).toEqual({ kind: 'superseded', by: 'theirs' })
    expect(writes).toEqual([])
  })

  it('plans again once after the late activation of an earlier revision', async () => {
    const late = { activeRevisionId: 'earlier' }
    const current = { ...CONTAINER, latestRevisionId: 'earlier' }
    const { outcome, names } = await rollOut({ pauses: [late], scenario: { current } }, { settings: image(3) })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(names.filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })

  const reference = { name: 'A', secretName: 's', secretKey: 'k' }
  const spec = { cpu: 1, memory_mb: 1_024, sidecars: [{ name: 'proxy', image: 'r/p:1', env: [] }] }
  const sidecars = [{ name: 'proxy', image: 'r/p:1' }]
  it.each<[string, Settings, Settings]>([
    ['no secrets', { secrets: [] }, { secrets }],
    ['names of secrets only', { secrets: [{ name: 'K', value: '' }] }, { secrets }],
    ['placeholders', { secrets: [{ name: 'K', value: '***' }] }, { secrets }],
    ['no references', { secretReferences: [] }, { secretReferences: [reference] }],
    ['a part of a resource spec', { resourceSpec: { cpu: 1 } }, { resourceSpec: spec }],
    ['a sidecar without its empty list', { resourceSpec: { cpu: 1, sidecars } }, { resourceSpec: spec }],
  ])('takes nothing for a change if the list shows %s', async (_case, less, more) => {
    const current = { ...CONTAINER, settings: { ...image(1), ...more } }
    const listed = { ...current, settings: { ...image(1), ...less } }
    const scenario = { current, answers: { listDeployments: giving({ resources: [listed], offset: 1 }) } }
    const { outcome, names } = await rollOut({ pauses: [{}], scenario }, { settings: image(3) })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(names).not.toContain('changed-meanwhile')
  })

  it('reads by its id what a list shows with another value', async () => {
    const current = { ...CONTAINER, settings: { ...image(1), shareable: true } }
    const listed = { ...current, settings: { ...image(1), shareable: false } }
    const scenario = { current, answers: { listDeployments: giving({ resources: [listed], offset: 1 }) } }
    const { outcome, names } = await rollOut({ pauses: [{}, {}], scenario }, { settings: image(3) })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(names.filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })

  it.each<[string, Settings]>([
    ['another part of a resource spec', { resourceSpec: { cpu: 2 } }],
    ['another reference', { secretReferences: [{ ...reference, secretKey: 'theirs' }] }],
    ['an address no more', { customUrl: undefined }],
  ])('sees %s of another client, though it knows a list only', async (_case, settings) => {
    const before = { resourceSpec: { cpu: 1 }, secretReferences: [reference], customUrl: 'https://one.example' }
    const current = { ...CONTAINER, settings: { ...image(1), ...before } }
    const { names } = await rollOut({ pauses: [{ settings }], scenario: { current } }, { settings: image(3) })
    expect(names.filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })

  it('compares secrets between two reads that are no lists', async () => {
    const current = { ...CONTAINER, settings: { ...image(1), secrets } }
    const changed = { settings: { secrets: [{ name: 'K', value: 'w' }] } }
    const { outcome, names } = await rollOut({ pauses: [{}, changed], scenario: { current } }, { settings: image(3) })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(names).toContain('changed-meanwhile')
  })

  it('that has set something already goes on after a late activation, or its own PATCH', async () => {
    const before = { ...image(1), customUrl: 'https://one.example' }
    const current = { ...CONTAINER, latestRevisionId: 'earlier', settings: before }
    const busy = { pauses: [{ activeRevisionId: 'earlier' }], scenario: { current } }
    const { outcome, writes } = await rollOut(busy, { settings: { ...image(3), customUrl: 'https://two.example' } })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(writes).toEqual(['patch customUrl', 'revision-1'])
  })
})

describe('the action rollback', () => {
  const older = aRevision({ id: 'older', status: 'DEPLOYED', settings: image(0), createdAt: 2_000 })
  const oldest = aRevision({ id: 'oldest', status: 'DEPLOYED', settings: image(-1), createdAt: 1 })

  interface GoingBack {
    /** The input; by default, the previous revision. */
    revisionId?: string
    isListed?: boolean
    less?: Settings
    settings?: Settings
    target?: Target
  }
  async function goBack(
    pause: Partial<Deployment>,
    { revisionId, isListed = true, less, settings = {}, target = TARGET }: GoingBack = {},
  ) {
    const listed = [aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings: image(1) }), older, oldest]
    const shown = { latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID }
    const current = { ...CONTAINER, ...shown, settings: { ...CONTAINER.settings, ...settings } }
    const theirs = aRevision({ id: 'theirs', status: 'DEPLOYED', settings: image(2) })
    const scenario: Scenario = {
      current,
      revisions: { older, oldest, theirs, [OLD_REVISION_ID]: listed[0] ?? {} },
      answers: {
        ...(isListed && { listRevisions: giving(listed) }),
        ...(less && { listDeployments: giving({ resources: [{ ...current, settings: less }], offset: 1 }) }),
      },
    }
    const around = busyFor({ pauses: [pause, {}], scenario })
    const asked = { ...aRequest({ target }), revisionId, isStartedByHand: false }
    const outcome = await rollback(asked, { ...around.deps, isFirstAttempt: true })
    return { ...around, outcome }
  }

  it.each([{ revisionId: 'older' }, {}])('does not go over a newer revision (%j)', async (inputs) => {
    const { outcome, writes } = await goBack(THEIRS, inputs)
    expect(outcome).toEqual({ kind: 'superseded', by: 'theirs' })
    expect(writes).toEqual([])
  })

  it.each([
    ['listed', { isListed: true }],
    ['dated', { revisionId: 'older', isListed: false }],
  ])('does not go forward again after somebody has gone back further (%s)', async (_case, goingBack) => {
    const { outcome, writes } = await goBack({ activeRevisionId: 'oldest' }, goingBack)
    expect(outcome).toEqual({ kind: 'superseded', by: 'oldest' })
    expect(writes).toEqual([])
  })

  it('goes on if somebody has gone back to the same revision', async () => {
    const { outcome, writes } = await goBack({ activeRevisionId: 'older' })
    expect(outcome).toMatchObject({ kind: 'unchanged' })
    expect(writes).toEqual([])
  })

  it('reads by its id what a list shows with another value', async () => {
    const { outcome, events } = await goBack({}, { revisionId: 'older', less: { ...image(9), shareable: false } })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(namesOf(events).filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })

  it.each<[string, Target, number]>([
    ['read by its id', { kind: 'id', id: CONTAINER.id, confirm: CONTAINER.name }, 1],
    ['listed', TARGET, 0],
  ])(
    'compares the secrets of a deployment that it has read by its id, not those of a list (%s)',
    async (_case, target, changes) => {
      const theirs = { settings: { secrets: [{ name: 'K', value: 'w' }] } }
      const { outcome, events } = await goBack(theirs, { revisionId: 'older', settings: { secrets }, target })
      expect(outcome).toMatchObject({ kind: 'deployed' })
      expect(namesOf(events).filter((name) => name === 'changed-meanwhile')).toHaveLength(changes)
    },
  )

  it('goes back to the same revision after another change', async () => {
    const { outcome, sent, events } = await goBack({ activeRevisionId: 'theirs' })
    expect(outcome).toMatchObject({ kind: 'deployed' })
    expect(sent).toEqual(['r/i:0'])
    expect(namesOf(events).filter((name) => name === 'changed-meanwhile')).toHaveLength(1)
  })
})
