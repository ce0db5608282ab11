import { describe, expect, it } from '@jest/globals'
import { type ControlPlane, decorated } from '../../../src/control-plane/client.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import type { Repeated, RolloutEvent } from '../../../src/rollout/event.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { mayHaveMade, reportOthers } from '../../../src/rollout/watch/made-twice.ts'
import {
  aDeployment,
  aRevision,
  DEPLOYMENT_ID,
  fakeClock,
  aRequest,
  COMMIT,
  INTEGRATION_ID,
  OLD_REVISION_ID,
} from '../../builders.ts'
import { aRun } from '../../a-run.ts'
import { aControlPlane, refusedWith, aLostAnswer } from '../../control-plane-stub.ts'
import { rollout } from '../../../src/rollout/rollout.ts'
import { giving } from '../giving.ts'
import { setUp } from '../set-up.ts'

const before = aDeployment({ latestRevisionId: 'old' })

const { settings } = before

const revision = (id: string) => aRevision({ id, settings })

const draft = { name: 'agent', source: 'git_host', settings } as const

const created = { kind: 'deployment', draft, before: [], sinceFirstMs: 20_000, createdAt: undefined } as const

const DEPLOYED: RolloutOutcome = { kind: 'deployed', isConfirmed: true }

describe('a revision that serves after a lost write', () => {
  const revised: Repeated = { kind: 'revision', before, settings, sinceFirstMs: 0 }
  const known: Repeated = { ...created, before: [before] }
  it.each<[string, Repeated, string, boolean]>([
    ['a new one may be the result', revised, 'new', true],
    ['the latest one before is not', revised, 'old', false],
    ['the active one before is not', revised, OLD_REVISION_ID, false],
    ['that of a new deployment may be', created, 'new', true],
    ['that of a deployment which was there is not', known, 'new', false],
  ])('%s', (_case, lost, revisionId, expected) => {
    expect(mayHaveMade([lost], { deploymentId: DEPLOYMENT_ID, revisionId })).toBe(expected)
    expect(mayHaveMade([], { deploymentId: DEPLOYMENT_ID, revisionId })).toBe(false)
  })
})

/** What a run says that has watched the revision `first`. */
async function after(
  repeated: Repeated,
  calls: Partial<ControlPlane>,
  outcome = DEPLOYED,
  clock = fakeClock(),
  watched?: Revision,
) {
  const events: RolloutEvent[] = []
  const controlPlane = aControlPlane(calls)
  await reportOthers(
    { deploymentId: DEPLOYMENT_ID, revisionId: 'first', revision: watched, outcome, repeated: [repeated] },
    aRun({ controlPlane, clock, emit: (event) => void events.push(event) }),
  )
  return { events, slept: clock.slept }
}

/** A list that shows these revisions, the newest first. */
const listingOf = (...revisions: Revision[]): Partial<ControlPlane> => ({
  listRevisions: giving(revisions),
  getDeployment: giving(aDeployment({ latestRevisionId: revisions[0]?.id })),
})
const listing = (...ids: string[]): Partial<ControlPlane> => listingOf(...ids.map(revision))

