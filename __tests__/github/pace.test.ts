import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { GitHubPace, isShortLimit, RateLimits, WritePace } from '../../src/github/pace.ts'
import { fakeClock } from '../builders.ts'

const read = { route: 'GET /user', attempted: 'read the login', permission: 'contents: read' as const }

it('the longest rate limit of a connection counts, until it is over', () => {
  const clock = fakeClock()
  const limits = new RateLimits(clock)
  expect(limits.remaining()).toBeUndefined()
  for (const seconds of [10, 30, 20]) limits.note({ askedMs: seconds * 1000 }, seconds * 1000)
  expect(limits.remaining()).toEqual({ ms: 30_000, until: clock.wallTime() + 30_000 })
  clock.advance(29_999)
  expect(limits.remaining()?.ms).toBe(1)
  clock.advance(1)
  expect(limits.remaining()).toBeUndefined()
})

it.each([0, undefined])('a rate limit that asks for %s ms holds a request back for our own pause', async (askedMs) => {
  const clock = fakeClock()
  const pace = new GitHubPace(clock)
  pace.hold({ askedMs }, 1_000)
  const slept: number[] = []
  const sleep = async (ms: number): Promise<void> => await Promise.resolve(void slept.push(ms))
  await pace.turn(read, { roomMs: 60_000, sleep })
  expect(slept).toEqual([1_000])
  const late = pace.turn(read, { roomMs: 1_000, sleep })
  await expect(late).rejects.toThrow('could not read the login: GitHub limits the rate of requests.')
})

it.each([
  [60_000, 60_001, true],
  [60_001, 99_000, false],
  [7_000, 7_000, false],
])('a rate limit of %d ms is waited for in %d ms: %s', (pauseMs, roomMs, expected) => {
  expect(isShortLimit(pauseMs, roomMs)).toBe(expected)
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
