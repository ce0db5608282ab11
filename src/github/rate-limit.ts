import { RefusalError } from './errors.ts'

export interface RateLimit {
  /** Milliseconds since the epoch, by the clock of the runner; `undefined` if GitHub does not report it. */
  until: number | undefined
}

/**
 * The rate limit in an answer of GitHub, if that is why it refused: it answers 403 for most of them, as it does for a
 * missing permission.
 * @param wallTime milliseconds since the epoch
 */
export function rateLimitIn(thrown: unknown, wallTime: number): RateLimit | undefined {
  if (!(thrown instanceof RefusalError)) return undefined
  const { status, message, headers } = thrown
  const isSpent = headers['x-ratelimit-remaining'] === '0'
  const isLimit = isSpent || 'retry-after' in headers || /rate limit/i.test(message)
  if (status !== 429 && !(status === 403 && isLimit)) return undefined
  const pause = numberIn(headers['retry-after'])
  if (pause !== undefined) return { until: wallTime + pause * 1000 }
  const reset = isSpent ? numberIn(headers['x-ratelimit-reset']) : undefined
  return { until: reset === undefined ? undefined : reset * 1000 + wallTime - dateIn(headers['date'], wallTime) }
}

/** The time of an answer by the clock of GitHub, which need not be that of the runner. */
function dateIn(header: unknown, wallTime: number): number {
  const date = typeof header === 'string' ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? wallTime : date
}

/** Seconds; `undefined` if they exceed every calendar. */
function numberIn(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,11}$/.test(header) ? Number(header) : undefined
}
