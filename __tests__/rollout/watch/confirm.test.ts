import { describe, expect, it, jest } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import {
  confirmAgain,
  confirmationTime,
  confirmEnd,
  type ConfirmedRevision,
  ageInList,
  isOlder as isOlderThan,
  supersededBy,
} from '../../../src/rollout/watch/confirm.ts'
import { attachToLatest, LastSeen } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRevision, fakeClock, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { aRun } from '../../a-run.ts'
import { aBrokenAnswer, refusedWith, aControlPlane } from '../../control-plane-stub.ts'
import { giving } from '../giving.ts'
import { setUp } from '../set-up.ts'
import { ageByDate } from '../../../src/rollout/read/age.ts'

const NEWER = '99999999-9999-4999-8999-999999999999'

/** What the end of a revision means to a run with this control plane, half a minute before its deadline. */
async function meaningOf(ended: Revision, answers: Partial<ControlPlane>, over: Partial<ConfirmedRevision> = {}) {
  const { deps, clock, events } = setUp({ answers, deadline: 30_000 })
  const about = { ...attachToLatest(aDeployment(), ended), before: aDeployment(), reportsActive: true, ...over }
  return { outcome: await confirmEnd(ended, about, deps), waited: clock.now(), events }
}

interface Confirming {
  created?: { ours: number; other: number }
  reportsActive?: boolean
}

async function confirm(
  status: string,
  shown: Partial<Deployment>[],
  { created = { ours: 1000, other: 2000 }, reportsActive = true }: Confirming = {},
) {
  return await meaningOf(
    aRevision({ status, createdAt: created.ours }),
    {
      getDeployment: giving(...shown.map((one) => aDeployment(one))),
      getRevision: giving(aRevision({ id: NEWER, createdAt: created.other })),
    },
    { reportsActive },
  )
}

const DEPLOYED: RolloutOutcome = { kind: 'deployed', isConfirmed: true }
const SUPERSEDED: RolloutOutcome = { kind: 'superseded', by: NEWER }
const LATER = { latestRevisionId: NEWER }

