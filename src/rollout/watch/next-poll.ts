import { TIMED_PHASES, type TimedPhase } from '../outcome.ts'
import type { Knowledge } from './knowledge.ts'
import type { PollInterval } from '../rollout-request.ts'
import { POLL_PAUSE_JITTER, READ_AGAIN_MS } from '../timing.ts'

/** A request is worth so much lag, in milliseconds. */
const REQUEST_MS = 110
/** The moments of a plan, in milliseconds from now: equal steps first, then growing ones. */
const FINE_STEP_MS = 400
const FINE_STEPS = 30
const GROWTH = 1.07
const MOST_MOMENT = 500_000
const MOMENTS = [0]
for (let step = FINE_STEP_MS, at = step; at < MOST_MOMENT; at += step) {
  MOMENTS.push(at)
  if (MOMENTS.length > FINE_STEPS) step *= GROWTH
}
MOMENTS.push(MOST_MOMENT)
const COUNT = MOMENTS.length
/** The times that a change of the phase may be seen late, in milliseconds. */
const DELAYS = [0, 2_000, 5_000, 10_000, 20_000, 30_000]
const MOST_DELAY = 30_000
const EIGHTHS = [1, 3, 5, 7, 9, 11, 13, 15].map((n) => n / 16)
/** Three moments stand for a begin that is uncertain: the points and weights of a Gauss quadrature. */
const BEGINS = [
  [0.1127, 5 / 18],
  [0.5, 8 / 18],
  [0.8873, 5 / 18],
] as const

/** What a change of the phase costs that is seen so late, in milliseconds of lag, for each {@link FINE_STEP_MS}. */
type CostOfDelay = Float64Array

/**
 * The pause before the next poll, in milliseconds: the first one of the plan that costs least. A plan costs the time
 * from the end of the rollout to the poll that sees it, and {@link REQUEST_MS} for each poll.
 */
export function plannerOf(knowledge: Knowledge): Planner {
  const ofDeploy = costOfDelay('deploy', knowledge, undefined)
  const ofBuild = costOfDelay('build', knowledge, ofDeploy)
  const costAfter = { queue: ofBuild, build: ofDeploy, deploy: undefined, unknown: undefined }
  return (situation) => {
    const phase = situation.elapsedMs < knowledge.phaselessMs ? 'unknown' : situation.phase
    return solve({ ...situation, phase }, knowledge, costAfter[phase]).pauseMs
  }
}

/** The phase begins at its usual time: its cost depends little on that. */
function costOfDelay(phase: TimedPhase, knowledge: Knowledge, costAfter: CostOfDelay | undefined): CostOfDelay {
  const earlier = TIMED_PHASES.slice(0, TIMED_PHASES.indexOf(phase))
  const elapsedMs = earlier.reduce((sum, name) => sum + knowledge.phases[name].quantile(0.5), 0)
  const { cdf } = knowledge.phases[phase]
  const values = DELAYS.map((delay) => {
    const { cost, left } = solve({ elapsedMs, phase, began: [elapsedMs - delay, elapsedMs] }, knowledge, costAfter)
    // The phase may have ended before its begin is seen.
    const late = EIGHTHS.reduce((sum, part) => sum + (cdf(delay * part) * delay * (1 - part)) / EIGHTHS.length, 0)
    return late + left * cost
  })
  return Float64Array.from({ length: Math.ceil(MOST_DELAY / FINE_STEP_MS) + 1 }, (_, n) =>
    interpolate(n * FINE_STEP_MS, values),
  )
}

/** Between the values at {@link DELAYS}. */
function interpolate(delay: number, values: readonly number[]): number {
  const above = DELAYS.findIndex((one, n) => n > 0 && one >= delay)
  const [from, to] = [DELAYS[above - 1] ?? 0, DELAYS[above] ?? 0]
  const [low, high] = [values[above - 1] ?? 0, values[above] ?? 0]
  return low + ((high - low) * (delay - from)) / (to - from)
}

/** Solves a phase backwards. `cost`: of a case that has not ended yet, in milliseconds of lag. `left`: their share. */
function solve(situation: Situation, knowledge: Knowledge, costAfter: CostOfDelay | undefined) {
  const { ended, sums, all, left } = sharesOf(situation, knowledge)
  const cheapest = new Float64Array(COUNT)
  let first = 1
  for (let from = COUNT - 2; from >= 0; from--) {
    const start = MOMENTS[from] ?? 0
    const last = start + longestPause(situation.elapsedMs + start)
    const [endedFrom, sumFrom] = [ended[from] ?? 0, sums[from] ?? 0]
    let best = Number.POSITIVE_INFINITY
    for (let to = from + 1; to < COUNT; to++) {
      const moment = MOMENTS[to] ?? 0
      if (moment > last && to > from + 1) break
      const share = (ended[to] ?? 0) - endedFrom
      const lag = moment * share - (sums[to] ?? 0) + sumFrom
      const delay = Math.min(MOST_DELAY, moment - start) / FINE_STEP_MS
      const late = costAfter === undefined ? lag : share * (costAfter[Math.round(delay)] ?? 0)
      const cost = late + (cheapest[to] ?? 0)
      if (cost > best) continue
      best = cost
      first = to
    }
    cheapest[from] = best + REQUEST_MS * (all - endedFrom)
  }
  return { pauseMs: MOMENTS[first] ?? 0, cost: (cheapest[0] ?? 0) / Math.max(all, Number.MIN_VALUE), left }
}

