import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { PhaseTimes } from '../../../src/rollout/outcome.ts'
import { learn, mixtureOf, tableOf } from '../../../src/rollout/watch/knowledge.ts'
import {
  longestPause,
  nextPollDelay,
  plannerOf,
  type PollMoment,
  type Situation,
  withinBounds,
} from '../../../src/rollout/watch/next-poll.ts'

const inMs = (queue: number, build: number, deploy: number): PhaseTimes => ({
  queue: queue * 1_000,
  build: build * 1_000,
  deploy: deploy * 1_000,
})
const known = {
  nothing: learn({ totals: [], phases: [] }),
  totals: learn({ totals: [210_000, 220_000, 230_000], phases: [] }),
  phases: learn({ totals: [], phases: [inMs(10, 180, 30), inMs(11, 190, 31), inMs(9, 170, 29)] }),
  short: learn({ totals: [12_000, 14_000, 16_000], phases: [] }),
}
const inQueue: Situation = { elapsedMs: 10_000, phase: 'queue', began: [0, 0] }
const inBuild: Situation = { elapsedMs: 185_000, phase: 'build', began: [9_000, 10_000] }
const nearEnd: Situation = { elapsedMs: 219_000, phase: 'deploy', began: [190_000, 191_000] }

describe('the plan of a watch', () => {
  it.each<[keyof typeof known, Situation, number, number]>([
    ['nothing', inQueue, 8_000, 10_000],
    ['nothing', inBuild, 25_000, 30_000],
    ['nothing', nearEnd, 2_000, 4_000],
    ['totals', inBuild, 15_000, 25_000],
    ['totals', nearEnd, 1_500, 3_000],
    ['phases', inBuild, 10_000, 16_000],
    ['phases', nearEnd, 800, 1_600],
    ['short', inQueue, 1_500, 4_000],
  ])('by %s, in %j: a pause of %d to %d ms', (what, situation, least, most) => {
    const pause = plannerOf(known[what])(situation)
    expect(pause).toBeGreaterThanOrEqual(least)
    expect(pause).toBeLessThanOrEqual(most)
  })

  it('is the same for the same situation, whatever was planned in between', () => {
    const planner = plannerOf(known.phases)
    const first = planner(nearEnd)
    plannerOf(known.nothing)(inQueue)
    expect(planner(nearEnd)).toBe(first)
  })

  it('depends on nothing but the time where the status shows no phase', () => {
    const planner = plannerOf(known.totals)
    const pauses = [0, 60_000, 180_000].map((at) =>
      planner({ elapsedMs: 185_000, phase: 'unknown', began: [at, at + 1_000] }),
    )
    expect(new Set(pauses).size).toBe(1)
  })

  it('asks seldom while the end is far beyond the plan', () => {
    const long = learn({ totals: [], phases: [inMs(10, 7_200, 30), inMs(10, 7_100, 30), inMs(10, 7_300, 30)] })
    expect(plannerOf(long)(inBuild)).toBeGreaterThan(25_000)
  })

  it('computes the costs of later phases once', () => {
    const { deploy, ...earlier } = known.totals.phases
    let asked = 0
    const cdf = (ms: number): number => {
      asked += 1
      return deploy.cdf(ms)
    }
    const planner = plannerOf({ ...known.totals, phases: { ...earlier, deploy: { ...deploy, cdf } } })
    planner(inBuild)
    const once = asked
    planner(inBuild)
    expect([once > 0, asked - once]).toEqual([true, 0])
  })

  it('changes little by one more sample that is like the others', () => {
    const more = learn({ totals: [210_000, 215_000, 220_000, 230_000], phases: [] })
    expect(Math.abs(plannerOf(more)(inBuild) - plannerOf(known.totals)(inBuild))).toBeLessThan(3_000)
  })
})

