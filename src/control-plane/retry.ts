import type { Attempt, ExchangeFailure } from '../http/exchange.ts'

export type AttemptFailure = { kind: 'status'; status: number; retryAfterMs: number | undefined } | ExchangeFailure

/** @param wallTime milliseconds since the epoch */
export function failureIn(attempt: Attempt, wallTime: number): AttemptFailure {
  if (attempt.kind === 'failure') return attempt.failure
  const { status, headers } = attempt
  return { kind: 'status', status, retryAfterMs: parseRetryAfter(headers['retry-after'], headers.date, wallTime) }
}

export type Verdict = 'final' | 'retry' | 'ambiguous'

/** Statuses after which a later attempt may succeed (rule 11 of the contract notes). */
export const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Decides what follows a failed attempt. A repeatable request, like a read, is sent again after a temporary failure. A
 * write is sent again only when the server says that it did not act (no connection, 425 or 429). Every other temporary
 * failure of a write is ambiguous, and so is each status from 500 on: a gateway may answer so after the server has acted,
 * also with Retry-After.
 */
export function judgeFailure(failure: AttemptFailure, repeatable: boolean): Verdict {
  switch (failure.kind) {
    case 'not-connected':
      return 'retry'
    case 'no-way':
    case 'untrusted':
    case 'no-tls':
      return 'final'
    case 'answer-lost':
    case 'unusable':
      return repeatable ? 'retry' : 'ambiguous'
    case 'status': {
      const { status } = failure
      if (!repeatable && (status === 408 || status >= 500)) return 'ambiguous'
      return TEMPORARY.has(status) ? 'retry' : 'final'
    }
  }
}

const BASE_MS = 500
const CAP_MS = 20_000

/**
 * Returns the milliseconds to pause before retry number `retry` (0 = the first): capped exponential backoff with full
 * jitter, unless the server says how long to wait.
 */
export function retryDelay(retry: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return retryAfterMs
  return Math.round(random() * Math.min(CAP_MS, BASE_MS * 2 ** retry))
}

/**
 * Returns `Retry-After` in milliseconds, from seconds or an HTTP date. A date is compared with the server's own `Date`
 * header if there is one, so that a difference of the clocks does not matter.
 * @param wallTime milliseconds since the epoch
 */
export function parseRetryAfter(
  header: string | undefined,
  serverDate: string | undefined,
  wallTime: number,
): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.round(Number(header) * 1000)
  const until = Date.parse(header)
  if (Number.isNaN(until)) return undefined
  const serverNow = Date.parse(serverDate ?? '')
  return Math.max(0, until - (Number.isNaN(serverNow) ? wallTime : serverNow))
}
