import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { PhaseTimes } from '../../../src/rollout/outcome.ts'
import { remainingTime, wholeTime } from '../../../src/rollout/watch/learned/forecast.ts'
import { learn, plannerOf } from '../../../src/rollout/watch/learned/plan.ts'
import type { Situation } from '../../../src/rollout/watch/schedule.ts'

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

  it('changes little by one more sample that is like the others', () => {
    const more = learn({ totals: [210_000, 215_000, 220_000, 230_000], phases: [] })
    expect(Math.abs(plannerOf(more)(inBuild) - plannerOf(known.totals)(inBuild))).toBeLessThan(3_000)
  })
})

describe('what is known of the time', () => {
  const spread = (totals: number[]): number => {
    const knowledge = learn({ totals, phases: [] })
    return wholeTime(knowledge, 0.9) / wholeTime(knowledge, 0.1)
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
    expect(wholeTime(known[what], 0.5)).toBeGreaterThan(least)
    expect(wholeTime(known[what], 0.5)).toBeLessThan(most)
  })

  it.each<[keyof typeof known, Situation, number, number]>([
    ['phases', inQueue, 190_000, 230_000],
    ['phases', inBuild, 35_000, 65_000],
    ['phases', nearEnd, 1_000, 8_000],
    ['totals', nearEnd, 5_000, 25_000],
    ['nothing', { elapsedMs: 300_000, phase: 'unknown', began: [0, 0] }, 60_000, 250_000],
  ])('by %s, in %j: half of them end within %d to %d ms from now', (what, situation, least, most) => {
    const time = remainingTime(known[what], situation, 0.5)
    expect(time).toBeGreaterThan(least)
    expect(time).toBeLessThan(most)
  })

  it('is a time that grows with the share', () => {
    const aTime = fc.integer({ min: 100, max: 21_600_000 })
    const samples = fc.record({
      totals: fc.array(aTime, { maxLength: 3 }),
      phases: fc.array(fc.record<PhaseTimes>({ queue: aTime, build: aTime, deploy: aTime }), { maxLength: 3 }),
    })
    const phase = fc.constantFrom('queue', 'build', 'deploy', 'unknown')
    fc.assert(
      fc.property(samples, phase, fc.nat(3_600_000), (given, name, elapsedMs) => {
        const knowledge = learn(given)
        const situation: Situation = { elapsedMs, phase: name, began: [0, elapsedMs / 2] }
        const times = [0, 0.1, 0.5, 0.9, 0.999].map((share) => remainingTime(knowledge, situation, share))
        expect(times.every((time) => time >= 0 && time < Infinity)).toBe(true)
        expect(times).toEqual(times.toSorted((one, other) => one - other))
      }),
      { numRuns: 20 },
    )
  })
})
