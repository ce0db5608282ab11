import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ApiRequest } from '../../src/control-plane/api-request.ts'
import { afterAnswer, afterRequest, Budget, openRate, rateAt, type Rate } from '../../src/fleet/budget.ts'
import type { FleetEvent } from '../../src/fleet/event.ts'
import { virtualClock } from '../virtual-clock.ts'

const READ: ApiRequest = { method: 'GET', path: '/v2/deployments', attempted: 'list' }
const WRITE: ApiRequest = { method: 'POST', path: '/v2/deployments', attempted: 'create' }
const BUSY = { status: 429, retryAfterMs: undefined }

function setUp(perSecond: number) {
  const clock = virtualClock()
  const events: FleetEvent[] = []
  const cancel = new AbortController()
  const budget = new Budget(perSecond, { clock, signal: cancel.signal, emit: (event) => void events.push(event) })
  return { clock, events, cancel, budget }
}

describe('the rate', () => {
  test('a 429 halves it once for the requests that were under way, and it rises again by equal steps', () => {
    const full = openRate(40, 0)
    const half = afterAnswer(full, BUSY, 1_000) ?? full
    expect(rateAt(half, 1_000)).toBe(20)
    expect(afterAnswer(half, BUSY, 1_500)).toBeUndefined()
    expect(afterAnswer(half, { status: 429, retryAfterMs: 3_000 }, 1_500)).toEqual({ ...half, nextAt: 4_500 })
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

describe('the budget', () => {
  test('in no second are there more requests than allowed, however many wait', async () => {
    const { clock, budget } = setUp(20)
    const sentAt: number[] = []
    const send = async (): Promise<void> => {
      if (await budget.turn(READ, Infinity)) sentAt.push(clock.now())
    }
    await clock.run(async () => await Promise.all(Array.from({ length: 100 }, send)))
    expect(sentAt).toHaveLength(100)
    for (const at of sentAt)
      expect(sentAt.filter((one) => one >= at && one < at + 1_000).length).toBeLessThanOrEqual(23)
    expect(clock.now()).toBeLessThan(5_100)
  })

  test('writes come before reads that wait longer', async () => {
    const { clock, budget } = setUp(1)
    const order: string[] = []
    const send = async (request: ApiRequest): Promise<void> => {
      await budget.turn(request, Infinity)
      order.push(request.method)
    }
    await clock.run(async () => await Promise.all([READ, READ, READ, WRITE].map(send)))
    expect(order).toEqual(['GET', 'POST', 'GET', 'GET'])
  })

  test('the reads that most likely show an end come before the others, which keep their order', async () => {
    const { clock, budget } = setUp(1)
    const order: string[] = []
    const send = async (request: ApiRequest): Promise<void> => {
      await budget.turn(request, Infinity)
      order.push(request.path)
    }
    const reads = ['/1', '/2', '/3'].map((path) => ({ ...READ, path }))
    const first = { ...READ, path: '/first', first: true } as const
    const all = [...reads, first, { ...WRITE, path: '/write' }]
    await clock.run(async () => await Promise.all(all.map(send)))
    expect(order).toEqual(['/1', '/write', '/first', '/2', '/3'])
  })

  test('a request whose turn comes after its deadline is given up at once', async () => {
    const { clock, budget } = setUp(1)
    const turns = await clock.run(
      async () => await Promise.all([Infinity, 2_500, 2_500, 2_500, 2_500].map((latest) => budget.turn(READ, latest))),
    )
    expect(turns).toEqual([true, true, true, false, false])
    expect(clock.now()).toBeLessThanOrEqual(3_000)
  })

  test('a 429 lowers the rate of all and says so once', async () => {
    const { clock, budget, events } = setUp(10)
    const sentAt: number[] = []
    await clock.run(async () => {
      budget.answered(429, 2_000)
      budget.answered(429, undefined)
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          await budget.turn(READ, Infinity)
          sentAt.push(clock.now())
        }),
      )
    })
    expect(events).toEqual([{ kind: 'rate-lowered', perSecond: 5, cameBack: 'HTTP 429, Retry-After 2 s' }])
    expect(sentAt[0]).toBe(2_000)
    expect((sentAt[4] ?? 0) - (sentAt[1] ?? 0)).toBeGreaterThan(500)
  })

  test('a rate that stays about as low is not said each time', async () => {
    const { clock, budget, events } = setUp(10)
    const { signal } = new AbortController()
    await clock.run(async () => {
      // Every two seconds for half a minute.
      for (let n = 0; n < 15; n++) {
        budget.answered(429, undefined)
        await clock.sleep(2_000, signal)
      }
    })
    const rates = events.map((event) => (event.kind === 'rate-lowered' ? Math.round(event.perSecond * 10) / 10 : 0))
    expect(rates).toEqual([5, 2.7, 1.5, 1, 1])
  })

  test('a cancelled run waits for nothing', async () => {
    const { clock, budget, cancel } = setUp(1)
    await clock.run(async () => {
      const waiting = [budget.turn(READ, Infinity), budget.turn(READ, Infinity), budget.turn(WRITE, Infinity)]
      const ends = Promise.allSettled(waiting)
      await clock.sleep(10, new AbortController().signal)
      cancel.abort(new Error('cancelled'))
      const rejected = (await ends).filter(({ status }) => status === 'rejected')
      expect(rejected).toHaveLength(2)
      expect(clock.now()).toBe(10)
      await expect(budget.turn(READ, Infinity)).rejects.toThrow('cancelled')
    })
  })
})
