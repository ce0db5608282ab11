import { expect, it } from '@jest/globals'
import type { Log } from '../../src/report/log.ts'
import { openRollout } from '../../src/report/record.ts'
import { createRedactor } from '../../src/report/redact.ts'
import { openReport } from '../../src/report/report.ts'
import { aDeployment, fakeClock } from '../builders.ts'

const SECRET = 'correct-horse'

it('hands out clean records only, and names each dropped field once', () => {
  const lines: string[] = []
  const add = (text: string): number => lines.push(text)
  const log: Log = {
    info: add,
    notice: add,
    warning: add,
    error: add,
    debug: add,
    redact: String,
    reveals: () => false,
    mask: () => undefined,
  }
  const redactor = createRedactor()
  const opened = openRollout('rollout', { startedAt: 0, runUrl: undefined, commit: undefined })
  const report = openReport(opened, log, { clock: fakeClock(), redactor })
  const settings = { customUrl: `https://${SECRET}.example` }
  const read = (): unknown => report.add({ kind: 'deployment-read', deployment: aDeployment({ settings }) })
  // The secret becomes known after the address.
  expect(read()).toMatchObject({ url: settings.customUrl })
  redactor.learn([SECRET])
  expect(read()).toMatchObject({ url: undefined })
  expect(read()).toMatchObject({ url: undefined })
  expect(report.end({ kind: 'started' })).toMatchObject({ url: undefined })
  expect(lines).toEqual([expect.stringContaining('reported value of url: it contains a secret')])
})
