import { describe, expect, it } from '@jest/globals'
import { AFTER_DEADLINE_MS } from '../src/github/questions.ts'
import { longestRollout, sumOf } from '../src/rollout/longest-end.ts'
import { longestEndText, timeOf, withGitHub } from '../src/run-time.ts'
import { aRequest } from './builders.ts'

describe('the time of a run', () => {
  it.each([
    [7_200_000, 7_194_000],
    [60_000, 54_000],
    [20_000, 18_000],
  ])('of a fleet: of %i ms, its work has %i ms', (timeoutMs, deadlineMs) => {
    expect(timeOf({ operation: 'fleet', request: { timeoutMs } })).toEqual({ deadlineMs, endMs: timeoutMs })
  })

  it('of another operation has no end beside its deadline', () => {
    const time = { deadlineMs: 60_000, endMs: undefined }
    expect(timeOf({ operation: 'wait', request: { timeoutMs: 60_000 } })).toEqual(time)
  })

  it('is worded with all its parts, for the debug log', () => {
    const verification = { url: '{url}/ok', status: 200, contains: undefined, timeoutMs: 300_000 }
    const request = aRequest({ timeoutMs: 60_000, verification, rollback: 'on-failure', logs: 'on-failure' })
    const end = withGitHub(longestRollout(request))
    expect(sumOf(end) - sumOf(longestRollout(request))).toBe(AFTER_DEADLINE_MS)
    expect(longestEndText(end)).toBe(
      'This run ends after at most 817 s: timeout 60 s + verify-timeout 300 s + rollback: timeout 60 s + rollback: verify-timeout 300 s + last requests 97 s.',
    )
  })
})
