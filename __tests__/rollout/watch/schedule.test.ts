import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { PhaseTimes } from '../../../src/rollout/outcome.ts'

import {
  learn,
  longestPause,
  nextPollDelay,
  plannerOf,
  type PollMoment,
  type Situation,
  withinBounds,
} from '../../../src/rollout/watch/planner.ts'

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