describe('what is known of the time', () => {
  const spread = (totals: number[]): number => {
    const knowledge = learn({ totals, phases: [] })
    return knowledge.whole.quantile(0.9) / knowledge.whole.quantile(0.1)
  }

  it('is wider with fewer samples', () => {
    const spreads = [[], [220_000], [210_000, 220_000, 230_000], Array<number>(8).fill(220_000)].map(spread)
    expect(spreads).toEqual(spreads.toSorted((one, other) => other - one))
    expect(spreads[0]).toBeGreaterThan(3)
    expect(spreads[3]).toBeLessThan(1.5)
  })

  it.each<[keyof typeof known, number, number]>([
    ['nothing', 270_000, 305_000],
    ['totals', 214_000, 228_000],
    ['phases', 214_000, 228_000],
    ['short', 13_000, 18_000],
  ])('by %s: half the rollouts end within %d to %d ms', (what, least, most) => {
    expect(known[what].whole.quantile(0.5)).toBeGreaterThan(least)
    expect(known[what].whole.quantile(0.5)).toBeLessThan(most)
  })

  it('is no narrower than the samples of a project: one in a hundred is far from them', () => {
    const { whole } = learn({ totals: Array<number>(8).fill(220_000), phases: [] })
    expect(1 - whole.cdf(500_000)).toBeGreaterThan(0.01)
    expect(whole.cdf(86_400_000)).toBeCloseTo(1, 3)
  })

  it('by one sample is nearer to other projects than the sample', () => {
    const { build } = learn({ totals: [], phases: [inMs(10, 7_200, 30)] }).phases
    expect(build.quantile(0.5)).toBeLessThan(6_900_000)
  })

  it('is the same by ten samples as by thousands that are like them', () => {
    const medians = [10, 300, 5_000].map((count) =>
      learn({ totals: Array<number>(count).fill(220_000), phases: [] }).whole.quantile(0.5),
    )
    for (const median of medians) expect(Math.abs(median - 220_000)).toBeLessThan(1_000)
  })

  it('is that of the phases where they are known, whatever the totals are', () => {
    const both = learn({ totals: [12_000, 14_000, 16_000], phases: [inMs(10, 180, 30)] })
    expect(both.bearing.deploy(220_000)).toBe(1)
    expect(both.phaselessMs).toBe(0)
    expect([known.short.phaselessMs, known.totals.phaselessMs]).toEqual([60_000, 0])
    expect(known.totals.bearing.deploy(220_000)).toBeGreaterThan(2)
  })
})

describe('a table', () => {
  it('has a value for every number, and outside its range the nearest one', () => {
    for (const ms of [-1e9, -5, 0, 0.5, 10, 50, 1e6, 1e9, 1e300, Infinity]) expect(tableOf(() => 7)(ms)).toBe(7)
  })

  it('of a distribution has no time before 0, and a density for every number', () => {
    const soon = mixtureOf([{ weight: 1, medianMs: 50, sigma: 0.2 }])
    expect([-5, 0].map(soon.cdf)).toEqual([0, 0])
    expect(soon.cdf(1e12)).toBeCloseTo(1, 6)
    for (const ms of [-5, 0, 1e12]) expect(soon.density(ms)).toBeCloseTo(0, 12)
  })
})

const FIRST: Situation = { elapsedMs: 0, phase: 'queue', began: [0, 0] }

/** The pause before the next poll of a new watch, in milliseconds. */
function delay(over: Partial<PollMoment> = {}): number {
  const planner = () => 4_000
  return nextPollDelay({
    interval: 'auto',
    situation: FIRST,
    polls: 0,
    failures: 0,
    planner,
    retryAfterMs: undefined,
    random: 0,
    ...over,
  })
}

describe('the pause before the next poll', () => {
  it('is the planned one, shortened in proportion to the random number by a twentieth at most', () => {
    expect(delay()).toBe(4_000)
    expect(delay({ random: 0.5 })).toBe(3_900)
    expect(delay({ random: 1 })).toBe(3_800)
    expect(delay({ random: 0.333 })).toBe(3_933)
  })

  it('is as long as the bounds allow while there is no plan', () => {
    expect(delay({ planner: undefined })).toBe(10_000)
  })

  it('is not shortened when it is fixed', () => {
    expect(delay({ interval: 5_000, random: 1 })).toBe(5_000)
    expect(delay({ interval: 200, polls: 1_000 })).toBe(200)
  })

  it('is not shorter than the server asks for', () => {
    expect(delay({ retryAfterMs: 25_000, random: 1 })).toBe(25_000)
    expect(delay({ retryAfterMs: 10, random: 1 })).toBe(3_800)
    expect(delay({ interval: 200, retryAfterMs: 3_000 })).toBe(3_000)
  })
})

