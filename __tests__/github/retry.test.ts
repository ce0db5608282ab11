import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { RateLimits, WritePace } from '../../src/github/retry.ts'
import { fakeClock } from '../builders.ts'

it('the longest rate limit of a connection counts, until it is over', () => {
  const clock = fakeClock()
  const limits = new RateLimits(clock)
  expect(limits.left()).toBeUndefined()
  for (const seconds of [10, 30, 20]) limits.note({ until: clock.wallTime() + seconds * 1000 }, { roomMs: 0, ownMs: 0 })
  expect(limits.left()?.ms).toBe(30_000)
  clock.advance(29_999)
  expect(limits.left()?.ms).toBe(1)
  clock.advance(1)
  expect(limits.left()).toBeUndefined()
})

it.each<[string, number | 'over' | undefined, number, number, number | undefined]>([
  ['is theirs', 7_000, 1_000, 60_000, 7_000],
  ['is ours, if theirs is shorter', 2_000, 4_000, 60_000, 4_000],
  ['is ours, if theirs is over', 'over', 1_000, 60_000, 1_000],
  ['is none that lasts too long', 'over', 4_000, 4_000, undefined],
  ['is none without a time', undefined, 1_000, 60_000, undefined],
])('the pause after a rate limit %s (%s ms, and ours of %d)', (_case, theirs, ownMs, roomMs, expected) => {
  const clock = fakeClock()
  const until = typeof theirs === 'number' ? clock.wallTime() + theirs : theirs
  expect(new RateLimits(clock).note({ until }, { roomMs, ownMs })).toBe(expected)
})

it.each<[string, 'over' | undefined]>([
  ['is over', 'over'],
  ['has no time', undefined],
])('a rate limit that %s holds other requests back for our own pause', (_case, until) => {
  const clock = fakeClock()
  const limits = new RateLimits(clock)
  limits.note({ until }, { roomMs: 60_000, ownMs: 1_000 })
  expect(limits.left()?.ms).toBe(1_000)
})

const MINUTE_MS = 60_000

describe('WritePace', () => {
  it('lets no minute have more than the 80 writes that GitHub takes, whenever they come', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_200 }), { minLength: 90, maxLength: 300 }), (gaps) => {
        const pace = new WritePace()
        let now = 0
        const sent = gaps.map((gap) => {
          now += gap
          now += pace.pauseBefore(now)
          return now
        })
        const minutes = sent.slice(80).map((at, index) => at - (sent[index] ?? Number.NaN))
        expect(Math.min(...minutes)).toBeGreaterThanOrEqual(MINUTE_MS)
      }),
    )
  })

  it('makes no pause for 20 writes at once, and none after a rest', () => {
    const pace = new WritePace()
    const pauses = (now: number, count: number): number[] => Array.from({ length: count }, () => pace.pauseBefore(now))
    expect(pauses(0, 22)).toEqual([...Array.from({ length: 20 }, () => 0), 1_000, 2_000])
    expect(pauses(30_000, 20)).toEqual(Array.from({ length: 20 }, () => 0))
  })
})
