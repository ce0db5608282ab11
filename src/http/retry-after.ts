import { parseHttpDate, parseTimestamp } from './dates.ts'

interface Asking {
  'retry-after'?: string | undefined
  date?: string | undefined
}

/** More digits exceed every calendar. */
const SECONDS = /^\d{1,11}(?:\.\d{1,20})?$/

/**
 * How long an answer asks to wait, in milliseconds (RFC 9110, "Retry-After"): whole seconds, or until a date of the
 * server's own clock. 0 if that time is over; undefined if it names none.
 * @param wallTime counts for an answer without a usable Date
 */
export function retryAfterOf(headers: Asking, wallTime: number): number | undefined {
  const header = headers['retry-after']?.trim()
  if (header === undefined) return undefined
  if (SECONDS.test(header)) return Math.ceil(Number(header)) * 1_000
  const until = parseHttpDate(header) ?? parseTimestamp(header)
  return until === undefined ? undefined : Math.max(0, until - timeOf(headers, wallTime))
}

/** The time of an answer by the clock of its server, in milliseconds since the epoch. */
export function timeOf({ date }: Pick<Asking, 'date'>, wallTime: number): number {
  return parseHttpDate(date) ?? wallTime
}
