import { describe, expect, it, test } from '@jest/globals'
import fc from 'fast-check'
import { GatheredReads } from '../../src/control-plane/many.ts'
import { FAILURE_PAUSE_MS, FleetWatch, isFew, lookPause, readPause } from '../../src/fleet/watch.ts'
import type { RolloutEvent } from '../../src/rollout/event.ts'
import { aDeployment, aRevision, fakeClock, REVISION_ID } from '../builders.ts'
import { aControlPlane } from '../control-plane-stub.ts'
import { named, rolledOut, statusAt, type Life } from './model.ts'

/** The same numbers in each run, from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Lognormal, with a median of 90 s; 2 % fail. */
function lives(names: readonly string[]): Map<string, Life> {
  const random = seeded(7)
  return new Map(
    names.map((name) => {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
      const durationMs = 90_000 * Math.exp(0.4 * normal)
      const fails = random() < 0.02
      const at = random() < 0.5 ? 0.7 : 1
      return [
        name,
        fails
          ? { durationMs: durationMs * at, end: at < 1 ? 'BUILD_FAILED' : 'DEPLOY_FAILED' }
          : { durationMs, end: 'DEPLOYED' },
      ]
    }),
  )
}

/** The requests of a watch by the schedule before the learned one: pauses of 1 s to 10 s, shorter after each change. */
function fixedSchedule(life: Life): number {
  const [grows, longest] = [1.5, 10_000]
  let [now, requests, status, pause] = [0, 0, statusAt(life, 0), 1_000]
  for (;;) {
    now += Math.min(pause, longest)
    requests += 1
    const read = statusAt(life, now)
    if (read === life.end) return requests + (life.end === 'DEPLOYED' ? 1 : 0)
    if (requests % 7 === 6) requests += 1
    pause = read === status ? Math.min(longest, pause * grows) : 2_000
    status = read
  }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN

async function rollOut(count: number, maxParallel: number, requestsPerSecond = 50) {
  const names = named(count)
  const all = lives(names)
  const lifeOf = (name: string): Life => all.get(name) ?? { durationMs: 1, end: 'DEPLOYED' }
  const wave = { maxParallel, maxFailures: count }
  const model = await rolledOut(names, { lifeOf, wave, request: { requestsPerSecond } })
  /** A list counts if it shows a revision that is under way. */
  const isOfWatch = ({ call, about, at }: (typeof model.requests)[number]): boolean => {
    const named = [...about.matchAll(/(?<=id-of-)[\w-]+/g)].map(([name]) => name)
    return call !== 'createRevision' && named.some((name) => at > (model.bornAt.get(name) ?? Infinity))
  }
  const failed = names.filter((name) => lifeOf(name).end !== 'DEPLOYED')
  const deployed = names.filter((name) => !failed.includes(name))
  const fixed = names.reduce((sum, name) => sum + fixedSchedule(lifeOf(name)), 0)
  const watch = model.requests.filter(isOfWatch)
  return {
    ends: model.ends,
    deployed,
    failed,
    success: percentile(deployed.map(model.lagOf), 0.95),
    failure: percentile(failed.map(model.lagOf), 0.95),
    watch: watch.length,
    looks: model.requests.filter(({ about }) => about.includes('"ids"')).length,
    statuses: model.events.filter((one) => one.kind === 'of-deployment' && one.event.kind === 'status').length,
    fixed,
  }
}

describe('the watch of many', () => {
  test('of 1,000: success is seen within 15 s and failure within 60 s, by a tenth of the requests', async () => {
    const run = await rollOut(1_000, 200)
    for (const name of run.deployed) expect(run.ends[name]).toBe('deployed')
    for (const name of run.failed) expect(run.ends[name]).toBe('failed')
    expect(run.success).toBeLessThanOrEqual(15_000)
    expect(run.failure).toBeLessThanOrEqual(60_000)
    expect(run.watch / run.fixed).toBeLessThanOrEqual(0.1)
  })

  test('of 10 and of 100: more deployments need fewer requests each, and never more than single watches', async () => {
    const [few, more] = [await rollOut(10, 10), await rollOut(100, 20)]
    expect(more.watch / 100).toBeLessThan(few.watch / 10)
    expect(few.watch / few.fixed).toBeLessThan(0.35)
    expect(more.watch / more.fixed).toBeLessThan(0.2)
    expect(Math.max(few.success, more.success)).toBeLessThanOrEqual(15_000)
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
    expect(new Set(first.map(({ id }) => id)).size).toBe(30)
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(['DEPLOYED']))
    expect(reads.length).toBeGreaterThan(first.length)
  })
})

