import { describe, expect, it, test } from '@jest/globals'
import fc from 'fast-check'
import { createChance } from '../../sandbox/chance.ts'
import { GatheredReads } from '../../src/control-plane/many.ts'
import { FleetWatch, isWatchedTogether, watchPace } from '../../src/fleet/watch.ts'
import { aDeployment } from '../builders.ts'
import { aControlPlane } from '../control-plane-stub.ts'
import { virtualClock } from '../virtual-clock.ts'
import { named, rolledOut, type Life, type ModelOptions } from './model.ts'

/** Log-normal, with a median of 90 s and a variation of 0.3; a fifth of them fail. */
function lives(names: readonly string[]): Map<string, Life> {
  const random = createChance(7)
  return new Map(
    names.map((name) => {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
      const end = random() < 0.2 ? 'DEPLOY_FAILED' : 'DEPLOYED'
      return [name, { durationMs: 90_000 * Math.exp(0.3 * normal), end }]
    }),
  )
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN

async function rollOut(count: number, requestsPerSecond: number, over?: ModelOptions['over']) {
  const names = named(count)
  const all = lives(names)
  const lifeOf = (name: string): Life => all.get(name) ?? { durationMs: 1, end: 'DEPLOYED' }
  const model = await rolledOut(names, { lifeOf, wave: { maxFailures: count }, request: { requestsPerSecond }, over })
  const ends = Object.fromEntries(names.map((name) => [name, lifeOf(name).end === 'DEPLOYED' ? 'deployed' : 'failed']))
  expect(model.ends).toEqual(ends)
  const lateOf = (end: string): number =>
    percentile(names.filter((name) => ends[name] === end).map(model.lagOf), 0.95) / 1_000
  const looks = model.requests.filter(({ about }) => about.includes('"ids"'))
  return { successS: lateOf('deployed'), failureS: lateOf('failed'), requests: model.requests, looks }
}

describe('the watch of many', () => {
  test.each([
    { count: 8, perSecond: 10, successS: 2.2, failureS: 11, each: 25 },
    { count: 40, perSecond: 10, successS: 2.3, failureS: 17, each: 16 },
    { count: 120, perSecond: 50, successS: 2.3, failureS: 13, each: 14 },
    { count: 8, perSecond: 2, successS: 6.5, failureS: 35, each: 12 },
  ])('$count at $perSecond a second: success is seen within $successS s, failure within $failureS s', async (size) => {
    const { successS, failureS, requests } = await rollOut(size.count, size.perSecond)
    expect(successS).toBeLessThanOrEqual(size.successS)
    expect(failureS).toBeLessThanOrEqual(size.failureS)
    expect(requests.length / size.count).toBeLessThanOrEqual(size.each)
  })

  test('shows a success although its single read waits behind writes', async () => {
    // The last writes leave when the first rollouts have long ended.
    const { successS } = await rollOut(120, 2)
    expect(successS).toBeLessThanOrEqual(8.5)
  })

  test('reads a service that ignores the ids by single reads alone', async () => {
    const { looks, successS } = await rollOut(12, 10, (calls) => ({
      listDeployments: async (query) =>
        query.ids === undefined
          ? await calls.listDeployments(query)
          : { resources: [aDeployment({ id: 'another' })], offset: 1 },
    }))
    expect(looks).toHaveLength(1)
    expect(successS).toBeLessThanOrEqual(11)
  })

  test('a read of a revision goes before the others only if a list shows it as active', async () => {
    const reads: { id: string; isFirst: boolean; status: string }[] = []
    await rolledOut(named(30), {
      over: (calls) => ({
        getRevision: async (id, revisionId, options) => {
          const revision = await calls.getRevision(id, revisionId)
          if (options !== undefined) reads.push({ id, isFirst: options.urgency === 'end', status: revision.status })
          return revision
        },
      }),
    })
    const first = reads.filter(({ isFirst }) => isFirst)
    expect(new Set(first.map(({ id }) => id)).size).toBeGreaterThan(10)
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(['DEPLOYED']))
    expect(reads.length).toBeGreaterThan(first.length)
  })
})

test.each([
  [1, false],
  [2, false],
  [3, true],
])('of %i rollouts at the same time is one watch of all: %s', (parallel, isShared) => {
  expect(isWatchedTogether(parallel)).toBe(isShared)
})

test.each([
  { n: 3, rate: 10, lookMs: 2_000, readMs: 10_000, reads: 6 },
  { n: 1_000, rate: 10, lookMs: 2_000, readMs: 10_000, reads: 6 },
  { n: 1_001, rate: 10, lookMs: 2_200, readMs: 10_000, reads: 6 },
  { n: 300, rate: 50, lookMs: 2_000, readMs: 10_000, reads: 30 },
  { n: 8, rate: 6, lookMs: 2_000, readMs: 10_000, reads: 3 },
  { n: 8, rate: 5, lookMs: 2_400, readMs: 12_000, reads: 3 },
  { n: 300, rate: 2, lookMs: 6_000, readMs: 30_000, reads: 3 },
  { n: 700, rate: 2, lookMs: 7_000, readMs: 30_000, reads: 4 },
  { n: 6, rate: 1, lookMs: 12_000, readMs: 60_000, reads: 3 },
  { n: 6, rate: 0.5, lookMs: 24_000, readMs: 60_000, reads: 3 },
])('$n under way at $rate a second: a look every $lookMs ms, and $reads reads', ({ n, rate, ...pace }) => {
  expect(watchPace(n, rate)).toEqual(pace)
})

