import { pauseBefore } from '../../http/retry.ts'
import type { PollInterval } from '../rollout-request.ts'

/** A pause is this part of the time since this run began to watch the revision. */
const PART = 1 / 20
const SHORTEST_MS = 2_000
const LONGEST_MS = 5_000
/** Pauses after failed polls in a row: 2, 4, 8, 16 and then 30 s. */
const AFTER_FAILURES = { firstMs: 2_000, factor: 2, longestMs: 30_000 }
/** At most this part of a pause is taken off at random, so that many rollouts do not poll at the same moments. */
const JITTER = 0.05

export interface PollMoment {
  /** `shared`: the watch of many decides when the revision is read. */
  interval: PollInterval | 'shared'
  /** Milliseconds since the begin of the watch. */
  elapsedMs: number
  /** Failed polls in a row. */
  failures: number
  /** How long the server asks to wait, in milliseconds; 0 if it asks for nothing. */
  retryAfterMs: number
  /** From 0 to 1. */
  random: number
}

/**
 * The pause before the next poll, in milliseconds. A failure can end a rollout at any time, so the pauses of `auto` do
 * not depend on how long rollouts usually take. A longer Retry-After takes precedence. Infinity: no poll of its own.
 */
export function nextPollDelay({ interval, elapsedMs, failures, retryAfterMs, random }: PollMoment): number {
  if (interval === 'shared') return retryAfterMs > 0 ? retryAfterMs : Infinity
  if (interval !== 'auto') return Math.max(interval, retryAfterMs)
  const regular = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, elapsedMs * PART))
  const pause = failures === 0 ? regular : Math.max(regular, pauseBefore(failures - 1, undefined, AFTER_FAILURES))
  return Math.max(Math.round(pause * (1 - JITTER * random)), retryAfterMs)
}
