import { describe, expect, it } from '@jest/globals'
import { ServerClock } from '../../src/control-plane/server-clock.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

/** An answer with this Date, in milliseconds after NOW. Without moments it came at once, at that time of the run. */
type Heard = readonly [date: number, sentAt?: number, cameAt?: number]

function timeAfter(answers: readonly Heard[]): number | undefined {
  const clock = new ServerClock()
  for (const [date, sentAt = date, cameAt = sentAt] of answers) clock.heard(NOW + date, { sentAt, cameAt })
  const time = clock.time()
  return time && time - NOW
}

describe('the clock of the server', () => {
  it('is unknown before an answer with a Date', () => {
    const clock = new ServerClock()
    expect(clock.time()).toBeUndefined()
    clock.heard(undefined, { sentAt: 0, cameAt: 0 })
    expect(clock.time()).toBeUndefined()
  })

  it('is as the last Date says, which an answer without one does not change', () => {
    const clock = new ServerClock()
    clock.heard(NOW, undefined)
    clock.heard(NOW + 1_000, undefined)
    clock.heard(undefined, undefined)
    expect(clock.time()).toBe(NOW + 1_000)
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
    expect(timeAfter(answers)).toBe(answers.at(-1)?.[0])
  })

  it.each<[string, readonly Heard[]]>([
    ['ahead', [[0], [500_000, 1_000]]],
    ['behind', [[0], [-500_000, 1_000]]],
    ['just too far ahead', [[0], [3_001, 0]]],
    ['just too far behind', [[0], [-3_001, 0]]],
    ['ahead, although the answer took some time', [[0], [70_000, 0, 60_000]]],
    ['ahead once, and right again later', [[0], [500_000, 1_000], [2_000], [3_000]]],
  ])('is not usable if the Date of another server is %s', (_case, answers) => {
    expect(timeAfter(answers)).toBeUndefined()
  })
})
