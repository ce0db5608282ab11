import { describe, expect, test } from '@jest/globals'
import { fleet } from '../../src/fleet/fleet.ts'
import { aFleet, aFleetModel, aWave, endsIn, named, statusAt, type Life } from './model.ts'

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
  const model = aFleetModel({ names, lifeOf })
  const wave = aWave(names, { maxParallel, maxFailures: count })
  await model.clock.run(async () => await fleet(aFleet([wave], { requestsPerSecond }), model.deps))
  /** A list counts if it shows a revision that is under way. */
  const isOfWatch = ({ call, about, at }: (typeof model.requests)[number]): boolean => {
    const under = [...about.matchAll(/id-of-[\w-]+/g)].map(([id]) => model.known.get(id)?.born ?? 0)
    return call !== 'createRevision' && under.some((born) => born > 0 && at > born)
  }
  const failed = names.filter((name) => lifeOf(name).end !== 'DEPLOYED')
  const deployed = names.filter((name) => !failed.includes(name))
  const fixed = names.reduce((sum, name) => sum + fixedSchedule(lifeOf(name)), 0)
  const watch = model.requests.filter(isOfWatch)
  return {
    ends: endsIn(model.events),
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
  }, 60_000)

  test('of 10 and of 100: more deployments need fewer requests each, and never more than single watches', async () => {
    const [few, more] = [await rollOut(10, 10), await rollOut(100, 20)]
    expect(more.watch / 100).toBeLessThan(few.watch / 10)
    expect(few.watch / few.fixed).toBeLessThan(0.35)
    expect(more.watch / more.fixed).toBeLessThan(0.2)
    expect(Math.max(few.success, more.success)).toBeLessThanOrEqual(15_000)
  })

  test('a read of a revision goes before the others only if a list shows it as active', async () => {
    const names = named(30)
    const reads: { id: string; isFirst: boolean; status: string }[] = []
    const model = aFleetModel({
      names,
      over: (calls) => ({
        getRevision: async (id, revisionId, options) => {
          const revision = await calls.getRevision(id, revisionId)
          if (options !== undefined) reads.push({ id, isFirst: options.first === true, status: revision.status })
          return revision
        },
      }),
    })
    await model.clock.run(async () => await fleet(aFleet([aWave(names)]), model.deps))
    const first = reads.filter(({ isFirst }) => isFirst)
    expect(new Set(first.map(({ id }) => id)).size).toBe(30)
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(['DEPLOYED']))
    expect(reads.length).toBeGreaterThan(first.length)
  })

  test('of 6 with 10 requests a second: as closely as single watches, with no more requests', async () => {
    const [six, ten] = [await rollOut(6, 6, 10), await rollOut(10, 10, 10)]
    expect(six.watch / six.fixed).toBeLessThanOrEqual(0.6)
    expect(six.statuses / 6).toBeGreaterThanOrEqual(4)
    // Only the confirmations of the ends.
    expect(six.looks / 6).toBeLessThanOrEqual(2)
    expect(ten.watch / 10).toBeLessThan(six.watch / 6)
  })
})
