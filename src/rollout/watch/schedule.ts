import type { TimedPhase } from '../outcome.ts'
import type { PollInterval } from '../rollout-request.ts'
import { POLL_PAUSE_JITTER, READ_AGAIN_MS } from '../timing.ts'
import { withinBounds } from './bounds.ts'

/** Where a watch is. Times are milliseconds since the watch began. */
export interface Situation {
  /** Now. */
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
  /** Polls that were sent. */
  polls: number
  /** Polls that failed in a row. */
  failures: number
  planner: Planner | undefined
  /** The Retry-After of a failed poll, in milliseconds. */
  retryAfterMs: number | undefined
  /** A random number from 0 to 1. */
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
