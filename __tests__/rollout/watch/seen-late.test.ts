import { describe, expect, it } from '@jest/globals'
import { createChance } from '../../../sandbox/chance.ts'
import { beginWatch, step, type Observation } from '../../../src/rollout/watch/step.ts'
import { aRevision } from '../../builders.ts'

// The figures of docs/rollout.md, "Waiting", in simulated time.

/** How long the service takes to answer. */
const ANSWER_MS = 50

/** Watches a rollout that ends after so long. Times are milliseconds. */
function watchTo(endsAt: number, status: string, random: () => number): { lateMs: number; requests: number } {
  let state = beginWatch({ pollInterval: 'auto', phaseLimits: {}, deadline: Infinity }, 0)
  let observation: Observation = { kind: 'revision-read', revision: aRevision({ status: 'QUEUED' }) }
  let [now, requests] = [0, 0]
  for (;;) {
    const taken = step(state, observation, { now, random: random() })
    const { next } = taken
    state = taken.state
    switch (next.kind) {
      case 'end':
        return { lateMs: now - endsAt, requests }
      case 'wake':
        now = next.at
        observation = { kind: 'time-passed' }
        break
      case 'read-revision':
        now = next.at + ANSWER_MS
        requests += 1
        observation = { kind: 'revision-read', revision: aRevision({ status: now < endsAt ? 'BUILDING' : status }) }
        break
      case 'read-deployment':
        now += ANSWER_MS
        requests += 1
        observation = { kind: 'deployment-read', finding: { kind: 'unknown' } }
    }
  }
}

const VARIATION = 0.2
const ROLLOUTS = 1_000

/** Log-normally distributed. */
function aTime(medianMs: number, chance: () => number): number {
  const gauss = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
  return medianMs * Math.exp(Math.sqrt(Math.log(1 + VARIATION ** 2)) * gauss)
}

describe('the end of a rollout', () => {
  it.each(
    [
      [20, 1.9],
      [60, 3.3],
      [120, 4.8],
      [240, 4.8],
      [900, 4.8],
    ].flatMap(([endS = 0, lateS = 0]) => ['DEPLOYED', 'BUILD_FAILED'].map((status) => [status, endS, lateS] as const)),
  )('%s after about %d s is seen at most %d s late (p95)', (status, endS, lateS) => {
    const [rollouts, pauses] = [createChance(1), createChance(2)]
    const late = Array.from({ length: ROLLOUTS }, () => watchTo(aTime(endS * 1_000, rollouts), status, pauses).lateMs)
    const p95 = late.toSorted((one, other) => one - other)[Math.ceil(ROLLOUTS * 0.95) - 1] ?? NaN
    expect(p95).toBeLessThan((lateS + 0.05) * 1_000)
    expect(p95).toBeGreaterThan(lateS * 900)
  })
})

it.each([
  [60, 30],
  [240, 70],
  [900, 210],
])('%d s of watching take about %d requests', (endS, about) => {
  const { requests } = watchTo(endS * 1_000, 'DEPLOYED', createChance(3))
  expect(requests).toBeLessThanOrEqual(about)
  expect(requests).toBeGreaterThan(about * 0.9)
})
