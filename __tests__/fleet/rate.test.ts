import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { afterAnswer, afterRequest, openRate, rateAt, type Rate } from '../../src/fleet/rate.ts'

const BUSY = { status: 429, retryAfterMs: undefined }

describe('the rate', () => {
  test('a 429 halves it once for the requests that were under way, and it rises again by equal steps', () => {
    const full = openRate(40, 0)
    const half = afterAnswer(full, BUSY, 1_000) ?? full
    expect(rateAt(half, 1_000)).toBe(20)
    expect(afterAnswer(half, BUSY, 1_500)).toBeUndefined()
    expect(afterAnswer(half, { status: 429, retryAfterMs: 3_000 }, 1_500)).toEqual({
      ...half,
      nextAt: 4_500,
      pausedUntil: 4_500,
    })
    expect([16_000, 31_000, 90_000].map((at) => rateAt(half, at))).toEqual([30, 40, 40])
    const quarter = afterAnswer(half, BUSY, 4_000) ?? half
    expect(rateAt(quarter, 4_000)).toBe(11)
  })

  test('a Retry-After of any status stops all requests for so long, but not for more than 30 s', () => {
    const asked = afterAnswer(openRate(10, 0), { status: 503, retryAfterMs: 4_000 }, 1_000)
    expect(asked).toMatchObject({ perSecond: 5, nextAt: 5_000 })
    expect(afterAnswer(openRate(10, 0), { status: 429, retryAfterMs: 86_400_000 }, 0)?.nextAt).toBe(30_000)
    expect(afterAnswer(openRate(10, 0), { status: 503, retryAfterMs: undefined }, 0)).toBeUndefined()
  })

  test('whatever comes back, it stays between one request a second and the ceiling', () => {
    const answers = fc.array(
      fc.record({ pauseMs: fc.integer({ min: 0, max: 20_000 }), status: fc.constantFrom(429, 503) }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), answers, (ceiling, all) => {
        let rate: Rate = openRate(ceiling, 0)
        let now = 0
        for (const { pauseMs, status } of all) {
          now += pauseMs
          rate = afterAnswer(rate, { status, retryAfterMs: undefined }, now) ?? rate
          rate = afterRequest(rate, now)
          expect(rateAt(rate, now)).toBeGreaterThanOrEqual(1)
          expect(rateAt(rate, now)).toBeLessThanOrEqual(ceiling)
        }
      }),
    )
  })
})
