// How many requests a second: the ceiling is the input, and what the control plane answers lowers the rate.

/** Times are monotonic milliseconds. */
export interface Rate {
  readonly ceiling: number
  /** The rate at `since`: from then on it rises to the ceiling. */
  readonly perSecond: number
  readonly since: number
  /** When the next request has its turn. */
  readonly nextAt: number
  /** No request has a turn before: the control plane has asked for a pause. */
  readonly pausedUntil: number
}

/** The time in which a rate rises from zero to the ceiling. */
const FULL_RISE_MS = 60_000
/** Requests that were under way when the rate was lowered do not lower it again. */
const UNDER_WAY_MS = 2_000
/** Limit of the pause of all requests. If the service asks for a longer one, only the refused request waits longer. */
const LONGEST_PAUSE_MS = 30_000
/** Turns that a late timer has missed are made up for, within these milliseconds. */
const CATCH_UP_MS = 100
const LOWEST = 1

export function openRate(ceiling: number, now: number): Rate {
  return { ceiling, perSecond: ceiling, since: now, nextAt: now, pausedUntil: now }
}

/** Requests a second: it rises by the same amount each second. */
export function rateAt({ ceiling, perSecond, since }: Rate, now: number): number {
  return Math.min(ceiling, perSecond + (Math.max(0, now - since) / FULL_RISE_MS) * ceiling)
}

/** A request has its turn now: the next one follows after an equal part of a second. */
export function afterRequest(rate: Rate, now: number): Rate {
  const nextAt = Math.max(rate.nextAt, now - CATCH_UP_MS) + 1_000 / rateAt(rate, now)
  return { ...rate, nextAt }
}

/** A 429 halves the rate, and so does a Retry-After, for which all requests wait. `undefined`: nothing changes. */
export function afterAnswer(
  rate: Rate,
  { status, retryAfterMs }: { status: number; retryAfterMs: number | undefined },
  now: number,
): Rate | undefined {
  if (status !== 429 && retryAfterMs === undefined) return undefined
  const endOfPause = now + Math.min(LONGEST_PAUSE_MS, retryAfterMs ?? 0)
  const pausedUntil = Math.max(rate.pausedUntil, endOfPause)
  const nextAt = retryAfterMs === undefined ? rate.nextAt : Math.max(rate.nextAt, endOfPause)
  const isNew = rate.perSecond === rate.ceiling || now - rate.since >= UNDER_WAY_MS
  if (!isNew) return nextAt === rate.nextAt ? undefined : { ...rate, nextAt, pausedUntil }
  const perSecond = Math.max(Math.min(LOWEST, rate.ceiling), rateAt(rate, now) / 2)
  return { ...rate, perSecond, since: endOfPause, nextAt, pausedUntil }
}
