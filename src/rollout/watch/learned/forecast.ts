import type { Situation } from '../schedule.ts'
import { inverse } from './distribution.ts'
import { TIMED_PHASES, type Knowledge } from './knowledge.ts'

/** Times that stand for a phase that has not begun, equally likely. */
const LIKELY_TIMES = 16
const SHARES = Array.from({ length: LIKELY_TIMES }, (_, n) => (n + 0.5) / LIKELY_TIMES)

/** The whole time, in milliseconds from the creation, within which this share of the rollouts ends. */
export function wholeTime(knowledge: Knowledge, share: number): number {
  return knowledge.whole.quantile(share)
}

/**
 * The time from now, in milliseconds, within which this share of the rollouts in that situation ends. The totals of
 * earlier rollouts weigh in each phase.
 */
export function remainingTime(knowledge: Knowledge, situation: Situation, share: number): number {
  const { elapsedMs } = situation
  const { phase, began } = situation
  const times =
    phase === 'unknown'
      ? left(knowledge.whole.cdf, elapsedMs, () => 1)
      : left(knowledge.phases[phase].cdf, elapsedMs - (began[0] + began[1]) / 2, (more) =>
          knowledge.bearing[phase](elapsedMs + more),
        )
  const later = phase === 'unknown' ? [] : TIMED_PHASES.slice(TIMED_PHASES.indexOf(phase) + 1)
  const sums = later.reduce<number[]>((before, name) => {
    const next = SHARES.map((one) => knowledge.phases[name].quantile(one))
    return thin(before.flatMap((one) => next.map((other) => one + other)))
  }, times)
  return sums[Math.min(sums.length - 1, Math.floor(share * sums.length))] ?? 0
}

/** Equally likely remaining times of a phase that has lasted so long. */
function left(cdf: (ms: number) => number, ageMs: number, bearing: (moreMs: number) => number): number[] {
  const age = Math.max(0, ageMs)
  const before = cdf(age)
  const ends = SHARES.map((share) => Math.max(0, inverse(cdf, before + share * (1 - before)) - age))
  const weights = ends.map(bearing)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let [sum, at] = [0, 0]
  return SHARES.map((share) => {
    while (at < ends.length - 1 && sum + (weights[at] ?? 0) < share * all) sum += weights[at++] ?? 0
    return ends[at] ?? 0
  })
}

function thin(times: readonly number[]): number[] {
  const sorted = times.toSorted((one, other) => one - other)
  return SHARES.map((share) => sorted[Math.floor(share * sorted.length)] ?? 0)
}
