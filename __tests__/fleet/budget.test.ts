import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Pace } from '../../src/control-plane/api-request.ts'
import { Budget, mostInWindow, openLoad, soonestTurn, DeploymentTurns, withBudget } from '../../src/fleet/budget.ts'
import type { FleetEvent } from '../../src/fleet/event.ts'
import { openShared } from '../../src/fleet/fleet.ts'
import { openRate } from '../../src/fleet/rate.ts'
import { virtualClock } from '../virtual-clock.ts'
import { aFleet, aFleetModel, named, rolledOut } from './model.ts'

type Asked = Parameters<Pace['turn']>[0]

const READ: Asked = { method: 'GET' }
const WRITE: Asked = { method: 'POST' }

function setUp(perSecond: number) {
  const clock = virtualClock()
  const events: FleetEvent[] = []
  const cancel = new AbortController()
  const budget = new Budget(openLoad(perSecond, clock.now()), {
    clock,
    signal: cancel.signal,
    emit: (event) => void events.push(event),
  })
  return { clock, events, cancel, budget, turns: new DeploymentTurns(budget) }
}

/** Requests of the worst ten seconds. */
function worstOf(sentAt: readonly number[]): number {
  const times = sentAt.toSorted((one, other) => one - other)
  return Math.max(0, ...times.map((at, place) => times.slice(place).filter((one) => one < at + 10_000).length))
}

describe('a fleet', () => {
  test.each([
    [40, 4],
    [300, 10],
    [8, 2],
    [12, 1],
    [4, 0.1],
  ])('of %i deployments sends in no ten seconds more than %d a second allow', async (count, perSecond) => {
    const names = named(count)
    const { outcome, requests } = await rolledOut(names, { request: { requestsPerSecond: perSecond }, latencyMs: 200 })
    expect(outcome).toEqual({ kind: 'deployed' })
    expect(worstOf(requests.map(({ at }) => at))).toBeLessThanOrEqual(10 * perSecond + Math.max(1, perSecond))
    const writes = requests.filter(({ call }) => call === 'createRevision').map(({ at }) => at)
    const [first = 0, last = 0] = [writes[0], writes.at(-1)]
    // A write and its read for each deployment, and as much for what is read meanwhile.
    expect(last - first).toBeLessThan((4_000 * count) / perSecond)
  })
})

test('what a run sends before its fleet counts in its budget', async () => {
  const model = aFleetModel({ names: [] })
  const { clock } = model
  await clock.run(async () => {
    const run = withBudget(1, model.deps)
    await run.controlPlane.listDeployments({ limit: 1, offset: 0 })
    const { controlPlane } = openShared(aFleet([]), run)
    await controlPlane.listDeployments({ limit: 1, offset: 0 })
  })
  expect(model.requests.map(({ at }) => at)).toEqual([0, 1_000])
})

describe('the turn of a request', () => {
  const rate = { ...openRate(1, 0), nextAt: 500 }
  const idle = { rate, sentAt: [], held: 0 }
  const sentAt = Array.from({ length: 11 }, (_, second) => second * 100)

  test('comes when the rate permits it, but for the read that a write waits for', () => {
    expect((['read', 'end', 'write', 'look', 'basis'] as const).map((kind) => soonestTurn(kind, idle))).toEqual([
      500, 500, 500, 500, 0,
    ])
    expect(soonestTurn('basis', { ...idle, rate: { ...rate, pausedUntil: 4_000 } })).toBe(4_000)
  })

  test.each([
    [0.1, 2],
    [0.7, 8],
    [1, 11],
    [2.5, 27],
    [10, 110],
  ])('at %d a second, ten seconds have at most %i requests', (ceiling, most) => {
    expect(mostInWindow(ceiling)).toBe(most)
  })

  test('waits until the window has room for it, and for all that held writes may send', () => {
    expect(soonestTurn('read', { rate, sentAt, held: 0 })).toBe(10_100)
    expect(soonestTurn('read', { rate, sentAt: sentAt.slice(1), held: 0 })).toBe(500)
    // Each with its read.
    expect(soonestTurn('read', { rate, sentAt, held: 2 })).toBe(10_500)
    // The read of one of them.
    expect(soonestTurn('basis', { rate, sentAt, held: 2 })).toBe(10_300)
    // A write and its own read.
    expect(soonestTurn('write', { rate, sentAt, held: 0 })).toBe(10_200)
    expect(soonestTurn('write', { rate, sentAt: [], held: 5 })).toBe(Infinity)
    expect(soonestTurn('basis', { rate, sentAt: [], held: 5 })).toBe(0)
  })
})

