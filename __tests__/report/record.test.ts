import { describe, expect, it } from '@jest/globals'
import { failsRun } from '../../src/report/exit.ts'
import { type FinalRecord, openFleet, openRequest } from '../../src/report/record.ts'
import { aRecord, aTeardown } from '../builders.ts'
import { FACTS, TIMED_OUT } from './a-record.ts'
import { failedFleet } from './fleet/a-fleet.ts'

const requested = { ...openRequest(FACTS), endedAt: 1 }
const fleet = { ...openFleet(FACTS), endedAt: 1 }

describe('whether the step fails', () => {
  it.each<[string, FinalRecord, boolean]>([
    ['a superseded rollout', aRecord({ outcome: { kind: 'superseded', by: 'x' } }), true],
    ['that is to pass', aRecord({ onSuperseded: 'succeed', outcome: { kind: 'superseded', by: 'x' } }), false],
    ['a teardown', aTeardown(), false],
    ['of nothing', { ...aTeardown(), outcome: { kind: 'nothing-to-tear-down' } }, false],
    ['in a dry run', { ...aTeardown(), outcome: { kind: 'planned' } }, false],
    ['that failed', { ...aTeardown(), outcome: { kind: 'failed', because: { kind: 'teardown', failed: 1 } } }, true],
    ['a request', { ...requested, outcome: { kind: 'answered' } }, false],
    ['without credentials', { ...requested, outcome: { kind: 'skipped', because: 'no-credentials' } }, false],
    ['without an answer', { ...requested, outcome: TIMED_OUT }, true],
    ['a fleet', { ...fleet, outcome: { kind: 'deployed' } }, false],
    ['without a change', { ...fleet, outcome: { kind: 'unchanged' } }, false],
    ['of which one failed', { ...fleet, outcome: failedFleet(1, 2) }, true],
    ['that was cancelled', { ...fleet, outcome: { kind: 'cancelled' } }, true],
  ])('%s', (_name, record, fails) => {
    expect(failsRun(record)).toBe(fails)
  })
})
