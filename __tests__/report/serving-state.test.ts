import { describe, expect, it } from '@jest/globals'
import type { Final, RolloutRecord } from '../../src/report/record.ts'
import { rowOutputs } from '../../src/report/row.ts'
import { foldFacts } from '../../src/report/fold-serving.ts'
import { isCurrent, NO_FACTS, type ServingFacts } from '../../src/report/serving-facts.ts'
import { servingSentence, servingState } from '../../src/report/serving-state.ts'
import { HIDDEN } from '../../src/report/typed-fields.ts'
import type { RunEvent } from '../../src/report/record.ts'
import type { Rollback, RolloutEvent } from '../../src/rollout/event.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import { aDeployment, aRecord, aRevision, COMMIT, DEPLOYMENT_ID, OLD_REVISION_ID, REVISION_ID } from '../builders.ts'
import {
  NOTHING_LEFT,
  notPossible,
  RESTORED,
  REVISION_FAILED,
  ROLLBACK_ERROR,
  TIMED_OUT,
  UNVERIFIED,
} from './a-record.ts'

const at = (seconds: number): number => Date.UTC(2026, 10, 27, 2, 14, seconds)
const OLD = { id: OLD_REVISION_ID, origin: 'main@0000000', commit: '0'.repeat(40) }
const NEW = { id: REVISION_ID, origin: 'main@1111111', commit: '1'.repeat(40) }
const facts = (over: Partial<ServingFacts>): ServingFacts => ({ isRead: true, origins: [OLD, NEW], ...over })
const reading = (revisionId: string | null, seconds: number) => ({ revisionId, at: at(seconds) })

const OLD_SERVES = 'Serves (as of 02:14:00 UTC): main@0000000, revision b3333333.'
const NEW_SERVES = 'Serves (as of 02:14:05 UTC): main@1111111, revision a2222222.'
const NOT_READ = 'What serves is unknown: the run ended before it read the deployment.'
const NOT_REPORTED = 'What serves is unknown: the control plane does not report which revision is active.'
const NOT_SINCE =
  'What serves is unknown: the run has not read it since its last write. Before that, at 02:14:00 UTC, main@0000000, revision b3333333 served.'
const NEW_DEPLOYMENT =
  'Nothing serves (as of 02:14:02 UTC): the deployment is new, and no revision of it is active yet.'
const FIRST_FAILED = 'Nothing serves (as of 02:14:02 UTC): the first revision failed.'

/** What a run has read. `plan`: before its write, at second 2. `last`: after it. `lost`: the write was lost, and not read. */
const READS = {
  never: [{ servingFacts: NO_FACTS, change: 'none', revisionId: undefined }],
  plan: [{ servingFacts: facts({ active: reading(OLD_REVISION_ID, 0), writtenAt: at(2) }) }],
  last: [{ servingFacts: facts({ active: reading(REVISION_ID, 5), writtenAt: at(2) }) }],
  unreported: [{ servingFacts: facts({ writtenAt: at(2) }) }],
  created: [{ change: 'created', servingFacts: facts({ active: reading(null, 2), writtenAt: at(2) }) }],
  lost: [{ hasLostWrite: true, servingFacts: facts({ active: reading(OLD_REVISION_ID, 0), writtenAt: at(3) }) }],
} as const satisfies Record<string, readonly [Partial<Final<RolloutRecord>>]>

const REFUSED = { kind: 'failed', because: { kind: 'error', error: new Error('refused') } } as const

type Expected = Record<keyof typeof READS, string>
const MAY_SERVE: Expected = {
  ...{ never: NOT_READ, plan: NOT_SINCE, last: NEW_SERVES },
  ...{ unreported: NOT_REPORTED, created: NEW_DEPLOYMENT, lost: NOT_SINCE },
}
/** A revision that has failed replaces none. */
const HAS_FAILED: Expected = { ...MAY_SERVE, plan: OLD_SERVES, lost: OLD_SERVES, created: FIRST_FAILED }
const rejecting = (sentence: string): string => `${sentence} Rejected: main@1111111, revision a2222222.`
const ROLLED_BACK: Expected = {
  never: NOT_READ,
  plan: rejecting(NOT_SINCE),
  last: rejecting(NEW_SERVES),
  unreported: rejecting(NOT_REPORTED),
  created: rejecting(NEW_DEPLOYMENT),
  lost: rejecting(NOT_SINCE),
}

