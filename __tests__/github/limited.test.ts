import { expect, it } from '@jest/globals'
import { openLimited } from '../../src/github/limited.ts'
import { fakeClock } from '../builders.ts'

it('the longest rate limit of a connection counts, until it is over', () => {
  const clock = fakeClock()
  const limited = openLimited(clock)
  expect(limited.left()).toBeUndefined()
  for (const seconds of [10, 30, 20]) limited.note({ until: clock.wallTime() + seconds * 1000 })
  expect(limited.left()?.ms).toBe(30_000)
  clock.advance(29_999)
  expect(limited.left()?.ms).toBe(1)
  clock.advance(1)
  expect(limited.left()).toBeUndefined()
})
