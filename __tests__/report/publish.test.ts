import { expect, it } from '@jest/globals'
import { PARTS } from '../../src/parts.ts'
import { createLog } from '../../src/report/log.ts'
import { publish } from '../../src/report/publish.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import type { Files } from '../../src/world.ts'
import { aRecord } from '../builders.ts'

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
