import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { nextPollDelay, type PollMoment } from '../../../src/rollout/watch/next-poll.ts'

/** The pause before the next poll of a new watch, in milliseconds. */
function delay(over: Partial<PollMoment> = {}): number {
  return nextPollDelay({ interval: 'auto', elapsedMs: 0, failures: 0, retryAfterMs: 0, random: 0, ...over })
}

describe('the pause before the next poll', () => {
  it.each([
    [0, 2_000],
    [40_000, 2_000],
    [40_020, 2_001],
    [60_000, 3_000],
    [99_980, 4_999],
    [100_000, 5_000],
    [21_600_000, 5_000],
  ])('after %d ms is a twentieth of that, from 2 s to 5 s: %d ms', (elapsedMs, pauseMs) => {
    expect(delay({ elapsedMs })).toBe(pauseMs)
  })

  it('is shortened in proportion to the random number, by a twentieth at most', () => {
    expect([0, 0.333, 0.5, 1].map((random) => delay({ elapsedMs: 80_000, random }))).toEqual([
      4_000, 3_933, 3_900, 3_800,
    ])
  })

  it.each([
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 16_000],
    [5, 30_000],
    [5_000, 30_000],
  ])('after %d failed polls in a row is %d ms', (failures, pauseMs) => {
    expect(delay({ failures })).toBe(pauseMs)
  })

  it('is the longest of those of the time, of the failures and of Retry-After', () => {
    expect(delay({ elapsedMs: 100_000, failures: 1 })).toBe(5_000)
    expect(delay({ elapsedMs: 100_000, failures: 3, retryAfterMs: 7_000 })).toBe(8_000)
    expect(delay({ elapsedMs: 100_000, failures: 3, retryAfterMs: 25_000, random: 1 })).toBe(25_000)
    expect(delay({ retryAfterMs: 10, random: 1 })).toBe(1_900)
  })

  it('is neither shortened nor lengthened when it is fixed, but for a Retry-After', () => {
    expect(delay({ interval: 5_000, random: 1 })).toBe(5_000)
    expect(delay({ interval: 200, elapsedMs: 3_600_000, failures: 9 })).toBe(200)
    expect(delay({ interval: 200, retryAfterMs: 3_000 })).toBe(3_000)
  })

  it('of a revision that is watched with others ends by a Retry-After only', () => {
    expect(delay({ interval: 'shared', elapsedMs: 60_000, failures: 2 })).toBe(Infinity)
    expect(delay({ interval: 'shared', failures: 2, retryAfterMs: 3_000, random: 1 })).toBe(3_000)
  })

  it('is within its bounds at any moment', () => {
    const elapsed = fc.oneof(fc.nat(200_000), fc.nat(90_000_000))
    const chance = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(elapsed, fc.nat(3_000), chance, (elapsedMs, failures, random) => {
        const pause = delay({ elapsedMs, failures, random })
        expect(pause).toBeGreaterThanOrEqual(1_900)
        expect(pause).toBeLessThanOrEqual(failures === 0 ? 5_000 : 30_000)
      }),
    )
  })
})
