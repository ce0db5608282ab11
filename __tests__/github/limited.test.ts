import { expect, it } from '@jest/globals'
import { RateLimits } from '../../src/github/retry.ts'
import { fakeClock } from '../builders.ts'

it('the longest rate limit of a connection counts, until it is over', () => {
  const clock = fakeClock()
  const limits = new RateLimits(clock)
  expect(limits.left()).toBeUndefined()
  for (const seconds of [10, 30, 20]) limits.note({ until: clock.wallTime() + seconds * 1000 }, 0)
  expect(limits.left()?.ms).toBe(30_000)
  clock.advance(29_999)
  expect(limits.left()?.ms).toBe(1)
  clock.advance(1)
  expect(limits.left()).toBeUndefined()
})
