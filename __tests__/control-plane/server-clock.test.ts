import { describe, expect, it } from '@jest/globals'
import { ServerClock } from '../../src/control-plane/server-clock.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

/** An answer with this Date, in milliseconds after NOW. Without moments it came at once, at that time of the run. */
type Heard = readonly [date: number, sentAt?: number, cameAt?: number]

/** At the moment `now` of the run. */
function timeAfter(answers: readonly Heard[], now: number): number | undefined {
  const clock = new ServerClock()
  for (const [date, sentAt = date, cameAt = sentAt] of answers) clock.heard(NOW + date, { sentAt, cameAt })
  const time = clock.time(now)
  return time && time - NOW
}

describe('the clock of the server', () => {
  it('is unknown before an answer with a Date', () => {
    const clock = new ServerClock()
    expect(clock.time(0)).toBeUndefined()
    clock.heard(undefined, { sentAt: 0, cameAt: 0 })
    expect(clock.time(0)).toBeUndefined()
  })

  it('goes on after the last Date', () => {
    expect(timeAfter([[0]], 30_000)).toBe(30_000)
    expect(timeAfter([[0], [10_000]], 30_000)).toBe(30_000)
  })

  it('is as the answer says that took least, and of which least was cut off', () => {
    expect(
      timeAfter(
        [
          [0, 0, 700],
          [2_000, 1_500, 2_100],
          [3_000, 3_900],
        ],
        5_000,
      ),
    ).toBe(4_900)
  })

  it('needs no moment of sending', () => {
    const clock = new ServerClock()
    clock.heard(NOW, { cameAt: 0 })
    expect(clock.time(1_000)).toBe(NOW + 1_000)
  })

  it.each<[string, readonly Heard[]]>([
    ['hours pass', [[0], [7_200_000]]],
    ['an answer takes long', [[0], [20_000, 20_000, 80_000], [50_000, 20_000, 50_000], [90_000]]],
    ['Dates are cut to the second', [[0], [1_000, 1_999], [2_000, 2_000]]],
    ['it is three seconds off, as seconds are cut', [[0], [3_000, 0], [0, 0]]],
    [
      'it is far from the clock of the run',
      [
        [-9e9, 0],
        [-9e9 + 60_000, 60_000],
      ],
    ],
  ])('is usable if %s', (_case, answers) => {
    expect(timeAfter(answers, 100_000)).toBeDefined()
  })

  it.each<[string, readonly Heard[]]>([
    ['ahead', [[0], [500_000, 1_000]]],
    ['behind', [[0], [-500_000, 1_000]]],
    ['just too far ahead', [[0], [3_001, 0]]],
    ['just too far behind', [[0], [-3_001, 0]]],
    ['ahead, although the answer took some time', [[0], [70_000, 0, 60_000]]],
    ['ahead once, and right again later', [[0], [500_000, 1_000], [2_000], [3_000]]],
  ])('is not usable if the Date of another server is %s', (_case, answers) => {
    expect(timeAfter(answers, 100_000)).toBeUndefined()
  })
})
