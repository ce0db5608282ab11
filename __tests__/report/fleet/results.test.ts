import { describe, expect, it } from '@jest/globals'
import type { Final, FleetRecord } from '../../../src/report/record.ts'
import { progressLine } from '../../../src/report/fleet/log.ts'
import { endingsOf, openTallyOf } from '../../../src/report/fleet/results.ts'
import { HIDDEN } from '../../../src/report/typed-fields.ts'
import type { FleetOutcome } from '../../../src/fleet/event.ts'
import { aRevision } from '../../builders.ts'
import { redactorOf } from '../../secrets/redactor-of.ts'
import { TIMED_OUT } from '../a-record.ts'
import { aFinalFleet, aLog, changed, DEPLOYED, failedBy, failedFleet, rendered, TWO } from './a-fleet.ts'

type Fleet = Final<FleetRecord>

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

  it('count what ran out of the time of the run as under way, in the log, too, and what exceeded a phase as failed', () => {
    const phase = { name: 'build', limitMs: 1, forMs: 2 } as const
    const record = changed(aFinalFleet(TWO, TIMED_OUT), (_one, place) => ({
      outcome: place === 0 ? TIMED_OUT : { ...TIMED_OUT, phase },
    }))
    expect(openTallyOf(record.deployments)).toMatchObject({ 'under-way': 1, failed: 1 })
    const waves = record.waves.map((wave) => ({ ...wave, beganAt: 0, endedAt: undefined }))
    const [place = 0] = [...record.deployments].map(({ wave }) => wave)
    const inOneWave = changed({ ...record, waves }, () => ({ wave: place }))
    expect(progressLine(inOneWave, 1)).toContain('1 under way, 1 failed')
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
