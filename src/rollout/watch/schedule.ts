import type { PollInterval } from '../rollout-request.ts'
import {
  FIRST_POLL_PAUSE_MS,
  LONGEST_POLL_PAUSE_MS,
  POLL_PAUSE_AFTER_CHANGE_MS,
  POLL_PAUSE_GROWTH,
  POLL_PAUSE_JITTER,
} from '../timing.ts'

export interface PollMoment {
  interval: PollInterval
  /** Whether the revision's status has changed since the watch began. */
  hasChanged: boolean
  /** Pauses since the last change of the status, or since the watch began. */
  pausesSinceChange: number
  /** The Retry-After of a failed poll, in milliseconds. */
  retryAfterMs: number | undefined
  /** A random number from 0 to 1. */
  random: number
}

/**
 * Returns the milliseconds before the next poll. `auto` grows from a first pause to the longest one, and starts again
 * from a short one when the status changes. A longer Retry-After takes precedence.
 */
export function nextPollDelay(moment: PollMoment): number {
  const { interval, hasChanged, pausesSinceChange, retryAfterMs = 0, random } = moment
  if (interval !== 'auto') return Math.max(interval, retryAfterMs)
  const start = hasChanged ? POLL_PAUSE_AFTER_CHANGE_MS : FIRST_POLL_PAUSE_MS
  const grown = Math.min(LONGEST_POLL_PAUSE_MS, start * POLL_PAUSE_GROWTH ** pausesSinceChange)
  return Math.max(Math.round(grown * (1 - POLL_PAUSE_JITTER * random)), retryAfterMs)
}