describe('confirmEnd', () => {
  const OURS = { activeRevisionId: REVISION_ID }
  const OLD = { activeRevisionId: OLD_REVISION_ID }
  const THEIRS = { activeRevisionId: NEWER }
  const NONE = { activeRevisionId: null }
  const UNKNOWN = { activeRevisionId: undefined }
  const stillLatest = { latestRevisionId: REVISION_ID }
  const failed = (kind: 'nothing-active' | 'active-unknown') => ({ kind: 'failed', because: { kind } })

  it.each<[string, Partial<Deployment>[], object, number]>([
    ['reports deployed when our revision is the active one', [OURS], DEPLOYED, 0],
    ['waits until the deployment agrees', [OLD, NONE, OURS], DEPLOYED, 4_000],
    ['does so while a newer one is under way', [OLD, NONE, OURS].map((one) => ({ ...one, ...LATER })), DEPLOYED, 4_000],
    ['never reports deployed while a newer one is active', [THEIRS], SUPERSEDED, 0],
    ['is superseded as soon as a newer one is active', [OLD, { ...THEIRS, ...LATER }], SUPERSEDED, 2_000],
    ['never reports deployed while an older one stays', [OLD], { kind: 'superseded', by: OLD_REVISION_ID }, 30_000],
    ['fails when no revision is active in the end', [NONE], failed('nothing-active'), 30_000],
    ['fails when the responses lack the active one in the end', [UNKNOWN], failed('active-unknown'), 30_000],
  ])('%s', async (_case, shown, outcome, waited) => {
    expect(await confirm('DEPLOYED', shown)).toMatchObject({ outcome, waited })
  })

  it('waits some seconds for the newer revision that ended ours', async () => {
    const ended = await confirm('SKIPPED', [stillLatest, stillLatest, LATER])
    expect(ended).toMatchObject({ outcome: SUPERSEDED, waited: 4_000 })
  })

  it('waits while the active revision is older than ours, created between our read and our write', async () => {
    const { outcome } = await confirm('DEPLOYED', [THEIRS, OURS], { created: { ours: 2_000, other: 1_000 } })
    expect(outcome).toEqual(DEPLOYED)
  })

  it('reads nothing where the answer before the last read had our revision as the active one', async () => {
    const seen = aDeployment({ activeRevisionId: REVISION_ID.toUpperCase() })
    const unexpected = { getDeployment: giving(new Error('a read')) }
    const { outcome } = await meaningOf(aRevision({ status: 'DEPLOYED' }), unexpected, { seen })
    expect(outcome).toEqual(DEPLOYED)
  })

  it.each([
    ['DEPLOYED', { kind: 'awaiting', until: 'activation', forMs: 30_000 }],
    ['SKIPPED', { kind: 'awaiting', until: 'successor', forMs: 6_000 }],
    ['INTERRUPTED', { kind: 'awaiting', until: 'successor', forMs: 6_000 }],
  ])('says once for how long a %s revision waits for the deployment', async (status, event) => {
    const { events } = await confirm(status, [{ activeRevisionId: OLD_REVISION_ID }])
    expect(events).toEqual([event])
  })

  it('says nothing when it need not wait', async () => {
    expect((await confirm('DEPLOYED', [{ activeRevisionId: REVISION_ID }])).events).toEqual([])
  })

  it('reports an unconfirmed success when the control plane never reports the active revision', async () => {
    const { outcome } = await confirm('DEPLOYED', [UNKNOWN], { reportsActive: false })
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: false })
  })

  it.each<[string, Partial<Deployment>[], boolean]>([
    ['before', [UNKNOWN, OURS], true],
    ['meanwhile, as null', [NONE, UNKNOWN, OURS], false],
  ])('reads on when a response lacks the active revision, which was reported %s', async (_when, answers, reported) => {
    const { outcome, waited } = await confirm('DEPLOYED', answers, { reportsActive: reported })
    expect(outcome).toEqual(DEPLOYED)
    expect(waited).toBe(2000 * (answers.length - 1))
  })

  it.each(['CREATE_FAILED', 'BUILD_FAILED', 'DEPLOY_FAILED'])('%s is a failure', async (status) => {
    expect((await confirm(status, [])).outcome).toEqual({ kind: 'failed', because: { kind: 'revision' } })
  })

  it.each<[string, RolloutOutcome]>([
    ['SKIPPED', { kind: 'skipped', because: 'revision' }],
    ['INTERRUPTED', { kind: 'interrupted' }],
  ])('%s is superseded by a newer revision only', async (status, own) => {
    expect((await confirm(status, [LATER])).outcome).toEqual(SUPERSEDED)
    expect((await confirm(status, [stillLatest])).outcome).toEqual(own)
    // A lagging replica still reports the revision before ours.
    expect((await confirm(status, [{ latestRevisionId: OLD_REVISION_ID }])).outcome).toEqual(own)
  })
})