/**
 * For each moment, `ended`: the share of cases that have ended, `sums`: of their times. `all`: the share that has not
 * ended now, in the same measure. `left`: as in {@link solve}.
 */
function sharesOf({ elapsedMs, phase, began }: Situation, knowledge: Knowledge) {
  const [after, by] = phase === 'unknown' ? [0, 0] : began
  const { cdf } = phase === 'unknown' ? knowledge.whole : knowledge.phases[phase]
  const bearing = phase === 'unknown' ? () => 1 : knowledge.bearing[phase]
  const begins =
    by - after < FINE_STEP_MS
      ? [{ at: by, weight: 1 }]
      : BEGINS.map(([part, weight]) => ({ at: after + part * (by - after), weight }))
  const endedBy = (moment: number): number =>
    begins.reduce((share, { at, weight }) => share + weight * cdf(moment - at), 0)
  const ended = new Float64Array(COUNT)
  const sums = new Float64Array(COUNT)
  let before = endedBy(elapsedMs)
  const left = 1 - before
  for (let at = 1; at < COUNT; at++) {
    const [from, to] = [MOMENTS[at - 1] ?? 0, MOMENTS[at] ?? 0]
    const now = endedBy(elapsedMs + to)
    const share = Math.max(0, now - before) * bearing(elapsedMs + (from + to) / 2)
    before = now
    ended[at] = (ended[at - 1] ?? 0) + share
    sums[at] = (sums[at - 1] ?? 0) + (share * (from + to)) / 2
  }
  const later = (1 - before) * bearing(elapsedMs + MOST_MOMENT)
  return { ended, sums, all: (ended[COUNT - 1] ?? 0) + later, left }
}

/** Times are milliseconds since the watch began. */
export interface Situation {
  elapsedMs: number
  /** `unknown`: the status shows no phase, so that only the whole is known. */
  phase: TimedPhase | 'unknown'
  /** The phase began after the first moment, and by the second one. */
  began: readonly [afterMs: number, byMs: number]
}

/** The pause before the next poll by what is known of earlier rollouts, in milliseconds. It knows no bounds. */
export type Planner = (situation: Situation) => number

export interface PollMoment {
  interval: PollInterval
  situation: Situation
  polls: number
  failures: number
  planner: Planner | undefined
  retryAfterMs: number | undefined
  random: number
}

/** `auto` is planned, within bounds. A longer Retry-After takes precedence. */
export function nextPollDelay(moment: PollMoment): number {
  const { interval, situation, polls, failures, planner, retryAfterMs = 0, random } = moment
  if (typeof interval === 'object') return Math.max(polls <= 1 ? interval.firstMs : interval.thenMs, retryAfterMs)
  if (interval !== 'auto') return Math.max(interval, retryAfterMs)
  // A failed poll shows nothing: it is sent again soon, and then ever later.
  const again = failures === 0 ? Number.POSITIVE_INFINITY : READ_AGAIN_MS * 2 ** (failures - 1)
  const planned = Math.min(again, planner?.(situation) ?? Number.POSITIVE_INFINITY)
  const pause = withinBounds(planned * (1 - POLL_PAUSE_JITTER * random), situation.elapsedMs, polls)
  return Math.max(Math.round(pause), retryAfterMs)
}

/** No pause is longer at first, in milliseconds. */
const LONGEST_FIRST_MS = 10_000
/** No pause is ever longer, in milliseconds. */
const LONGEST_MS = 30_000
/** So many polls may be sent at any rate, and one more for each of so many milliseconds. */
const POLLS_AT_ONCE = 8
const MS_PER_POLL = 8_000

/** The longest pause after so long a watch, in milliseconds: an unexpected end is seen soon enough. */
export function longestPause(elapsedMs: number): number {
  return Math.max(LONGEST_FIRST_MS, Math.min(LONGEST_MS, elapsedMs / 2))
}

/** The bounds hold whatever a plan says. After t seconds, no more than 8 + t / 8 polls are sent. */
export function withinBounds(pauseMs: number, elapsedMs: number, polls: number): number {
  const shortest = Math.max(0, (polls + 1 - POLLS_AT_ONCE) * MS_PER_POLL - elapsedMs)
  const longest = longestPause(elapsedMs)
  return Math.min(longest, Math.max(shortest, Number.isFinite(pauseMs) ? pauseMs : longest))
}