const TABLE: readonly [RolloutOutcome, Expected][] = [
  [{ kind: 'deployed', isConfirmed: true }, MAY_SERVE],
  [{ kind: 'started' }, MAY_SERVE],
  [{ kind: 'unchanged' }, MAY_SERVE],
  [{ kind: 'planned' }, MAY_SERVE],
  [UNVERIFIED, MAY_SERVE],
  [TIMED_OUT, MAY_SERVE],
  [{ kind: 'cancelled' }, MAY_SERVE],
  [{ kind: 'superseded', by: OLD_REVISION_ID }, MAY_SERVE],
  [REFUSED, MAY_SERVE],
  [{ kind: 'failed', because: { kind: 'active-unknown', trouble: 'x' } }, MAY_SERVE],
  [{ kind: 'skipped', because: 'no-credentials' }, MAY_SERVE],
  [REVISION_FAILED, HAS_FAILED],
  [{ kind: 'interrupted' }, HAS_FAILED],
  [{ kind: 'skipped', because: 'revision' }, HAS_FAILED],
  [{ kind: 'rolled-back', to: 'x', from: UNVERIFIED }, ROLLED_BACK],
]

describe('what serves at the end of a run', () => {
  const READ = ['never', 'plan', 'last', 'unreported', 'created', 'lost'] as const
  const rows = TABLE.flatMap(([outcome, expected]) =>
    READ.map((read) => [outcome.kind, read, outcome, expected[read]] as const),
  )

  it.each(rows)('after %s, as far as it was read: %s', (_kind, read, outcome, expected) => {
    const [over] = READS[read]
    expect(servingSentence(aRecord({ ...over, outcome }))).toBe(expected)
  })

  it('is the restored revision after a rollback, and the rejected one is named', () => {
    const outcome = { kind: 'rolled-back', to: OLD_REVISION_ID, from: UNVERIFIED } as const
    const rollback = { ...RESTORED, revisionId: OLD_REVISION_ID, failsCheck: false }
    const servingFacts = facts({ active: reading(OLD_REVISION_ID, 5), writtenAt: at(2) })
    expect(servingSentence(aRecord({ outcome, rollback, servingFacts }))).toBe(
      'Serves (as of 02:14:05 UTC): main@0000000, revision b3333333 (restored). Rejected: main@1111111, revision a2222222.',
    )
  })

  it.each(['cancelled', 'timed-out'] as const)('is unknown if the run was %s during its first write', (kind) => {
    const outcome = kind === 'cancelled' ? { kind } : TIMED_OUT
    const servingFacts = facts({ active: reading(OLD_REVISION_ID, 0) })
    const NOT_ANSWERED =
      'What serves is unknown: a request that has no answer may still take effect. At 02:14:00 UTC, main@0000000, revision b3333333 served.'
    const after = (isWriting: boolean): string =>
      servingSentence(aRecord({ outcome, servingFacts, isWriting, change: 'none', revisionId: undefined }))
    expect(after(true)).toBe(NOT_ANSWERED)
    expect(after(false)).toBe(OLD_SERVES)
  })

  it('names the rejected revision, too, if the restored one fails the same check', () => {
    const rollback = { ...RESTORED, revisionId: OLD_REVISION_ID }
    const servingFacts = facts({ active: reading(OLD_REVISION_ID, 5), writtenAt: at(2) })
    expect(servingSentence(aRecord({ outcome: UNVERIFIED, rollback, servingFacts }))).toMatch(
      /revision b3333333 \(restored\)\. Rejected: main@1111111, revision a2222222\.$/,
    )
  })

  it('is unknown while a rollback may change it, and known if none was possible', () => {
    const servingFacts = facts({ active: reading(OLD_REVISION_ID, 0), writtenAt: at(2) })
    const after = (rollback: Final<RolloutRecord>['rollback']): string =>
      servingSentence(aRecord({ outcome: REVISION_FAILED, servingFacts, rollback }))
    expect(after({ kind: 'under-way', to: OLD_REVISION_ID })).toBe(NOT_SINCE)
    expect(after(notPossible({ kind: 'commit-unknown' }))).toBe(OLD_SERVES)
  })

  it.each<[string, Partial<Final<RolloutRecord>>, string]>([
    [
      'a deployment without an active revision',
      { servingFacts: facts({ active: reading(null, 5) }) },
      'Nothing serves (as of 02:14:05 UTC): no revision of the deployment is active.',
    ],
    [
      'a deployment that does not exist',
      { servingFacts: facts({ active: { ...reading(null, 5), isMissing: true } }) },
      'Nothing serves (as of 02:14:05 UTC): the deployment does not exist.',
    ],
    [
      'a deployment that was deleted',
      { outcome: { kind: 'failed', because: { kind: 'deleted' } }, endedAt: at(9) },
      'Nothing serves (as of 02:14:09 UTC): the deployment was deleted.',
    ],
    [
      'a revision whose ref is not reported',
      { servingFacts: facts({ active: reading(OLD_REVISION_ID, 5), origins: [] }) },
      'Serves (as of 02:14:05 UTC): revision b3333333.',
    ],
    [
      'our revision, whose ref the step has set',
      { ref: 'main', servingFacts: facts({ active: reading(REVISION_ID, 5), origins: [] }) },
      'Serves (as of 02:14:05 UTC): main, revision a2222222.',
    ],
    [
      'our revision, whose ref the event names with its folder',
      {
        ref: 'refs/heads/main',
        revision: { status: 'DEPLOYED', statusMessage: undefined, repoCommitSha: NEW.commit },
        servingFacts: facts({ active: reading(REVISION_ID, 5), origins: [] }),
      },
      'Serves (as of 02:14:05 UTC): main@1111111, revision a2222222.',
    ],
    [
      'a revision whose id is not shown, in the place of which no other one is named',
      { servingFacts: facts({ active: reading(HIDDEN, 5), origins: [{ ...OLD, id: HIDDEN }] }) },
      'Serves (as of 02:14:05 UTC): a revision whose id is not shown.',
    ],
  ])('of %s', (_of, over, expected) => {
    expect(servingSentence(aRecord({ change: 'none', ...over }))).toBe(expected)
  })

  it('is in the outputs if it is known, and only then', () => {
    const outputsAfter = (over: Partial<Final<RolloutRecord>>) => rowOutputs(aRecord(over))
    expect(outputsAfter({ ...READS.last[0], outcome: UNVERIFIED })).toMatchObject({
      'serving-revision-id': REVISION_ID,
      'serving-commit': NEW.commit,
    })
    for (const [over] of [READS.never, READS.plan, READS.unreported, READS.created])
      expect(outputsAfter({ ...over, outcome: UNVERIFIED })).toMatchObject({
        'serving-revision-id': undefined,
        'serving-commit': undefined,
      })
  })
})