describe('confirmEnd, when the deployment cannot be read', () => {
  const unreachable = new UnreachableError({ attempted: 'read', cameBack: 'GET answered 500', hint: 'later' })
  const active = aDeployment({ activeRevisionId: REVISION_ID })
  const unknown = { kind: 'failed', because: { kind: 'active-unknown', trouble: 'GET answered 500' } }
  const missing = refusedWith(404)

  /** The outcome after these answers, the last of which stays. `reads`: how many. */
  async function confirmUnread(answers: (Deployment | Error)[], status = 'DEPLOYED', before?: Deployment) {
    const getDeployment = jest.fn(giving(...answers))
    const calls = { getDeployment, getRevision: giving(aRevision({ id: NEWER })) }
    const { outcome } = await meaningOf(aRevision({ status }), calls, { reportsActive: false, before })
    return { outcome, reads: getDeployment.mock.calls.length }
  }

  it.each<[string, Error[]]>([
    ['reads that fail', [unreachable, unreachable]],
    ['an answer that breaks the contract', [aBrokenAnswer()]],
    ['a 404', [refusedWith(404)]],
  ])('reads again after %s, and reports deployed when a read shows it', async (_case, failures) => {
    expect((await confirmUnread([...failures, active])).outcome).toEqual(DEPLOYED)
  })

  it('does not read again after a refusal', async () => {
    const refusal = refusedWith(403)
    await expect(confirmUnread([refusal, active])).rejects.toBe(refusal)
  })

  it('fails in the end, and keeps why the active revision is unknown', async () => {
    expect((await confirmUnread([unreachable])).outcome).toEqual(unknown)
  })

  it.each([
    [3, OLD_REVISION_ID],
    [15, OLD_REVISION_ID],
    [15, null],
  ])('says nothing of what the deployment showed if it cannot be read after %i reads: %s', async (good, shown) => {
    const answers = Array.from({ length: good }, () => aDeployment({ activeRevisionId: shown }))
    // It may have become active since.
    const ended = await confirmUnread([...answers, unreachable], 'DEPLOYED', aDeployment())
    expect(ended).toEqual({ outcome: unknown, reads: 16 })
  })

  it.each<[string, (Deployment | Error)[], object, number]>([
    ['it is missing for 10 s', [missing], { kind: 'failed', because: { kind: 'deleted' } }, 6],
    [
      'that lasts, and not before',
      [missing, missing, missing, missing, missing, unreachable, missing, active],
      DEPLOYED,
      8,
    ],
  ])('counts the deployment as deleted when %s', async (_case, answers, outcome, reads) => {
    expect(await confirmUnread(answers)).toEqual({ outcome, reads })
  })

  it('says which later revision was active, whatever could not be read before', async () => {
    const answers = [unreachable, unreachable, unreachable, aDeployment({ activeRevisionId: NEWER })]
    expect((await confirmUnread(answers, 'DEPLOYED', aDeployment())).outcome).toEqual(SUPERSEDED)
  })

  it('reports a skipped revision although the deployment cannot be read', async () => {
    expect((await confirmUnread([unreachable], 'SKIPPED')).outcome).toEqual({ kind: 'skipped', because: 'revision' })
  })
})

describe('a revision that is DEPLOYED while the active one cannot be read', () => {
  it.each<[string, Error]>([
    ['it is missing', refusedWith(404)],
    ['its response is broken', aBrokenAnswer()],
  ])('is not superseded at once because %s', async (_case, error) => {
    const another = aDeployment({ activeRevisionId: NEWER, ...LATER })
    const ours = aDeployment({ activeRevisionId: REVISION_ID })
    const ended = aRevision({ status: 'DEPLOYED', createdAt: 1_000 })
    const meaning = async (...shown: Deployment[]) =>
      await meaningOf(ended, { getDeployment: giving(...shown), getRevision: giving(error) })
    expect((await meaning(another, another, ours)).outcome).toEqual(DEPLOYED)
    // The other one stays active until the time is over.
    expect((await meaning(another)).outcome).toEqual(SUPERSEDED)
  })
})

describe('the time to confirm that a DEPLOYED revision is active', () => {
  it.each([
    { left: 600_000, time: 30_000 },
    { left: 30_000, time: 30_000 },
    { left: 12_000, time: 12_000 },
    { left: 5_000, time: 5_000 },
    // A revision that was DEPLOYED in time must not fail because this was seen at the last moment.
    { left: 4_999, time: 5_000 },
    { left: 0, time: 5_000 },
    { left: -10_000, time: 5_000 },
  ])('is $time ms when $left ms are left of the run', ({ left, time }) => {
    const clock = fakeClock()
    clock.advance(100_000)
    expect(confirmationTime(aRun({ clock, deadline: clock.now() + left }))).toBe(time)
  })
})