describe('the budget', () => {
  test('in no second are there more requests than allowed, however many wait', async () => {
    const { clock, turns } = setUp(20)
    const sentAt: number[] = []
    const send = async (): Promise<void> => {
      if (await turns.turn(READ, Infinity)) sentAt.push(clock.now())
    }
    await clock.run(async () => await Promise.all(Array.from({ length: 100 }, send)))
    expect(sentAt).toHaveLength(100)
    for (const at of sentAt)
      expect(sentAt.filter((one) => one >= at && one < at + 1_000).length).toBeLessThanOrEqual(23)
    expect(clock.now()).toBeLessThan(5_100)
  })

  test('looks and the reads of likely ends come before writes, and these before other single reads', async () => {
    const { clock, turns } = setUp(1)
    const order: string[] = []
    const send = async (request: Asked & { name: string }): Promise<void> => {
      await turns.turn(request, Infinity)
      order.push(request.name)
    }
    const all = [
      ...['1', '2', '3'].map((name) => ({ ...READ, name })),
      { ...READ, urgency: 'end', name: 'end' } as const,
      { ...WRITE, name: 'write' },
      { ...READ, urgency: 'look', name: 'look' } as const,
    ]
    await clock.run(async () => await Promise.all(all.map(send)))
    expect(order).toEqual(['1', 'look', 'end', 'write', '2', '3'])
  })

  test('a write is sent a round trip after its turn, whatever else waits', async () => {
    const { clock, budget, turns: others } = setUp(2)
    const { signal } = new AbortController()
    const sent: string[] = []
    const note = (what: string): void => void sent.push(`${what} at ${clock.now()}`)
    await clock.run(async () => {
      const looks = Array.from({ length: 3 }, async () => {
        await others.turn({ ...READ, urgency: 'look' }, Infinity)
        note('look')
      })
      const writes = Array.from({ length: 2 }, async () => {
        const turns = new DeploymentTurns(budget)
        using turn = await turns.write(Infinity)
        expect([turn !== undefined, turns.holdsWrite]).toEqual([true, true])
        await turns.turn(READ, Infinity)
        note('read')
        await clock.sleep(200, signal)
        expect(await turns.turn(WRITE, -Infinity)).toBe(true)
        note('write')
        expect(turns.holdsWrite).toBe(false)
      })
      await Promise.all([...looks, ...writes])
    })
    expect(sent).toEqual([
      ...['look at 0', 'look at 500', 'look at 1000'],
      ...['read at 1500', 'write at 1700', 'read at 2500', 'write at 2700'],
    ])
  })

  test('a write that is not sent gives its place back', async () => {
    const { clock, budget } = setUp(0.1)
    await clock.run(async () => {
      for (let count = 0; count < 3; count++) {
        const turns = new DeploymentTurns(budget)
        using turn = await turns.write(Infinity)
        expect(turn).toBeDefined()
      }
      expect(clock.now()).toBe(20_000)
      expect(await new DeploymentTurns(budget).turn(READ, Infinity)).toBe(true)
    })
  })

  const LATENCY = fc.integer({ min: 0, max: 15_000 })
  const ANSWERS = fc.array(
    fc.record({ pauseMs: fc.integer({ max: 10_000, min: 0 }), retryAfterMs: fc.option(LATENCY, { nil: undefined }) }),
    { maxLength: 5 },
  )
  const RATE = fc.constantFrom(0.1, 0.25, 0.7, 1, 1.1, 2, 4, 10)

  test('whatever waits, however long answers take, and also after a 429, it keeps its bound, and serves all', async () => {
    const load = fc.record({
      perSecond: RATE,
      writes: fc.array(fc.array(LATENCY, { minLength: 1, maxLength: 3 }), { maxLength: 30 }),
      reads: fc.integer({ min: 0, max: 30 }),
      answers: ANSWERS,
    })
    await fc.assert(
      fc.asyncProperty(load, async ({ perSecond, writes, reads, answers }) => {
        const { clock, budget, turns } = setUp(perSecond)
        const { signal } = new AbortController()
        const sentAt: number[] = []
        const read = async (pace: DeploymentTurns): Promise<void> => {
          await pace.turn(READ, Infinity)
          sentAt.push(clock.now())
        }
        const write = async (latencies: readonly number[]): Promise<void> => {
          const own = new DeploymentTurns(budget)
          using turn = await own.write(Infinity)
          expect(turn).toBeDefined()
          for (const ms of latencies) {
            await read(own)
            await clock.sleep(ms, signal)
          }
          await own.turn(WRITE, Infinity)
          sentAt.push(clock.now())
        }
        const refuse = async (): Promise<void> => {
          for (const { pauseMs, retryAfterMs } of answers) {
            await clock.sleep(pauseMs, signal)
            budget.answered(429, retryAfterMs)
          }
        }
        const all = [...writes.map(write), ...Array.from({ length: reads }, async () => await read(turns)), refuse()]
        await clock.run(async () => await Promise.all(all))
        expect(sentAt).toHaveLength(writes.flat().length + writes.length + reads)
        expect(worstOf(sentAt)).toBeLessThanOrEqual(10 * perSecond + Math.max(1, perSecond))
      }),
      { numRuns: 60 },
    )
  })

  test('a request whose turn comes after its deadline is given up at once', async () => {
    const { clock, turns } = setUp(1)
    const given = await clock.run(
      async () => await Promise.all([Infinity, 2_500, 2_500, 2_500, 2_500].map((latest) => turns.turn(READ, latest))),
    )
    expect(given).toEqual([true, true, true, false, false])
    expect(clock.now()).toBeLessThanOrEqual(3_000)
  })

  test('a request that waits for a held write is given up at its deadline', async () => {
    const { clock, budget, turns } = setUp(0.1)
    await clock.run(async () => {
      using turn = await new DeploymentTurns(budget).write(Infinity)
      expect(turn).toBeDefined()
      expect(await turns.turn(READ, 30_000)).toBe(false)
      expect(clock.now()).toBe(30_001)
    })
  })

  test('a 429 lowers the rate of all and says so once', async () => {
    const { clock, budget, turns, events } = setUp(10)
    const sentAt: number[] = []
    await clock.run(async () => {
      budget.answered(429, 2_000)
      budget.answered(429, undefined)
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          await turns.turn(READ, Infinity)
          sentAt.push(clock.now())
        }),
      )
    })
    expect(events).toEqual([{ kind: 'rate-lowered', perSecond: 5, cameBack: 'HTTP 429, Retry-After 2 s' }])
    expect(sentAt[0]).toBe(2_000)
    expect((sentAt[4] ?? 0) - (sentAt[1] ?? 0)).toBeGreaterThan(500)
    expect(budget.perSecond()).toBeLessThan(6)
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
    const { clock, turns, cancel } = setUp(1)
    await clock.run(async () => {
      const waiting = [turns.turn(READ, Infinity), turns.turn(READ, Infinity), turns.turn(WRITE, Infinity)]
      const ends = Promise.allSettled(waiting)
      await clock.sleep(10, new AbortController().signal)
      cancel.abort(new Error('cancelled'))
      const rejected = (await ends).filter(({ status }) => status === 'rejected')
      expect(rejected).toHaveLength(2)
      expect(clock.now()).toBe(10)
      await expect(turns.turn(READ, Infinity)).rejects.toThrow('cancelled')
    })
  })
})
