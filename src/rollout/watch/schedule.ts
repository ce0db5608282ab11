import type { PollInterval } from '../rollout-request.ts'

const START_MS = 1_000
const AFTER_CHANGE_MS = 2_000
const CAP_MS = 10_000
const GROWTH = 1.5
/** At most this part of a pause is taken off by chance, so that many rollouts do not poll in step. */
const JITTER = 0.2

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
  const start = hasChanged ? AFTER_CHANGE_MS : START_MS
  const grown = Math.min(CAP_MS, start * GROWTH ** pausesSinceChange)
  return Math.round(grown * (1 - JITTER * random()))
}