describe('the facts of what serves', () => {
  const fold = (...events: readonly [RunEvent, seconds: number][]): ServingFacts =>
    events.reduce((before, [event, seconds]) => foldFacts(before, event, at(seconds)), NO_FACTS)
  const answer = (activeRevisionId: string | null | undefined, seconds: number) =>
    aDeployment({ activeRevisionId, latestRevisionId: undefined, readAt: at(seconds) })
  const read = (...answered: Parameters<typeof answer>): RunEvent => ({
    kind: 'deployment-read',
    deployment: answer(...answered),
  })

  it('are of the moment of the answer, not of the event that repeats it', () => {
    const written: RunEvent = {
      ...{ kind: 'written', change: 'revised', revisionId: REVISION_ID },
      deployment: answer(OLD_REVISION_ID, 1),
    }
    const known = fold([read(OLD_REVISION_ID, 1), 1], [written, 4])
    expect(known.active).toEqual(reading(OLD_REVISION_ID, 1))
    expect(known.writtenAt).toBe(at(4))
    expect(isCurrent(known, at(4), 60_000)).toBe(false)
    expect(isCurrent(fold([read(OLD_REVISION_ID, 1), 1]), at(4), 3_000)).toBe(true)
    expect(isCurrent(fold([read(OLD_REVISION_ID, 1), 1]), at(5), 3_000)).toBe(false)
    expect(fold([read(REVISION_ID, 6), 6], [read(OLD_REVISION_ID, 5), 7]).active).toEqual(reading(REVISION_ID, 6))
  })

  it('are those of the answer to a creation, whose event is a moment later', () => {
    const written: RunEvent = {
      ...{ kind: 'written', change: 'created', revisionId: REVISION_ID },
      deployment: answer(undefined, 1),
    }
    expect(
      servingSentence(aRecord({ outcome: { kind: 'started' }, change: 'created', servingFacts: fold([written, 2]) })),
    ).toBe(NEW_DEPLOYMENT.replace(':02 ', ':01 '))
  })

  it.each<[string, RunEvent]>([
    ['was accepted', { kind: 'settings-patched', fields: ['secrets'] }],
    ['was lost', { kind: 'patch-lost' }],
  ])('are of the time before a PATCH that %s', (_what, patch) => {
    const known = fold([read(OLD_REVISION_ID, 0), 0], [patch, 2])
    expect(servingSentence(aRecord({ outcome: REFUSED, servingFacts: known, change: 'none' }))).toMatch(
      /^What serves is unknown: the run has not read it since its last write\. Before that, at 02:14:00 UTC/,
    )
  })

  it('say that no such deployment is seen, until it is read', () => {
    const reason = (...events: readonly [RunEvent, seconds: number][]): string =>
      servingSentence(aRecord({ operation: 'wait', outcome: REFUSED, change: 'none', servingFacts: fold(...events) }))
    expect(reason([{ kind: 'deployment-not-found' }, 1])).toBe(
      'What serves is unknown: these credentials see no such deployment.',
    )
    expect(reason([{ kind: 'deployment-not-found' }, 1], [read(OLD_REVISION_ID, 2), 2])).toMatch(/^Serves/)
  })

  it('keep what was reported when a later answer does not report it', () => {
    expect(fold([read(OLD_REVISION_ID, 1), 1], [read(undefined, 2), 2]).active).toEqual(reading(OLD_REVISION_ID, 1))
    expect(fold([read(undefined, 2), 2])).toMatchObject({ isRead: true })
    expect(fold([read(undefined, 2), 2]).active).toBeUndefined()
  })

  it('are of one deployment: another one that has its name by now begins anew', () => {
    const other = aDeployment({ id: 'd9', activeRevisionId: undefined, readAt: at(2) })
    const known = fold([read(OLD_REVISION_ID, 1), 1], [{ kind: 'deployment-read', deployment: other }, 2])
    expect(known).toEqual({ ...NO_FACTS, deploymentId: 'd9', isRead: true })
    expect(fold([read(OLD_REVISION_ID, 1), 1]).deploymentId).toBe(DEPLOYMENT_ID)
  })

  it('name a revision by its ref and commit, also those that only its deployment reports', () => {
    const deployment = aDeployment({
      activeRevisionId: OLD_REVISION_ID,
      latestRevisionId: OLD_REVISION_ID,
      repoCommitSha: COMMIT,
      settings: { repoRef: 'main' },
      readAt: at(1),
    })
    const origin = `main@${COMMIT.slice(0, 7)}`
    const known = fold([{ kind: 'deployment-read', deployment }, 1])
    expect(known.origins).toEqual([{ id: OLD_REVISION_ID, origin, commit: COMMIT }])
    const silent = aRevision({ id: OLD_REVISION_ID, repoCommitSha: undefined, settings: {} })
    expect(foldFacts(known, { kind: 'status', revision: silent }, at(2))).toBe(known)
    const latest = fold([{ kind: 'deployment-read', deployment: { ...deployment, latestRevisionId: REVISION_ID } }, 1])
    expect(latest.origins).toEqual([])
  })

  const REFUSED_ROUTE = { kind: 'not-redeployed', because: 'refused', cameBack: 'HTTP 422', commit: COMMIT } as const
  it.each<[string, Rollback, RolloutEvent[], boolean]>([
    ['was refused', ROLLBACK_ERROR, [], true],
    ['was not accepted', notPossible(REFUSED_ROUTE), [], true],
    ['made no revision', notPossible({ ...REFUSED_ROUTE, because: 'no-revision' }), [], false],
    ['met another obstacle', notPossible({ kind: 'commit-unknown' }), [], false],
    ['restored settings', { ...ROLLBACK_ERROR, restored: ['customUrl'] }, [], false],
    [
      'restored settings first',
      { ...NOTHING_LEFT, kind: 'not-possible', because: REFUSED_ROUTE, restored: ['customUrl'] },
      [],
      false,
    ],
    ['lost a PATCH', { ...ROLLBACK_ERROR, unsure: ['customUrl'] }, [], false],
    ['may have succeeded', { ...ROLLBACK_ERROR, isUnknown: true }, [], false],
    ['lost a write', ROLLBACK_ERROR, [{ kind: 'write-lost', cameBack: 'x' }], false],
  ])('are still those before a rollback that %s, if it has written nothing', (_what, rollback, within, isKnown) => {
    const known = fold(
      [{ kind: 'settings-patched', fields: ['secrets'] }, 1],
      [read(REVISION_ID, 2), 2],
      [{ kind: 'rollback-changed', rollback: { kind: 'under-way', to: OLD_REVISION_ID } }, 3],
      ...within.map((event): [RunEvent, number] => [{ kind: 'during-rollback', event }, 4]),
      [{ kind: 'rollback-changed', rollback }, 5],
    )
    expect(servingState(aRecord({ outcome: UNVERIFIED, servingFacts: known })).kind).toBe(
      isKnown ? 'revision' : 'unknown',
    )
    expect(known.writtenAt).toBe(isKnown ? at(1) : at(within.length > 0 ? 4 : 3))
  })

  it('take in what a rollback has read, and that it writes', () => {
    const underWay: RunEvent = { kind: 'rollback-changed', rollback: { kind: 'under-way', to: OLD_REVISION_ID } }
    const known = fold([read(REVISION_ID, 1), 1], [underWay, 2])
    expect(servingState(aRecord({ servingFacts: known })).kind).toBe('unknown')
    const event = { kind: 'deployment-read', deployment: answer(OLD_REVISION_ID, 3) } as const
    expect(foldFacts(known, { kind: 'during-rollback', event }, at(3)).active).toEqual(reading(OLD_REVISION_ID, 3))
  })
})