test('looks take at most half of the budget, and single reads three tenths', () => {
  const anyRate = fc.oneof(fc.double({ min: 0.1, max: 1_000, noNaN: true }), fc.integer({ min: 1, max: 100 }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), anyRate, (n, rate) => {
      const { lookMs, readMs, reads } = watchPace(n, rate)
      expect((1_000 * Math.ceil(n / 100)) / lookMs).toBeLessThanOrEqual(rate / 2 + 1e-6)
      expect((1_000 * reads) / lookMs).toBeLessThanOrEqual(0.3 * rate + 1e-3)
      expect(reads).toBeGreaterThanOrEqual(1)
      expect(readMs).toBeLessThanOrEqual(60_000)
    }),
  )
})

/** A watch whose turns come when the test says so. */
function open() {
  const clock = virtualClock()
  const cancel = new AbortController()
  const run = { clock, signal: cancel.signal, deadline: Infinity }
  const asked: { at: number; latest: number; give: (hasTurn: boolean) => void }[] = []
  const looks: number[] = []
  let rates = 0
  const controlPlane = aControlPlane({
    listDeployments: ({ ids = [] }) => {
      looks.push(clock.now())
      return Promise.resolve({ resources: ids.map((id) => aDeployment({ id })), offset: ids.length })
    },
  })
  const budget = {
    perSecond: () => {
      rates += 1
      return 10
    },
    turn: async (_kind: string, latest: number) =>
      await new Promise<boolean>((give) => asked.push({ at: clock.now(), latest, give })),
  }
  const watch = new FleetWatch(new GatheredReads({ ...controlPlane, within: () => controlPlane }, run), budget, run)
  const ends: string[] = []
  const until = async (id: string, at = 1_000_000, isOfInterest = () => false): Promise<void> => {
    const { kind } = await watch.until(at, id, isOfInterest)
    ends.push(`${id} ${kind} ${clock.now()}`)
  }
  return { clock, cancel, asked, looks, ends, until, countOfRates: () => rates }
}

const NEVER = new AbortController().signal

describe('a single read', () => {
  it('is due 10 s after the last one, for the revision whose last one is oldest when the turn comes', async () => {
    const { clock, asked, ends, until } = open()
    await clock.run(async () => {
      void until('older')
      await clock.sleep(3_000, NEVER)
      // As if it had been read at the look at 2 s.
      void until('younger')
      await clock.sleep(8_999, NEVER)
      expect(asked.map(({ at, latest }) => [at, latest])).toEqual([[10_000, 11_999]])
      await clock.sleep(2, NEVER)
      // Both are due now.
      expect(asked.map(({ at }) => at)).toEqual([10_000, 12_000, 12_000])
      asked[0]?.give(false)
      asked[1]?.give(true)
      await clock.sleep(1, NEVER)
      expect(ends).toEqual(['older turn 12001'])
      void until('older')
      asked[2]?.give(true)
      await clock.sleep(1, NEVER)
      expect(ends).toEqual(['older turn 12001', 'younger turn 12002'])
      void until('younger')
      await clock.sleep(9_900, NEVER)
      expect(asked).toHaveLength(3)
      await clock.sleep(200, NEVER)
      expect(asked).toHaveLength(5)
    })
  })

  it('is asked for at most as often as three tenths of the budget allow', async () => {
    const { clock, asked, until } = open()
    await clock.run(async () => {
      for (const id of named(8)) void until(id)
      await clock.sleep(10_001, NEVER)
      expect(asked).toHaveLength(6)
      for (const { give } of asked) give(true)
      await clock.sleep(2_000, NEVER)
      expect(asked).toHaveLength(8)
    })
  })

  it('of one whose wait has ended meanwhile is the next one', async () => {
    const { clock, asked, ends, until } = open()
    await clock.run(async () => {
      void until('first', 10_500)
      void until('second')
      await clock.sleep(10_600, NEVER)
      asked[0]?.give(true)
      await clock.sleep(1, NEVER)
      expect(ends).toEqual(['first time 10500', 'second turn 10600'])
    })
  })

  it('of one that a look has shown meanwhile is another one, and nothing if no other is due', async () => {
    const { clock, asked, ends, until, looks } = open()
    let isActive = false
    await clock.run(async () => {
      void until('agent', 1_000_000, () => isActive)
      await clock.sleep(10_001, NEVER)
      expect(asked).toHaveLength(1)
      isActive = true
      await clock.sleep(2_200, NEVER)
      expect(ends).toEqual(['agent found 10100'])
      expect(looks).toHaveLength(5)
      asked[0]?.give(true)
      await clock.sleep(1, NEVER)
      expect(ends).toHaveLength(1)
    })
  })
})

describe('a wait', () => {
  it('ends at its moment, and with it the looks', async () => {
    const { clock, ends, until, looks, countOfRates } = open()
    await clock.run(async () => {
      await until('agent', 5_000)
      await clock.sleep(60_000, NEVER)
    })
    expect(ends).toEqual(['agent time 5000'])
    expect(looks).toHaveLength(2)
    expect(countOfRates()).toBe(3)
  })

  it('ends with the run', async () => {
    const { clock, cancel, until } = open()
    await clock.run(async () => {
      const waiting = until('agent')
      const refused = expect(waiting).rejects.toThrow('cancelled')
      await clock.sleep(3_000, NEVER)
      cancel.abort(new Error('cancelled'))
      await refused
      await expect(until('agent')).rejects.toThrow('cancelled')
    })
  })
})
