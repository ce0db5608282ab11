import { describe, expect, it } from '@jest/globals'
import { describeOutcome } from '../../src/report/messages.ts'
import { openRequest } from '../../src/report/record.ts'
import type { Outcome } from '../../src/rollout/outcome.ts'

const FACTS = { startedAt: 0, runUrl: undefined, commit: undefined }

const next = (isRead: boolean, outcome: Outcome): string | undefined =>
  describeOutcome({ ...openRequest(FACTS), isRead, endedAt: 1, timeoutMs: 1000, outcome }).next

const TIMED_OUT: Outcome = { kind: 'timed-out', lastTrouble: undefined }

describe('a single request that did not end', () => {
  it.each<Outcome>([{ kind: 'cancelled' }, TIMED_OUT])('is doubtful when it writes: $kind', (outcome) => {
    expect(next(false, outcome)).toContain('The request may have succeeded.')
  })

  it('changed nothing when it only reads', () => {
    expect(next(true, { kind: 'cancelled' })).toBe('Nothing was changed: the request only reads.')
    expect(next(true, TIMED_OUT)).toBe('Set a longer timeout.')
  })
})
