import { FRESH_READ_MS, LOST_WRITE_WINDOW_MS, TIME_TOLERANCE_MS } from '../timing.ts'

/**
 * The time in which a write can have created something, in milliseconds since the epoch. What was created earlier or
 * later is not of that write. An end that is not set is not known.
 */
export interface Span {
  since?: number | undefined
  until?: number | undefined
}

/** When a write was sent. `at`: monotonic milliseconds. `serverTime`: as reported by the last response before it. */
export interface Sent {
  at: number
  serverTime: number | undefined
}

/** Whether something was certainly created before or after a span. */
export function isOutside(createdAt: number | undefined, { since = -Infinity, until = Infinity }: Span): boolean {
  if (createdAt === undefined) return false
  return createdAt < since - TIME_TOLERANCE_MS || createdAt > until + TIME_TOLERANCE_MS
}

/**
 * The span of a write whose repetition was answered, by the date of what that one has created: both dates are of one
 * clock.
 * @param sinceFirstMs from the first attempt to that answer
 */
export function spanAround(createdAt: number | undefined, sinceFirstMs: number): Span {
  return createdAt === undefined ? {} : { since: createdAt - sinceFirstMs, until: createdAt + LOST_WRITE_WINDOW_MS }
}

/** The span of a lost write. Several servers may answer, whose clocks differ: then both ends follow the wider span. */
export function spanOf(
  { at, serverTime: first }: Sent,
  { now, serverTime: later }: { now: number; serverTime: number | undefined },
  lostAt: number,
): Span {
  // Dates of several clocks show nothing.
  if (first === undefined || later === undefined) return {}
  const since = Math.min(first, sentBy({ at }, now, later))
  // Until then, the run's own clock shows that nothing is too late.
  if (now <= lostAt + LOST_WRITE_WINDOW_MS) return { since }
  const lost = Math.max(first + lostAt - at, later + lostAt - now)
  return { since, until: lost + FRESH_READ_MS + LOST_WRITE_WINDOW_MS }
}

/** When a write was sent, by the clock of the server that has just answered. */
export function sentBy({ at }: Pick<Sent, 'at'>, now: number, serverTime: number): number {
  return serverTime - (now - at)
}