describe('confirmAgain', () => {
  const refused = refusedWith(401)

  /** What holds of a confirmed revision after these answers, the last of which stays. */
  async function after(...answers: (Deployment | Error)[]) {
    const { deps } = setUp({ answers: { getDeployment: giving(...answers) } })
    const revision = aRevision({ status: 'DEPLOYED' })
    const watched = attachToLatest(aDeployment(), revision)
    const ended = { ...watched, revision, outcome: DEPLOYED, lastPhase: undefined, shownLogs: [] }
    return await confirmAgain(ended, new LastSeen(watched, deps.controlPlane), deps)
  }

  it('keeps what was confirmed if the deployment cannot be read any more', async () => {
    expect(await after(refused)).toEqual(DEPLOYED)
  })

  it('does not keep it if the last answer shows none as active, and none follows', async () => {
    await expect(after(aDeployment({ activeRevisionId: null }), refused)).rejects.toBe(refused)
  })
})

const before = aDeployment({ latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID })

interface Superseding {
  /** When our revision and the other one were created. */
  created?: { ours: number; other: number | undefined }
  getRevision?: () => Promise<Revision>
  /** What a revision that cannot be read counts as. */
  unreadable?: 'older' | 'newer'
  list?: Revision[]
  /** What the second read of the deployment shows; `unreadable`: nothing. */
  later?: Partial<Deployment> | 'unreadable'
  deadline?: number
  clock?: ReturnType<typeof fakeClock>
}

async function superseded(
  reported: Partial<Deployment>,
  {
    created: { ours, other } = { ours: 1000, other: 2000 },
    getRevision,
    unreadable = 'older',
    list,
    later,
    deadline = 60_000,
    clock = fakeClock(),
  }: Superseding = {},
): Promise<string | undefined> {
  return await supersededBy(aRevision({ createdAt: ours }), aDeployment(reported), {
    before,
    unreadable,
    clock,
    signal: new AbortController().signal,
    deadline,
    controlPlane: aControlPlane({
      listRevisions: giving(list ?? refusedWith(404)),
      getDeployment: giving(later === 'unreadable' ? refusedWith(500) : aDeployment({ ...reported, ...later })),
      getRevision: getRevision ?? giving(aRevision({ id: NEWER, createdAt: other })),
    }),
  })
}

