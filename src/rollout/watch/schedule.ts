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
  /** Whether the revision's status has changed since we began to watch. */
  hasChanged: boolean
  /** Pauses made since the last change of status, or since the beginning. */
  pausesSinceChange: number
  /** What a failed poll asked for, in milliseconds. */
  retryAfterMs: number | undefined
  random: () => number
}

/**
 * Milliseconds to pause before the next poll. `auto`: from 1 s growing to at most 10 s, and from 2 s again whenever the
 * status changes, for then things move. The server's Retry-After wins when it is longer.
 */
export function nextPollDelay(moment: PollMoment): number {
  return Math.max(ownDelay(moment), moment.retryAfterMs ?? 0)
}

function ownDelay({ interval, hasChanged, pausesSinceChange, random }: PollMoment): number {
  if (interval !== 'auto') return interval
  const start = hasChanged ? POLL_PAUSE_AFTER_CHANGE_MS : FIRST_POLL_PAUSE_MS
  const grown = Math.min(LONGEST_POLL_PAUSE_MS, start * POLL_PAUSE_GROWTH ** pausesSinceChange)
  return Math.round(grown * (1 - POLL_PAUSE_JITTER * random()))
}