test.each([
  [1, 10, true],
  [8, 10, true],
  [9, 10, false],
  [9, 1_000, false],
  [5, 6, false],
  [1, 1, false],
])('%i rollouts at the same time, with %i requests a second, are each watched as a single one: %s', (n, rate, few) => {
  expect(isFew(n, rate)).toBe(few)
})

test.each([
  [1, 10, 5_000],
  [6, 10, 4_000],
  [9, 10, 3_000],
  [12, 10, 2_000],
  [100, 10, 2_000],
  [101, 10, 4_000],
  [200, 50, 4_000],
  [1_000, 50, 5_000],
  [12, 5, 4_000],
])('%i that wait, with %i requests a second, are looked at every %i ms', (n, rate, pauseMs) => {
  expect(lookPause(n, rate)).toBe(pauseMs)
})

test.each([
  [9, 10, 32_400],
  [10, 50, 40_000],
  [13, 50, 55_000],
  [3, 0.5, 55_000],
])('%i at the same time, with %i requests a second, are each read every %i ms', (n, rate, pauseMs) => {
  expect(readPause(n, rate)).toBe(pauseMs)
})

const anyCount = fc.integer({ min: 9, max: 1_000 })
const anyRate = fc.integer({ min: 10, max: 1_000 })

/** Looks and reads of one deployment in a second. */
const costOf = (n: number, rate: number): number =>
  (1_000 * Math.ceil(n / 100)) / (lookPause(n, rate) * n) + 1_000 / readPause(n, rate)

test('more rollouts at the same time never need more requests each, and never more than a single watch', () => {
  fc.assert(
    fc.property(anyCount, anyCount, anyRate, (one, other, rate) => {
      const [few, many] = [Math.min(one, other), Math.max(one, other)]
      // A request is counted as a whole: 101 need two.
      expect(costOf(Math.ceil(many / 100) * 100, rate)).toBeLessThanOrEqual(costOf(few, rate) + 0.005)
      expect(costOf(few, rate)).toBeLessThan(1 / 8)
    }),
  )
})

test('looks and reads take at most a tenth of the budget, as far as the pauses are not the longest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1_000 }), (n, rate) => {
      const looks = Math.ceil(n / 100) / lookPause(n, rate)
      const reads = n / readPause(n, rate)
      if (lookPause(n, rate) < 5_000) expect(looks * 1_000).toBeLessThanOrEqual(rate / 20 + 1e-9)
      if (readPause(n, rate) < 55_000) expect(reads * 1_000).toBeLessThanOrEqual(rate / 20 + 1e-9)
    }),
  )
})

const applied: RolloutEvent = {
  ...{ kind: 'applied', change: 'revised', deployment: aDeployment(), revisionId: REVISION_ID, revision: undefined },
  ...{ repeated: [], isFound: false },
}
type Ended = readonly [status: string, ms: number]
const TEN = [30, 90, 20, 80, 50, 40, 70, 60, 100, 10].map((seconds): Ended => ['DEPLOYED', seconds * 1_000])

/** When the first read of one of many follows, beyond the pause for a failure, after rollouts that took so long. */
function addedAfter(...ended: Ended[]): number {
  const clock = fakeClock()
  const around = { clock, signal: new AbortController().signal, deadline: Infinity }
  const watch = new FleetWatch(new GatheredReads(aControlPlane({}), around), { perSecond: 10, now: () => 10 }, around)
  for (const [status, ms] of ended) {
    watch.heard('agent', applied)
    clock.advance(ms)
    watch.heard('agent', { kind: 'status', revision: aRevision({ status }) })
  }
  const next = watch.nextPoll(100, false)
  return typeof next === 'object' ? next.firstMs - FAILURE_PAUSE_MS : NaN
}

it.each<[string, number, readonly Ended[]]>([
  ['of nothing is not added to', 0, TEN.slice(1)],
  ['follows a part of the time of a fast one, in whatever order they end', 12_000, TEN],
  ['follows the earliest failure', 5_000, [...TEN, ['BUILD_FAILED', 60_000], ['BUILD_FAILED', 70_000]]],
])('the first read of a revision %s', (_case, addedMs, ended) => {
  expect(addedAfter(...ended)).toBeCloseTo(addedMs)
})