describe('supersededBy', () => {
  it('returns a newer latest revision, or another active one', async () => {
    expect(await superseded({ latestRevisionId: NEWER })).toBe(NEWER)
    expect(await superseded({ latestRevisionId: REVISION_ID, activeRevisionId: NEWER })).toBe(NEWER)
  })

  it.each<[string, Partial<Deployment>]>([
    ['ours is both', { latestRevisionId: REVISION_ID, activeRevisionId: REVISION_ID }],
    ['no revision is active', { latestRevisionId: REVISION_ID, activeRevisionId: null }],
    ['a replica lags behind', { latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID }],
    ['neither is reported', { latestRevisionId: undefined, activeRevisionId: undefined }],
  ])('returns undefined when %s', async (_case, reported) => {
    expect(await superseded(reported)).toBeUndefined()
  })

  it('ignores a revision that was created between our read and our write, by the clock of the server', async () => {
    expect(await superseded({ activeRevisionId: NEWER }, { created: { ours: 1000, other: 999 } })).toBeUndefined()
    expect(await superseded({ activeRevisionId: NEWER }, { created: { ours: 1000, other: 2000 } })).toBe(NEWER)
    expect(await superseded({ activeRevisionId: NEWER }, { created: { ours: 1000, other: 1000 } })).toBeUndefined()
  })

  it('takes the latest revision for the newer one where it cannot date them', async () => {
    expect(await superseded({ latestRevisionId: NEWER }, { created: { ours: 1000, other: undefined } })).toBe(NEWER)
    const isActiveOnly = { latestRevisionId: REVISION_ID, activeRevisionId: NEWER }
    expect(await superseded(isActiveOnly, { created: { ours: 1000, other: undefined } })).toBeUndefined()
  })

  it('counts a revision that cannot be read as the caller asks', async () => {
    const trouble = { attempted: 'read', cameBack: '500', hint: 'wait' }
    const failing = giving(new UnreachableError(trouble))
    expect(await superseded({ latestRevisionId: NEWER }, { getRevision: failing })).toBeUndefined()
    expect(await superseded({ latestRevisionId: NEWER }, { getRevision: failing, unreadable: 'newer' })).toBe(NEWER)
  })

  it('passes on an error of our own', async () => {
    const failing = giving(new TypeError('a mistake'))
    await expect(superseded({ latestRevisionId: NEWER }, { getRevision: failing })).rejects.toThrow('a mistake')
  })

  const listed = (...ids: string[]): Revision[] => ids.map((id) => aRevision({ id }))
  const latest = { latestRevisionId: NEWER }
  const isOlder = { ours: 2_000, other: 1_000 }

  it('believes the order of the list, not the dates', async () => {
    const newerFirst = listed(NEWER, REVISION_ID, OLD_REVISION_ID)
    const oursFirst = listed(REVISION_ID, NEWER, OLD_REVISION_ID)
    const none = giving(new Error('not expected'))
    expect(await superseded(latest, { created: isOlder, getRevision: none, list: newerFirst })).toBe(NEWER)
    expect(await superseded(latest, { getRevision: none, list: oursFirst })).toBeUndefined()
    expect(
      await superseded({ activeRevisionId: NEWER }, { getRevision: none, unreadable: 'newer', list: oursFirst }),
    ).toBeUndefined()
  })

  it('takes no revision for older by a list that lacks the other one', async () => {
    const stub = (list: Revision[], createdAt: number) =>
      aControlPlane({ listRevisions: giving(list), getRevision: giving(aRevision({ id: NEWER, createdAt })) })
    const older = async (list: Revision[], createdAt: number): Promise<boolean> =>
      await isOlderThan(NEWER, aRevision({ createdAt: 1_000 }), 'd', stub(list, createdAt))
    expect(await older(listed(NEWER), 2_000)).toBe(false)
    expect(await older(listed(NEWER), 500)).toBe(true)
    expect(await older(listed(REVISION_ID, NEWER), 2_000)).toBe(true)
  })

  it('believes no list in another order', async () => {
    const [older, newer] = [aRevision({ id: NEWER, createdAt: 1_000 }), aRevision({ createdAt: 2_500 })]
    const list = [older, newer]
    expect(await superseded(latest, { created: isOlder, list })).toBeUndefined()
    const undated = listed(OLD_REVISION_ID, NEWER, REVISION_ID)
    expect(await superseded(latest, { created: isOlder, list: undated })).toBeUndefined()
  })

  it('reads the deployment again before it believes an undated latest revision', async () => {
    const undated = { ours: 1_000, other: 1_000 }
    expect(await superseded(latest, { created: undated })).toBe(NEWER)
    const later = { latestRevisionId: REVISION_ID }
    expect(await superseded(latest, { created: undated, later })).toBeUndefined()
  })

  it.each([
    ['seven seconds', 60_000, [7_000]],
    ['the time that is left', 5_000, [5_000]],
    ['no less than two seconds', 2_000, [2_000]],
    ['and not at all if less is left', 1_999, []],
  ])('reads it again after %s', async (_case, deadline, slept) => {
    const clock = fakeClock()
    await superseded(latest, { created: { ours: 1_000, other: 1_000 }, deadline, clock })
    expect(clock.slept).toEqual(slept)
  })

  it('counts it as the caller asks if it cannot be read again', async () => {
    const [undated, later] = [{ ours: 1_000, other: 1_000 }, 'unreadable' as const]
    expect(await superseded(latest, { created: undated, later })).toBeUndefined()
    expect(await superseded(latest, { created: undated, unreadable: 'newer', later })).toBe(NEWER)
  })

  it('leaves the order open of an undated active revision, and of an undated one at the deadline', async () => {
    const undated = { ours: 1_000, other: 1_000 }
    const isActiveOnly = { latestRevisionId: REVISION_ID, activeRevisionId: NEWER }
    expect(await superseded(isActiveOnly, { created: undated, later: latest })).toBeUndefined()
    expect(await superseded(latest, { created: undated, deadline: 1_000 })).toBeUndefined()
    expect(await superseded(latest, { created: undated, unreadable: 'newer', deadline: 1_000 })).toBe(NEWER)
  })

  it('knows ids in any letter case', async () => {
    expect(await superseded({ latestRevisionId: 'ABC' }, { unreadable: 'newer' })).toBe('ABC')
    const known = { latestRevisionId: OLD_REVISION_ID.toUpperCase(), activeRevisionId: REVISION_ID.toUpperCase() }
    expect(await superseded(known)).toBeUndefined()
  })
})