describe('the bounds of a pause', () => {
  it.each([
    [0, 10_000],
    [20_000, 10_000],
    [30_000, 15_000],
    [60_000, 30_000],
    [3_600_000, 30_000],
  ])('after %d ms it is at most %d ms', (elapsed, longest) => {
    expect(longestPause(elapsed)).toBe(longest)
    for (const pause of [1e9, Infinity, NaN]) expect(withinBounds(pause, elapsed, 0)).toBe(longest)
  })

  it.each([
    { polls: 0, elapsed: 0, shortest: 0 },
    { polls: 7, elapsed: 0, shortest: 0 },
    { polls: 8, elapsed: 0, shortest: 8_000 },
    { polls: 8, elapsed: 5_000, shortest: 3_000 },
    { polls: 15, elapsed: 60_000, shortest: 4_000 },
  ])('after $polls polls in $elapsed ms it is at least $shortest ms', ({ polls, elapsed, shortest }) => {
    for (const pause of [0, -1e9]) expect(withinBounds(pause, elapsed, polls)).toBe(shortest)
  })
})

const anyNumber = fc.oneof(
  fc.double(),
  fc.double({ min: 0, max: 1e9, noNaN: true }),
  fc.constantFrom(0, 1, NaN, Infinity, 1e-300, 1e300),
)
const aTime = fc.oneof(fc.integer({ min: 100, max: 21_600_000 }), fc.integer({ min: 1_000, max: 900_000 }))
const phaseTimes = fc.record<PhaseTimes>({ queue: aTime, build: aTime, deploy: aTime })
const knowledge = fc.record({
  totals: fc.array(aTime, { maxLength: 10 }),
  phases: fc.array(phaseTimes, { maxLength: 8 }),
})
const aPhase = fc.constantFrom('queue', 'build', 'deploy', 'unknown')

describe('a watch with any plan', () => {
  /** Sends polls for a quarter of an hour; changes of the phase come at any of them. */
  function hold(
    planner: (situation: Situation) => number,
    phases: readonly Situation['phase'][],
    random: number,
    failed: readonly number[] = [0],
  ): void {
    let [now, polls, last] = [0, 0, 0]
    let began: [number, number] = [0, 0]
    let broken = 0
    // A watch without bounds would never end here.
    while (now < 900_000 && broken === 0) {
      const phase = phases[polls % phases.length] ?? 'queue'
      const situation = { elapsedMs: now, phase, began }
      const pause = nextPollDelay({
        interval: 'auto',
        situation,
        polls,
        failures: failed[polls % failed.length] ?? 0,
        planner,
        retryAfterMs: undefined,
        random,
      })
      if (!(pause <= Math.max(10_000, Math.min(30_000, now / 2)) + 1)) broken += 1
      last = now
      now += pause
      polls += 1
      // A pause is whole milliseconds.
      if (!(polls <= 8 + (now + 1) / 8_000)) broken += 1
      if (phase !== phases[polls % phases.length]) began = [last, now]
    }
    expect(broken).toBe(0)
  }
  const random = fc.double({ min: 0, max: 1, noNaN: true })
  const phases = fc.array(aPhase, { minLength: 1, maxLength: 20 })
  const failures = fc.array(fc.oneof(fc.constant(0), fc.nat(2_000)), { minLength: 1, maxLength: 20 })

  it('never exceeds the bounds, whatever the plan returns', () => {
    fc.assert(
      fc.property(fc.array(anyNumber, { minLength: 1 }), phases, random, failures, (pauses, seen, chance, failed) => {
        let at = 0
        hold(() => pauses[at++ % pauses.length] ?? 0, seen, chance, failed)
      }),
    )
  })

  it('never exceeds the bounds, whatever earlier rollouts show', () => {
    fc.assert(
      fc.property(knowledge, phases, random, (samples, seen, chance) => hold(plannerOf(learn(samples)), seen, chance)),
      { numRuns: 10 },
    )
  })

  it('plans a pause that is a positive number', () => {
    const began = fc.tuple(fc.nat(1e8), fc.nat(1e8))
    fc.assert(
      fc.property(knowledge, aPhase, fc.nat(2e8), began, (samples, phase, elapsedMs, [one, other]) => {
        const pause = plannerOf(learn(samples))({
          elapsedMs,
          phase,
          began: [Math.min(one, other), Math.max(one, other)],
        })
        expect(pause > 0 && pause < Infinity).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})
