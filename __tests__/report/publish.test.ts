import { expect, it } from '@jest/globals'
import { PARTS } from '../../src/parts.ts'
import { createLog } from '../../src/report/log.ts'
import { publish } from '../../src/report/publish.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import type { Files } from '../../src/world.ts'
import { aRecord } from '../builders.ts'
import { aFinalFleet, failedFleet, names } from './fleet/a-fleet.ts'

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
  const redactor = new Redactor(() => undefined)
  const log = createLog(redactor, () => undefined)
  await publish(watched, { ...PARTS, log, redactor, tempDir: undefined, jobSummary: false, files: FILES })
  expect(new Set(readAfterTurn)).toEqual(new Set([true]))
})

it('the error of a fleet counts the failures that have no annotation', async () => {
  const waves = [{ names: names(12), maxParallel: 12 }]
  const failures = Object.fromEntries(names(12).map((_, place) => [place, `no ${place}`]))
  const redactor = new Redactor(() => undefined)
  const printed: string[] = []
  const log = createLog(redactor, (line) => {
    printed.push(line)
  })
  const options = { ...PARTS, log, redactor, tempDir: undefined, jobSummary: false, files: FILES }
  const code = await publish(aFinalFleet({ waves, failures }, failedFleet(12)), options)
  const errors = printed.filter((line) => line.startsWith('::error'))
  expect([code, errors.length]).toEqual([1, 10])
  expect(errors.at(-1)).toMatch(/3 more deployments failed: the reasons are in this step's log\.$/)
})
