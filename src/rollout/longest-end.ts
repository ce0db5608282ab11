import { LAST_ATTEMPT_MS } from '../control-plane/transport.ts'
import type { RolloutRequest, Verification, WatchRequest } from './rollout-request.ts'
import {
  BAKE_FAILURES,
  EARLIER_READING_MS,
  LEAST_GRACE_MS,
  LOG_READING_MS,
  VERIFY_REQUEST_TIMEOUT_MS,
} from './timing.ts'

/** The longest time from the start of a run to its end. All times are milliseconds. */
export interface LongestEnd {
  /** The limits that the user sets, in the order in which they may be used up. */
  limits: readonly (readonly [input: string, ms: number])[]
  /** For the last requests of each part, which the action itself limits. */
  graceMs: number
}

export type TimedRequest = WatchRequest & Partial<RolloutRequest>

/** At a deadline, one request may begin up to {@link LAST_ATTEMPT_MS} late, and may take as long. */
export const LAST_REQUESTS_MS = 2 * LAST_ATTEMPT_MS

const CONFIRMATION_MS = LEAST_GRACE_MS + LAST_REQUESTS_MS
const LOG_MS = LOG_READING_MS + LAST_REQUESTS_MS
/** Before the last poll, a heartbeat may wait for the earlier revisions. */
const LAST_POLL_MS = EARLIER_READING_MS + 2 * LAST_REQUESTS_MS
/** A bake ends with a whole row of reads. */
const LAST_BAKE_READS_MS = BAKE_FAILURES * VERIFY_REQUEST_TIMEOUT_MS

export function longestRollout(request: TimedRequest): LongestEnd {
  const { timeoutMs, verification, logs, rollback = 'never', wait = true, dryRun = false } = request
  const planned = { limits: [['timeout', timeoutMs]], graceMs: LAST_REQUESTS_MS } as const
  if (dryRun) return planned
  // After a lost write, what else it may have made is looked for, and the revision is confirmed once more.
  const watched = { limits: planned.limits, graceMs: LAST_POLL_MS + 3 * CONFIRMATION_MS }
  if (!wait) return watched
  const live = logs === 'live' ? LOG_MS : 0
  const rolledOut = [
    watched,
    grace(live),
    ...(verification === undefined ? [] : [verified(verification)]),
    grace(logs === 'never' ? 0 : LOG_MS),
  ]
  if (rollback === 'never') return joined(rolledOut)
  // One good answer verifies the restored revision.
  const check = verification && verified({ ...verification, forMs: undefined })
  return joined([...rolledOut, ...named('rollback', [watched, grace(live), ...(check === undefined ? [] : [check])])])
}

export function longestWork({ timeoutMs }: { timeoutMs: number }): LongestEnd {
  return { limits: [['timeout', timeoutMs]], graceMs: LAST_REQUESTS_MS }
}

export function grace(graceMs: number): LongestEnd {
  return { limits: [], graceMs }
}

export function named(part: string, ends: readonly LongestEnd[]): LongestEnd[] {
  return ends.map(({ limits, graceMs }) => {
    return { limits: limits.map(([input, ms]) => [`${part}: ${input}`, ms] as const), graceMs }
  })
}

export function joined(ends: readonly LongestEnd[]): LongestEnd {
  return { limits: ends.flatMap(({ limits }) => limits), graceMs: ends.reduce((sum, { graceMs }) => sum + graceMs, 0) }
}

export function sumOf({ limits, graceMs }: LongestEnd): number {
  return limits.reduce((sum, [, ms]) => sum + ms, graceMs)
}

function verified({ timeoutMs, forMs }: Verification): LongestEnd {
  const first = { limits: [['verify-timeout', timeoutMs] as const], graceMs: LAST_REQUESTS_MS + LAST_ATTEMPT_MS }
  const bake = forMs === undefined ? [] : [{ limits: [['verify-for', forMs] as const], graceMs: LAST_BAKE_READS_MS }]
  return joined([first, ...bake, grace(CONFIRMATION_MS)])
}
