import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { createLog } from '../../src/report/log.ts'
import { publish } from '../../src/report/publish.ts'
import { createRedactor } from '../../src/report/redact.ts'
import { aRecord } from '../builders.ts'

const tempDir = mkdtempSync(path.join(tmpdir(), 'publish-'))
afterAll(() => rmSync(tempDir, { recursive: true }))

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
  const outputs = path.join(tempDir, 'outputs')
  writeFileSync(outputs, '')
  process.env['GITHUB_OUTPUT'] = outputs
  const redactor = createRedactor()
  const log = { ...createLog(redactor), info: () => undefined }
  await publish(watched, { log, redactor, tempDir, jobSummary: false })
  expect(new Set(readAfterTurn)).toEqual(new Set([true]))
})
