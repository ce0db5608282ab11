import { LAST_ATTEMPT_MS } from '../control-plane/transport.ts'
import type { FinishRequest, Verification } from './rollout-request.ts'
import {
  BAKE_FAILURES,
  EARLIER_READING_MS,
  LEAST_GRACE_MS,
  LOG_READING_MS,
  VERIFY_REQUEST_TIMEOUT_MS,
} from './timing.ts'

/** The longest times of the parts of a run, in milliseconds, in the order in which they may be used up. */
export type LongestEnd = readonly Part[]

/** `input`: that limits it; if not set, the action itself limits these last requests. */
interface Part {
  input?: string
  ms: number
}

/** At a deadline, one request may begin up to {@link LAST_ATTEMPT_MS} late, and may take as long. */
export const LAST_REQUESTS_MS = 2 * LAST_ATTEMPT_MS

const CONFIRMATION_MS = LEAST_GRACE_MS + LAST_REQUESTS_MS
const LOG = { ms: LOG_READING_MS + LAST_REQUESTS_MS }
/** Before the last poll, a heartbeat may wait for the earlier revisions. */
const LAST_POLL_MS = EARLIER_READING_MS + 2 * LAST_REQUESTS_MS
/** A bake ends with a whole row of reads. */
const LAST_BAKE_READS_MS = BAKE_FAILURES * VERIFY_REQUEST_TIMEOUT_MS

export function longestRollout(request: FinishRequest): LongestEnd {
  const { timeoutMs, verification, logs, rollback = 'never', wait = true, dryRun = false } = request
  if (dryRun) return longestWork(request)
  // After a lost write, what else it may have made is looked for, and the revision is confirmed once more.
  const watched = [{ input: 'timeout', ms: timeoutMs }, { ms: LAST_POLL_MS + 3 * CONFIRMATION_MS }]
  if (!wait) return watched
  const followed = [...watched, ...(logs === 'live' ? [LOG] : [])]
  const rolledOut = [...followed, ...verified(verification), ...(logs === 'never' ? [] : [LOG])]
  if (rollback === 'never') return rolledOut
  // One good answer verifies the restored revision.
  return [
    ...rolledOut,
    ...named('rollback', [...followed, ...verified(verification && { ...verification, forMs: undefined })]),
  ]
}

export function longestWork({ timeoutMs }: { timeoutMs: number }): LongestEnd {
  return [{ input: 'timeout', ms: timeoutMs }, { ms: LAST_REQUESTS_MS }]
}

export function named(name: string, end: LongestEnd): LongestEnd {
  return end.map(({ input, ms }) => (input === undefined ? { ms } : { input: `${name}: ${input}`, ms }))
}

export function sumOf(end: LongestEnd): number {
  return end.reduce((sum, { ms }) => sum + ms, 0)
}

function verified(verification: Verification | undefined): LongestEnd {
  if (verification === undefined) return []
  const { timeoutMs, forMs } = verification
  const bake = forMs === undefined ? [] : [{ input: 'verify-for', ms: forMs }, { ms: LAST_BAKE_READS_MS }]
  const lastMs = LAST_REQUESTS_MS + LAST_ATTEMPT_MS + CONFIRMATION_MS
  return [{ input: 'verify-timeout', ms: timeoutMs }, ...bake, { ms: lastMs }]
}
