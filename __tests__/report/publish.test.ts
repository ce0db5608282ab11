import { describe, expect, it } from '@jest/globals'
import { PARTS } from '../../src/parts.ts'
import { createLog } from '../../src/report/log.ts'
import { failsRun, publish } from '../../src/report/publish.ts'
import { type FinalRecord, openFleet, openRequest } from '../../src/report/record.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import type { Files } from '../../src/world.ts'
import { aRecord, aTeardown } from '../builders.ts'

const unused = (): Promise<never> => Promise.reject(new Error('not used'))
const FILES: Files = {
  realPath: unused,
  readWhole: unused,
  makeFolder: unused,
  write: unused,
  addLine: () => undefined,
  setOutputs: async () => await Promise.resolve(),
  addSummary: unused,
}

const FACTS = { startedAt: 0, runUrl: undefined, commit: undefined }
const requested = { ...openRequest(FACTS), endedAt: 1 }
const fleet = { ...openFleet(FACTS), endedAt: 1 }
const failedFleet = { kind: 'failed', because: { kind: 'fleet', failed: 1, notStarted: 2 } } as const

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
    ['without an answer', { ...requested, outcome: { kind: 'timed-out', lastTrouble: undefined } }, true],
    ['a fleet', { ...fleet, outcome: { kind: 'deployed', confirmed: true } }, false],
    ['without a change', { ...fleet, outcome: { kind: 'unchanged' } }, false],
    ['of which one failed', { ...fleet, outcome: failedFleet }, true],
    ['that was cancelled', { ...fleet, outcome: { kind: 'cancelled' } }, true],
  ])('%s', (_name, record, fails) => {
    expect(failsRun(record)).toBe(fails)
  })
})

it('renders the reports in a turn of their own', async () => {
  let hasTurned = false
  setImmediate(() => {
    hasTurned = true
  })
  const readAfterTurn: boolean[] = []
  const record = aRecord({ outcome: { kind: 'started' } })
  const watched = new Proxy(record, {
    get(target, key) {
      readAfterTurn.push(hasTurned)
      const value: unknown = Reflect.get(target, key)
      return value
    },
  })
  const redactor = new Redactor()
  const log = createLog(redactor, () => undefined)
  await publish(watched, { ...PARTS, log, redactor, tempDir: undefined, jobSummary: false, files: FILES })
  expect(new Set(readAfterTurn)).toEqual(new Set([true]))
})
