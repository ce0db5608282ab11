import { describe, expect, it } from '@jest/globals'
import { describeReport } from '../../scripts/check-openapi/report.ts'

// A check that ended early, or could not send, must not read like one without a finding.

const REPORT = {
  schemathesis_version: '4.32.5',
  seed: 1,
  complete: true,
  operations: { total: 48, tested: 48, errored: 0 },
  test_cases: { generated: 6336, with_failures: 0, errored: 0 },
  warnings: { missing_auth: [], missing_test_data: ['GET /a', 'GET /b'] },
}

describe("the figures of schemathesis' report", () => {
  it('are the requests, the failures and the warnings', () => {
    expect(describeReport(JSON.stringify(REPORT)).split('\n')).toEqual([
      'schemathesis 4.32.5, seed 1: 6336 generated requests to 48 operations, 0 with an unexpected response, 0 not sent',
      'schemathesis warns about operations: missing_test_data (2)',
    ])
  })

  it('say so when the run did not end', () => {
    const stopped = { ...REPORT, complete: false, warnings: {} }
    expect(describeReport(JSON.stringify(stopped))).toMatch(/0 not sent, stopped before the end$/)
  })

  it('count what could not be sent', () => {
    const errors = { ...REPORT, operations: { tested: 47, errored: 1 } }
    expect(describeReport(JSON.stringify(errors))).toContain('47 operations, 0 with an unexpected response, 1 not sent')
  })
})
