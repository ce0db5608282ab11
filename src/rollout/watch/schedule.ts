import type { TimedPhase } from '../outcome.ts'
import type { PollInterval } from '../rollout-request.ts'
import { POLL_PAUSE_JITTER, READ_AGAIN_MS } from '../timing.ts'

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
  /** Of a failed poll. */
  retryAfterMs: number | undefined
  random: number
}

/** Returns the milliseconds before the next poll. `auto` is planned, within bounds. A longer Retry-After takes precedence. */
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
