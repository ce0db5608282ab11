import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { nextPollDelay, type PollMoment } from '../../../src/rollout/watch/schedule.ts'

/** The pause before the next poll of a new watch, in milliseconds. */
function delay(over: Partial<PollMoment> = {}): number {
  return nextPollDelay({
    interval: 'auto',
    hasChanged: false,
    pausesSinceChange: 0,
    retryAfterMs: undefined,
    random: 0,
    ...over,
  })
}

describe('the pause before the next poll', () => {
  it.each([
    { pauses: 0, longest: 1_000, shortest: 800 },
    { pauses: 1, longest: 1_500, shortest: 1_200 },
    { pauses: 2, longest: 2_250, shortest: 1_800 },
    { pauses: 6, longest: 10_000, shortest: 8_000 },
    { pauses: 500, longest: 10_000, shortest: 8_000 },
  ])('is $shortest to $longest ms after $pauses pauses, by chance', ({ pauses, longest, shortest }) => {
    expect(delay({ pausesSinceChange: pauses, random: 0 })).toBe(longest)
    expect(delay({ pausesSinceChange: pauses, random: 1 })).toBe(shortest)
  })

  it('starts from 2 s after the status has changed', () => {
    expect(delay({ hasChanged: true, random: 0 })).toBe(2_000)
    expect(delay({ hasChanged: true, random: 1 })).toBe(1_600)
  })

  it('is shortened in proportion to the random number, by a fifth at most', () => {
    expect(delay({ random: 0.5 })).toBe(900)
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(50),
        fc.boolean(),
        (chance, pausesSinceChange, hasChanged) => {
          const moment = { pausesSinceChange, hasChanged }
          const [longest, ours] = [delay(moment), delay({ ...moment, random: chance })]
          expect(Math.abs(longest * (1 - chance / 5) - ours)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  it('is not shortened when it is fixed', () => {
    expect(delay({ interval: 5_000, random: 1 })).toBe(5_000)
  })

  it('is not shorter than the server asks for', () => {
    expect(delay({ retryAfterMs: 25_000, random: 1 })).toBe(25_000)
    expect(delay({ retryAfterMs: 10, random: 1 })).toBe(800)
    expect(delay({ interval: 200, retryAfterMs: 3_000 })).toBe(3_000)
  })
})