describe('the end of a watch after a repeated write', () => {
  const repeated = { kind: 'revision', before, settings, sinceFirstMs: 20_000 } as const
  const twice = { kind: 'made-twice', what: 'revision' }
  const older = [revision('first'), revision('old')]
  const foreign = { ...revision('second'), settings: { ...settings, repoRef: 'other' } }

  it.each([
    ['is newer', ['second', 'first', 'old']],
    ['is older', ['first', 'second', 'old']],
    ['is there while the list lacks its own', ['second', 'old']],
  ])('keeps its own revision, and names another one that %s', async (_case, list) => {
    const { events } = await after(repeated, listing(...list))
    expect(events).toEqual([{ ...twice, ours: 'first', other: 'second' }])
  })

  it('names each of several others', async () => {
    const { events } = await after(repeated, listing('third', 'second', 'first', 'old'))
    expect(events.map((event) => 'other' in event && event.other)).toEqual(['third', 'second'])
  })

  it.each([
    ['newer', ['second', 'first', 'old']],
    ['older', ['first', 'second', 'old']],
  ])('keeps the revision that it has found without a repetition, and names one that is %s', async (_case, list) => {
    const { events } = await after({ ...repeated, isSentOnce: true }, listing(...list))
    expect(events).toEqual([{ ...twice, ours: 'first', other: 'second', isSentOnce: true }])
  })

  it('names nothing else that is new beside one that it has found without a repetition', async () => {
    const { events } = await after({ ...repeated, isSentOnce: true }, listingOf(foreign, ...older))
    expect(events).toEqual([])
  })

  it('doubts one of another configuration', async () => {
    const { events } = await after(repeated, listingOf(foreign, ...older))
    expect(events).toEqual([{ ...twice, ours: 'first', other: 'second', isDoubtful: true }])
  })

  it.each([
    ['reports another commit', ['b'.repeat(40)]],
    ['reports another commit later', [undefined, 'b'.repeat(40)]],
  ])('doubts one that %s', async (_case, commits) => {
    const built = (at: number) => ({ ...revision('second'), repoCommitSha: commits[Math.min(at, commits.length - 1)] })
    const calls = { ...listingOf(built(0), ...older), getRevision: giving(built(1)) }
    const { events } = await after({ ...repeated, commit: 'a'.repeat(40) }, calls)
    expect(events.filter(({ kind }) => kind === 'made-twice')).toEqual([
      { ...twice, ours: 'first', other: 'second', isDoubtful: true },
    ])
  })

  const dated = { ...revision('first'), createdAt: 100_000 }
  // The first attempt was sent 20 s before the repetition was answered.
  it.each<[string, number | undefined, string[]]>([
    ['ten minutes later', 700_000, []],
    ['when the lost one could act no more', 120_001, []],
    ['when the lost one could just act', 120_000, ['second']],
    ['at a time that is not reported', undefined, ['second']],
  ])('names a newer revision, or not, that was created %s', async (_case, createdAt, others) => {
    const calls = listingOf({ ...revision('second'), createdAt }, dated, revision('old'))
    const { events } = await after(repeated, calls, DEPLOYED, fakeClock(), dated)
    expect(events).toEqual(others.map((other) => ({ ...twice, ours: 'first', other })))
  })

  it.each([
    ['names', 78_000, ['second']],
    ['does not name', 77_999, []],
  ])('%s an older one of the %i th millisecond, with a first attempt at 80,000', async (_case, createdAt, others) => {
    const calls = listingOf(dated, { ...revision('second'), createdAt }, revision('old'))
    const { events } = await after(repeated, calls, DEPLOYED, fakeClock(), dated)
    expect(events.map((event) => 'other' in event && event.other)).toEqual(others)
  })

  it('says nothing if there is only one', async () => {
    expect(await after(repeated, listing('first', 'old'))).toEqual({ events: [], slept: [] })
  })

  it('waits for a lagging replica to show the revision by which it is superseded', async () => {
    const newer = revision('second')
    const calls = { ...listingOf(newer), listRevisions: giving(older, older, [newer, ...older]) }
    const { events } = await after(repeated, calls, { kind: 'superseded', by: 'second' })
    expect(events).toEqual([{ ...twice, ours: 'first', other: 'second' }])
  })

  it.each([
    ['four reads', 0, [2_000, 2_000, 2_000]],
    ['30 seconds', 30_000, []],
  ])('does not wait for it longer than %s', async (_case, durationOfRead, slept) => {
    const clock = fakeClock()
    const listRevisions = async (): Promise<Revision[]> => {
      clock.advance(durationOfRead)
      return await Promise.resolve(older)
    }
    const superseded: RolloutOutcome = { kind: 'superseded', by: 'second' }
    const { slept: pauses } = await after(repeated, { ...listingOf(...older), listRevisions }, superseded, clock)
    expect(pauses).toEqual(slept)
  })

  it('says nothing of what cannot be read', async () => {
    const fails = giving(refusedWith(500))
    const calls = { listRevisions: fails, getDeployment: fails, listDeployments: fails }
    for (const written of [repeated, created]) expect(await after(written, calls)).toEqual({ events: [], slept: [] })
  })

  it('sends no request after a time-out', async () => {
    expect(await after(repeated, {}, { kind: 'timed-out', lastTrouble: undefined })).toEqual({ events: [], slept: [] })
  })

  const other = aDeployment({ id: 'other' })
  const listed = (...resources: Deployment[]) => ({ listDeployments: giving({ resources, offset: 2 }) })

  it('names the other deployment of a create', async () => {
    const { events } = await after(created, listed(other, aDeployment()))
    expect(events).toEqual([{ kind: 'made-twice', what: 'deployment', ours: DEPLOYMENT_ID, other: 'other' }])
    expect((await after(created, listed(aDeployment()))).events).toEqual([])
  })

  it.each<[string, Partial<Deployment>, string | undefined]>([
    ['it was created ten minutes later', { createdAt: 700_000 }, undefined],
    ['it builds another commit', {}, 'b'.repeat(40)],
  ])('does not name another deployment if %s', async (_case, over, repoCommitSha) => {
    const getRevision: ControlPlane['getRevision'] = async (_id, id) =>
      await Promise.resolve(aRevision({ id, status: 'DEPLOYED', repoCommitSha }))
    const calls = { ...listed({ ...other, ...over }, aDeployment()), getRevision }
    const { events } = await after({ ...created, createdAt: 100_000, commit: 'a'.repeat(40) }, calls)
    expect(events.filter(({ kind }) => kind === 'made-twice')).toEqual([])
  })

  it('does not name one that was there before', async () => {
    const { events } = await after({ ...created, before: [other] }, listed(other, aDeployment()))
    expect(events).toEqual([])
  })
})