describe('the age of a revision beside ours', () => {
  it.each([
    { ids: ['other', 'ours'], age: 'newer' },
    { ids: ['OTHER', 'OURS'], age: 'newer' },
    { ids: ['ours', 'other'], age: 'older' },
    { ids: ['ours'], age: 'unknown' },
    { ids: [], age: 'unknown' },
    { ids: ['other'], age: 'older' },
    { ids: ['ours', 'other', ...Array.from({ length: 18 }, (_, n) => `r${n}`)], age: 'older' },
    { ids: ['other', ...Array.from({ length: 19 }, (_, n) => `r${n}`)], age: 'unknown' },
  ] as const)('is $age in the list $ids', ({ ids, age }) => {
    expect(ageInList('other', 'ours', ids)).toBe(age)
  })

  it.each([
    { other: 2_000, ours: 1_000, age: 'newer' },
    { other: 1_000, ours: 2_000, age: 'older' },
    { other: 1_000, ours: 1_000, age: 'unknown' },
    { other: 1_500, ours: 1_000, age: 'unknown' },
    { other: 1_000, ours: 1_500, age: 'unknown' },
    { other: 1_501, ours: 1_500, age: 'newer' },
    { other: 1_500, ours: 1_500, age: 'unknown' },
    { other: undefined, ours: 1_000, age: 'unknown' },
    { other: 1_000, ours: undefined, age: 'unknown' },
  ] as const)('is $age by the dates $other and $ours', ({ other, ours, age }) => {
    expect(ageByDate(other, ours)).toBe(age)
  })
})

const FAILED = '88888888-8888-4888-8888-888888888888'

/** Before our rollout the old revision was active, and a later one had failed. */
const afterFailure = aDeployment({ activeRevisionId: OLD_REVISION_ID, latestRevisionId: FAILED })

/** Which revision supersedes ours, and which revisions were read to find that out. */
async function find(named: Pick<Deployment, 'activeRevisionId' | 'latestRevisionId'>, createdAt = 2_000) {
  const reads: string[] = []
  let lists = 0
  const by = await supersededBy(aRevision({ createdAt: 1_000 }), aDeployment(named), {
    before: afterFailure,
    unreadable: 'newer',
    clock: fakeClock(),
    signal: new AbortController().signal,
    deadline: 60_000,
    controlPlane: aControlPlane({
      listRevisions: () => {
        lists += 1
        return Promise.reject(refusedWith(404))
      },
      getRevision: (_deploymentId, id) => {
        reads.push(id)
        return Promise.resolve(aRevision({ id, createdAt }))
      },
    }),
  })
  return { by, reads, lists }
}

describe('the search for a revision that supersedes ours', () => {
  const waiting = { activeRevisionId: OLD_REVISION_ID, latestRevisionId: REVISION_ID }

  it('does not read the revision that was active before: it is older', async () => {
    expect(await find(waiting)).toEqual({ by: undefined, reads: [], lists: 0 })
  })

  it('does not read the revision that was the latest before: it is older', async () => {
    expect(await find({ ...waiting, latestRevisionId: FAILED })).toEqual({ by: undefined, reads: [], lists: 0 })
  })

  it('reads a revision once that is both the latest and the active one', async () => {
    const both = { activeRevisionId: NEWER, latestRevisionId: NEWER }
    expect(await find(both)).toEqual({ by: NEWER, reads: [NEWER], lists: 1 })
    expect(await find(both, 500)).toEqual({ by: undefined, reads: [NEWER], lists: 1 })
  })

  it('reads each of two revisions that were not known before', async () => {
    const { reads } = await find({ activeRevisionId: 'one', latestRevisionId: 'two' }, 500)
    expect(reads.toSorted()).toEqual(['one', 'two'])
  })
})
