import { describe, expect, it } from '@jest/globals'
import { tellStory } from '../../src/report/messages.ts'
import { openRecord } from '../../src/report/record.ts'
import type { Outcome } from '../../src/rollout/outcome.ts'

const next = (isRead: boolean, outcome: Outcome): string | undefined =>
  tellStory({ ...openRecord(0, 'request'), isRead, endedAt: 1, timeoutMs: 1000, outcome }).next

const TIMED_OUT: Outcome = { kind: 'timed-out', lastTrouble: undefined }

describe('a single request that came to no end', () => {
  it.each<Outcome>([{ kind: 'cancelled' }, TIMED_OUT])('is doubtful when it writes: $kind', (outcome) => {
    expect(next(false, outcome)).toContain('Whether the control plane has acted on the request is not known.')
  })

  it('changed nothing when it only reads', () => {
    expect(next(true, { kind: 'cancelled' })).toBe('Nothing was changed: the request only reads.')
    expect(next(true, TIMED_OUT)).toBe('Set a longer timeout.')
  })
})