const OTHER_COMMIT = 'f'.repeat(40)

const SETTINGS = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }

const SECRETS = [{ name: 'KEY', value: 'ours' }]

const CONFIG = { repoRef: 'main', appConfigPath: 'app.json' }

/** By the server's clock. */
const AT = 1_000_000

interface Colleague {
  /** How long after ours the colleague's revision was created. */
  laterMs: number
  /** What it reports to build, while it is under way and at its end. */
  commits: readonly [string | undefined, string | undefined]
}

/** A rollout whose first POST is lost and whose second one makes `first`. A colleague makes `second`, which replaces it. */
async function run({ laterMs, commits }: Colleague) {
  let posts = 0
  const first = aRevision({ id: 'first', settings: CONFIG, createdAt: AT, repoCommitSha: COMMIT })
  const second = { ...first, id: 'second', createdAt: AT + laterMs, repoCommitSha: commits[0] }
  const building = { ...second, status: 'BUILDING' }
  const ended = { ...second, status: 'DEPLOYED', repoCommitSha: commits[1] }
  const readSecond = giving(building, building, building, building, building, ended)
  const isMade = () => posts > 1
  const latest = () => (isMade() ? 'second' : OLD_REVISION_ID)
  const settings = { ...SETTINGS, secrets: SECRETS }
  const started = setUp({
    current: aDeployment(),
    answers: {
      createRevision: async () => await (++posts === 1 ? Promise.reject(aLostAnswer()) : Promise.resolve(first)),
      listRevisions: async () =>
        await Promise.resolve([...(isMade() ? [second, first] : []), aRevision({ id: OLD_REVISION_ID })]),
      getRevision: async (_id, id) => (id === 'first' ? { ...first, status: 'DEPLOYED' } : await readSecond()),
      getDeployment: async () =>
        await Promise.resolve(aDeployment({ latestRevisionId: latest(), activeRevisionId: latest() })),
    },
  })
  const outcome = await rollout(aRequest({ source: 'git_host', settings }), started.deps)
  const last = started.events.findLast(({ kind }) => kind === 'status')
  return { ...started, posts, outcome, last: last?.kind === 'status' ? last.revision.id : undefined }
}

