import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { WritePace } from '../../src/github/retry.ts'

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
