/** Why one attempt did not bring an answer to use. */
export type AttemptFailure =
  | { kind: 'status'; status: number; retryAfterMs: number | undefined }
  /** No connection came about: the server certainly saw nothing. */
  | { kind: 'not-connected' }
  /** Not worth another try: the server's certificate was refused. */
  | { kind: 'untrusted' }
  /** The connection broke, timed out or the answer was cut: the server may have acted. */
  | { kind: 'answer-lost'; timedOut: boolean }

export type Verdict = 'final' | 'retry' | 'ambiguous'

/** Statuses that may pass by themselves (rule 11 of the contract notes). */
export const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * What may follow a failed attempt. What is repeatable, like a read, is tried again; a write only when the server
 * certainly did not act on it (nothing was sent, 425, 429, or 503 with Retry-After); any other temporary failure of a write is ambiguous.
 */
export function judgeFailure(failure: AttemptFailure, repeatable: boolean): Verdict {
  switch (failure.kind) {
    case 'not-connected':
      return 'retry'
    case 'untrusted':
      return 'final'
    case 'answer-lost':
      return repeatable ? 'retry' : 'ambiguous'
    case 'status': {
      if (!TEMPORARY.has(failure.status)) return 'final'
      if (repeatable) return 'retry'
      return certainlyNotActed(failure.status, failure.retryAfterMs) ? 'retry' : 'ambiguous'
    }
  }
}

/** Whether the server may be at work still on what was sent: somebody only got tired of waiting. */
export function maybeAtWork(failure: AttemptFailure): boolean {
  return failure.kind === 'status'
    ? failure.status === 504
    : failure.kind === 'answer-lost' && failure.timedOut
}

function certainlyNotActed(status: number, retryAfterMs: number | undefined): boolean {
  return status === 425 || status === 429 || (status === 503 && retryAfterMs !== undefined)
}

const BASE_MS = 500
const CAP_MS = 20_000

/**
 * Milliseconds to pause before retry number `retry` (0 = the first): capped exponential backoff with full jitter,
 * unless the server said how long to wait.
 */
export function retryDelay(retry: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return retryAfterMs
  return Math.round(random() * Math.min(CAP_MS, BASE_MS * 2 ** retry))
}

const SECONDS = /^\s*\d+(\.\d+)?\s*$/

/**
 * `Retry-After` in milliseconds, from seconds or an HTTP date. A date is measured against the server's own `Date`
 * header where there is one, so that a clock that differs from ours does not matter.
 */
export function parseRetryAfter(
  header: string | undefined,
  serverDate: string | undefined,
  wallTime: number,
): number | undefined {
  if (header === undefined) return undefined
  if (SECONDS.test(header)) return Math.round(Number(header) * 1000)
  const until = Date.parse(header)
  if (Number.isNaN(until)) return undefined
  const serverNow = Date.parse(serverDate ?? '')
  return Math.max(0, until - (Number.isNaN(serverNow) ? wallTime : serverNow))
}