const SUPERSEDED = { kind: 'superseded', by: 'second' }

const TWICE = { kind: 'made-twice', what: 'revision' }

describe('a rollout that has sent a lost write again', () => {
  it("is superseded by a colleague's revision of ten minutes later, though nothing else distinguishes it", async () => {
    const { outcome, events, last } = await run({ laterMs: 600_000, commits: [undefined, undefined] })
    expect(outcome).toEqual(SUPERSEDED)
    expect(last).toBe('first')
    expect(events.filter(({ kind }) => kind === 'made-twice')).toEqual([])
  })

  it.each<[string, Colleague['commits'], object]>([
    ['reports no commit', [undefined, undefined], {}],
    ['turns out to build another commit', [undefined, OTHER_COMMIT], { isDoubtful: true }],
  ])('is superseded by one of the same time that %s, and names both', async (_case, commits, twice) => {
    const { outcome, events, last, posts } = await run({ laterMs: 5_000, commits })
    expect(outcome).toEqual(SUPERSEDED)
    expect(last).toBe('first')
    expect(posts).toBe(2)
    expect(events).toContainEqual({ ...TWICE, ours: 'first', other: 'second', ...twice })
    expect(events.map(({ kind }) => kind)).not.toContain('secrets-uncompared')
  })
})

describe('a rollout that has found the revision of a lost write at once', () => {
  it('names another one that the control plane makes later, and keeps its own', async () => {
    let sentAt = Infinity
    let posts = 0
    const made = (id: string, createdAt: number) =>
      aRevision({ id, status: 'DEPLOYED', settings: CONFIG, createdAt, repoCommitSha: COMMIT })
    const [second, first] = [made('second', AT + 8_000), made('first', AT)]
    const { deps, clock, events } = setUp({
      current: aDeployment(),
      answers: {
        createRevision: async () => {
          posts += 1
          sentAt = clock.now()
          return await Promise.reject(aLostAnswer())
        },
        listRevisions: async () => {
          const shown = clock.now() < sentAt ? [] : clock.now() < sentAt + 8_000 ? [first] : [second, first]
          return await Promise.resolve([...shown, aRevision({ id: OLD_REVISION_ID })])
        },
        getRevision: async (_id, id) => await Promise.resolve(id === 'second' ? second : first),
        getDeployment: async () => {
          const latestRevisionId = clock.now() < sentAt + 8_000 ? 'first' : 'second'
          const activeRevisionId = clock.now() < sentAt + 4_000 ? OLD_REVISION_ID : latestRevisionId
          return await Promise.resolve(aDeployment({ latestRevisionId, activeRevisionId }))
        },
      },
    })
    // A watch goes on for a while.
    const controlPlane = decorated(deps.controlPlane, (inner) => ({
      getDeployment: async (id) => {
        if (clock.now() > sentAt) await clock.sleep(5_000, deps.signal)
        return await inner.getDeployment(id)
      },
    }))
    const outcome = await rollout(aRequest({ source: 'git_host', settings: SETTINGS }), { ...deps, controlPlane })
    expect(outcome).toMatchObject({ kind: 'superseded', by: 'second' })
    expect(posts).toBe(1)
    expect(events.filter(({ kind }) => kind === 'applied')).toMatchObject([{ revisionId: 'first', isFound: true }])
    expect(events).toContainEqual({ ...TWICE, ours: 'first', other: 'second', isSentOnce: true })
  })
})
