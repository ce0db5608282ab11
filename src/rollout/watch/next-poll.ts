import type { PollInterval } from '../rollout-request.ts'

/** A pause is this part of the time since this run began to watch the revision. */
const PART = 1 / 20
const SHORTEST_MS = 2_000
const LONGEST_MS = 5_000
/** Pause after a failed poll. It doubles with each further failure. */
const AFTER_FAILURE_MS = 2_000
const LONGEST_AFTER_FAILURE_MS = 30_000
/** At most this part of a pause is taken off at random, so that many rollouts do not poll at the same moments. */
const JITTER = 0.05

export interface PollMoment {
  /** `shared`: the watch of many decides when the revision is read. */
  interval: PollInterval | 'shared'
  /** Milliseconds since the begin of the watch. */
  elapsedMs: number
  /** Failed polls in a row. */
  failures: number
  retryAfterMs: number | undefined
  /** From 0 to 1. */
  random: number
}

/**
 * The pause before the next poll, in milliseconds. A failure can end a rollout at any time, so the pauses of `auto` do
 * not depend on how long rollouts usually take. A longer Retry-After takes precedence. Infinity: no poll of its own.
 */
export function nextPollDelay({ interval, elapsedMs, failures, retryAfterMs = 0, random }: PollMoment): number {
  if (interval === 'shared') return retryAfterMs > 0 ? retryAfterMs : Infinity
  if (interval !== 'auto') return Math.max(interval, retryAfterMs)
  const regular = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, elapsedMs * PART))
  const pause = Math.max(regular, pauseAfterFailures(failures))
  return Math.max(Math.round(pause * (1 - JITTER * random)), retryAfterMs)
}

function pauseAfterFailures(failures: number): number {
  return failures === 0 ? 0 : Math.min(LONGEST_AFTER_FAILURE_MS, AFTER_FAILURE_MS * 2 ** (failures - 1))
}
