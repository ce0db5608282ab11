import type { ExchangeFailure } from '../http/exchange.ts'

export type Verdict = 'final' | 'retry' | 'ambiguous'

/** Statuses after which a later attempt may succeed (rule 11 of the contract notes). */
export const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Decides what follows a failed attempt, by its status or the reason why it has none. A repeatable request, like a read, is sent again after a temporary failure. A
 * write is sent again only when the server says that it did not act (no connection, 425 or 429). Every other temporary
 * failure of a write is ambiguous, and so is each status from 500 on: a gateway may answer so after the server has acted,
 * also with Retry-After.
 */
export function judgeFailure(failure: number | ExchangeFailure, repeatable: boolean): Verdict {
  if (typeof failure === 'number') {
    if (!repeatable && (failure === 408 || failure >= 500)) return 'ambiguous'
    return TEMPORARY.has(failure) ? 'retry' : 'final'
  }
  switch (failure) {
    case 'not-connected':
      return 'retry'
    case 'no-way':
    case 'untrusted':
    case 'no-tls':
      return 'final'
    case 'answer-lost':
    case 'unusable':
      return repeatable ? 'retry' : 'ambiguous'
  }
}

const BASE_MS = 500
const CAP_MS = 20_000

/** The pause in milliseconds before retry `retry` (from 0): exponential with full jitter, unless the server names it. */
export function retryDelay(retry: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return retryAfterMs
  return Math.round(random() * Math.min(CAP_MS, BASE_MS * 2 ** retry))
}

/**
 * Returns `Retry-After` in milliseconds, from seconds or a date, which is compared with the server's own `Date`.
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
