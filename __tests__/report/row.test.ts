import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError } from '../../src/control-plane/errors.ts'
import { endWord, openRequest, openTeardown, type Row, rowsOf } from '../../src/report/record.ts'
import { reasonOf, restoredBy, standingOf, stateCell, tookMs } from '../../src/report/row.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import { aRecord, REVISION_ID } from '../builders.ts'
import { failedWith, notPossible, REVISION_FAILED, ROLLBACK_ERROR, TIMED_OUT } from './a-record.ts'
import { aFinalFleet, SMALL } from './fleet/a-fleet.ts'

const DEPLOYED: RolloutOutcome = { kind: 'deployed', isConfirmed: true }
const CANCELLED: RolloutOutcome = { kind: 'cancelled' }
const SUPERSEDED: RolloutOutcome = { kind: 'superseded', by: REVISION_ID }
const revision = (status: string, statusMessage?: string) => ({ status, statusMessage, repoCommitSha: undefined })
const aRow = (over: Partial<Row>): Row => ({ ...aRecord(), ...over })

describe('the rows of a run', () => {
  const facts = { startedAt: 0, runUrl: undefined, commit: undefined }

  it('are the record of a single rollout, and the entries of a fleet', () => {
    const record = aRecord()
    expect([...rowsOf(record)]).toEqual([record])
    const fleet = aFinalFleet(SMALL, { kind: 'deployed' })
    expect([...rowsOf(fleet)]).toEqual([...fleet.deployments])
  })

  it('are none of an operation that rolls out nothing', () => {
    expect([openTeardown(facts), openRequest(facts)].flatMap((record) => [...rowsOf(record)])).toEqual([])
  })
})

describe('the state of a row', () => {
  const open = { outcome: undefined, endedAt: undefined }

  it.each<[Partial<Row>, string, string]>([
    [{ ...open, beganAt: undefined }, 'waiting', '⏸&nbsp;not&nbsp;started'],
    [{ ...open }, 'under-way', '🚀&nbsp;begun'],
    [{ ...open, revision: revision('BUILDING') }, 'under-way', '🚀&nbsp;`BUILDING`'],
    [{ outcome: CANCELLED, revision: revision('BUILDING') }, 'under-way', '⚠️&nbsp;cancelled'],
    [{ outcome: CANCELLED, beganAt: undefined }, 'waiting', '⏸&nbsp;cancelled'],
    [{ outcome: DEPLOYED, revision: revision('DEPLOYED') }, 'deployed', '✅&nbsp;deployed'],
    [{ outcome: REVISION_FAILED, revision: revision('BUILD_FAILED') }, 'failed', '❌&nbsp;failed `BUILD_FAILED`'],
    [{ outcome: TIMED_OUT, revision: revision('BUILDING') }, 'failed', '❌&nbsp;timed-out `BUILDING`'],
    [{ outcome: failedWith(new Error('no')) }, 'failed', '❌&nbsp;failed'],
    // The status of a revision that is not the failure itself.
    [{ outcome: failedWith(new Error('no')), revision: revision('DEPLOYED') }, 'failed', '❌&nbsp;failed'],
    [{ outcome: SUPERSEDED, onSuperseded: 'succeed' }, 'passed', '⏭️&nbsp;superseded'],
    [{ outcome: SUPERSEDED, onSuperseded: 'fail' }, 'failed', '❌&nbsp;superseded'],
  ])('of %j is %s', (over, standing, cell) => {
    expect([standingOf(aRow(over)), stateCell(aRow(over))]).toEqual([standing, cell])
  })

  it.each<[RolloutOutcome, string, string]>([
    [REVISION_FAILED, 'BUILD_FAILED', 'BUILD_FAILED'],
    [{ kind: 'interrupted' }, 'INTERRUPTED', 'INTERRUPTED'],
    [failedWith(new Error('no')), 'DEPLOYED', 'failed'],
    [TIMED_OUT, 'BUILDING', 'timed-out'],
  ])('ends a title of %j at %s with %s', (outcome, status, word) => {
    expect(endWord(outcome, aRow({ revision: revision(status) }))).toBe(word)
  })
})

it('a row takes as long as it is known, and no time before its begin', () => {
  expect(tookMs(aRow({ beganAt: 1_000, endedAt: 3_000 }), 9_000)).toBe(2_000)
  expect(tookMs(aRow({ beganAt: 1_000, endedAt: undefined }), 9_000)).toBe(8_000)
  expect(tookMs(aRow({ beganAt: undefined }), 9_000)).toBeUndefined()
})

it.each<[Partial<Row>, string | undefined]>([
  [{ operation: 'rollback', outcome: DEPLOYED }, REVISION_ID],
  [{ operation: 'rollback', outcome: undefined }, undefined],
  [{ operation: 'rollback', outcome: DEPLOYED, change: 'none' }, undefined],
  [{ operation: 'rollout', outcome: DEPLOYED }, undefined],
])('the row %j is restored by %s', (over, id) => expect(restoredBy(aRow(over))).toBe(id))

describe('the reason of a row', () => {
  const trouble = { attempted: 'create a revision', cameBack: 'HTTP 502', hint: 'Rerun.' }
  const perhaps = failedWith(new AmbiguousWriteError(trouble))
  const rollback = { ...ROLLBACK_ERROR, trouble: 'HTTP 500' }
  const failed = { revision: revision('BUILD_FAILED', 'pip: no such package') }

  it.each<[string, RolloutOutcome, Partial<Row>, string | undefined]>([
    ['nothing to say', DEPLOYED, {}, undefined],
    [
      'a write that may be done',
      perhaps,
      {},
      'The rollout of agent stopped: could not create a revision. HTTP 502. It may have succeeded.',
    ],
    [
      'a write lost before a further plan',
      REVISION_FAILED,
      { ...failed, hasLostWrite: true },
      'pip: no such package. It may have',
    ],
    [
      'a failed rollback',
      REVISION_FAILED,
      { ...failed, rollback },
      'pip: no such package. The rollback failed: HTTP 500.',
    ],
    ['settings that are not confirmed', DEPLOYED, { unconfirmed: ['shareable'] }, 'Not confirmed: shareable. The'],
    ['an unknown active revision', { kind: 'deployed', isConfirmed: false }, {}, 'Not confirmed by the active re'],
  ])('tells %s', (_case, outcome, more, words) => {
    expect(reasonOf(aRow({ outcome, ...more }), 0, String)?.slice(0, words?.length)).toBe(words)
  })

  it('tells what is left after a long text of the server', () => {
    const left = notPossible({ kind: 'no-deployment-before' })
    const row = aRow({
      outcome: REVISION_FAILED,
      revision: revision('BUILD_FAILED', 'x'.repeat(1_000)),
      rollback: left,
    })
    expect(reasonOf(row, 0, String)).toMatch(/^x{200,}…? Not rolled back: the deployment did not exist before\.$/)
  })
})
