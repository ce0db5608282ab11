import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError } from '../../../src/control-plane/errors.ts'
import type { Final, FleetRecord, RolloutRecord } from '../../../src/report/record.ts'
import { endingsOf, reasonOf } from '../../../src/report/fleet/results.ts'
import { HIDDEN } from '../../../src/report/typed-fields.ts'
import type { FleetOutcome } from '../../../src/fleet/event.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { aRevision } from '../../builders.ts'
import { redactorOf } from '../../secrets/redactor-of.ts'
import { failedWith, notPossible, REVISION_FAILED, ROLLBACK_ERROR, TIMED_OUT } from '../a-record.ts'
import { aFinalFleet, aLog, changed, DEPLOYED, failedBy, failedFleet, rendered, SMALL, TWO } from './a-fleet.ts'

type Fleet = Final<FleetRecord>

describe('the reason of a result', () => {
  const trouble = { attempted: 'create a revision', cameBack: 'HTTP 502', hint: 'Rerun.' }
  const perhaps = failedWith(new AmbiguousWriteError(trouble))
  const rollback = { ...ROLLBACK_ERROR, trouble: 'HTTP 500' }

  it.each<[string, RolloutOutcome, Partial<RolloutRecord>, string | undefined]>([
    ['nothing to say', DEPLOYED, {}, undefined],
    ['a write that may be done', perhaps, {}, 'Could not create a revision. HTTP 502. It may have succeeded.'],
    [
      'a write lost before a further plan',
      REVISION_FAILED,
      { hasLostWrite: true },
      'pip: no such package. It may have',
    ],
    ['a failed rollback', REVISION_FAILED, { rollback }, 'pip: no such package. The rollback failed: HTTP 500.'],
    ['settings that are not confirmed', DEPLOYED, { unconfirmed: ['shareable'] }, 'Not confirmed: shareable. The'],
    ['an unknown active revision', { kind: 'deployed', confirmed: false }, {}, 'The control plane does not rep'],
  ])('tells %s', (_case, outcome, more, words) => {
    const [, us] = aFinalFleet(SMALL, DEPLOYED).deployments
    if (us === undefined) throw new Error('no deployment')
    const reason = reasonOf({ ...us, outcome, ...more }, 0, String)
    expect(reason?.slice(0, words?.length)).toBe(words)
  })

  it('tells what is left after a long text of the server', () => {
    const failures = { 1: 'x'.repeat(1_000) }
    const [, us] = aFinalFleet({ ...SMALL, failures }, DEPLOYED).deployments
    if (us === undefined) throw new Error('no deployment')
    const rollback = notPossible({ kind: 'no-deployment-before' })
    const reason = reasonOf({ ...us, rollback }, 0, String)
    expect(reason).toMatch(/^x{200,}…? Not rolled back: the deployment did not exist before\.$/)
  })
})

describe('the results of a fleet', () => {
  it('have a reason that is redacted before it is cut, and no hidden id', () => {
    const failures = { 0: `${'x'.repeat(296)}hunter-2 ${'y'.repeat(900)}` }
    const failing = aFinalFleet({ ...TWO, failures }, failedFleet(1))
    const hidden = { revisionId: HIDDEN, deployment: { id: HIDDEN, name: 'a' } }
    const record = changed(failing, () => hidden)
    const [result] = endingsOf(record, redactorOf('hunter-2').redact).map((one) => one.result)
    expect(result?.reason).toMatch(/^x{296}[*…]+$/)
    expect(JSON.stringify(result)).not.toContain('-id')
  })

  const cut = (outcome: FleetOutcome): Fleet =>
    changed(aFinalFleet(TWO, outcome), (_one, place) =>
      place === 0 ? { outcome: undefined, endedAt: undefined } : { outcome: undefined, beganAt: undefined },
    )
  const outcomesOf = (outcome: FleetOutcome): string[] =>
    endingsOf(cut(outcome), String).map(({ result }) => result.outcome)

  it.each<[FleetOutcome, string]>([
    [{ kind: 'cancelled' }, 'cancelled'],
    [TIMED_OUT, 'timed-out'],
    [failedBy('no'), 'failed'],
    [failedFleet(1), 'not-started'],
  ])('of what the run did not see end: %j', (outcome, expected) => {
    expect(outcomesOf(outcome)).toEqual([expected, 'not-started'])
  })

  it('of what had ended before the run was cut are its own', () => {
    const record = changed(aFinalFleet(TWO, { kind: 'cancelled' }), (_one, place) =>
      place === 0 ? {} : { outcome: undefined, endedAt: undefined },
    )
    expect(endingsOf(record, String).map(({ result }) => result.outcome)).toEqual(['deployed', 'cancelled'])
  })

  it('count a cancelled rollout as under way, and one that never began as waiting', () => {
    const standings = endingsOf(cut({ kind: 'cancelled' }), String).map(({ standing }) => standing)
    expect(standings).toEqual(['under-way', 'waiting'])
  })

  it('have a reason also if the control plane gives none', () => {
    const record = changed(aFinalFleet({ ...TWO, failures: { 0: 'no' } }, failedFleet(1)), () => ({
      revision: aRevision({ status: 'BUILD_FAILED' }),
    }))
    expect(endingsOf(record, String)[0]?.result.reason).toContain('BUILD_FAILED')
  })

  it('have a reason in one line, and titles that are cut', () => {
    const long = 'n'.repeat(150)
    const record = aFinalFleet({ waves: [{ names: [long] }], failures: { 0: 'one\ntwo\u202e' } }, failedFleet(1))
    expect(endingsOf(record, String)[0]?.result.reason).toBe('one two')
    const { log, lines } = aLog()
    rendered(record).printBefore?.(log)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join('\n')).not.toContain('n'.repeat(101))
  })

  it('have redacted plans, and revisions that were made twice, in the record', () => {
    const record = changed(aFinalFleet(TWO, DEPLOYED), () => ({
      madeTwice: [{ what: 'revision', ours: 'r-1', other: 'r-2' }],
    }))
    const text = JSON.stringify(rendered(record, redactorOf('image-uri')).recorded)
    expect(text).not.toContain('image-uri')
    expect(text).toContain('"made-twice":[{"what":"revision","ours":"r-1","other":"r-2"}]')
  })
})
