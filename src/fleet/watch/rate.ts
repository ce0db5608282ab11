/** How many requests are sent. Times are monotonic milliseconds. */
export interface Rate {
  /** Most requests a second. */
  readonly ceiling: number
  /** As it was at `since`: from then on it rises to the ceiling. */
  readonly perSecond: number
  readonly since: number
  /** When the next request has its turn. */
  readonly nextAt: number
}

/** From nothing to the ceiling. */
const FULL_RISE_MS = 60_000
/** Requests that were under way when the rate was lowered do not lower it again. */
const UNDER_WAY_MS = 2_000
/** A service that asks for a longer pause is obeyed by the request that it refused; all the others wait so long. */
const LONGEST_PAUSE_MS = 30_000
/** A late timer does not cost its turns, up to so many milliseconds. */
const CATCH_UP_MS = 100
const LOWEST = 1

export function openRate(ceiling: number, now: number): Rate {
  return { ceiling, perSecond: ceiling, since: now, nextAt: now }
}

/** Requests a second: it rises by the same amount each second. */
export function rateAt({ ceiling, perSecond, since }: Rate, now: number): number {
  return Math.min(ceiling, perSecond + (Math.max(0, now - since) / FULL_RISE_MS) * ceiling)
}

/** A request is sent now: the next one has its turn after an equal part of a second. */
export function afterRequest(rate: Rate, now: number): Rate {
  const nextAt = Math.max(rate.nextAt, now - CATCH_UP_MS) + 1_000 / rateAt(rate, now)
  return { ...rate, nextAt }
}

/**
 * The service has answered. A 429 halves the rate, and so does a Retry-After, for which all requests wait.
 * @returns undefined if the answer changes nothing
 */
export function afterAnswer(
  rate: Rate,
  { status, retryAfterMs }: { status: number; retryAfterMs: number | undefined },
  now: number,
): Rate | undefined {
  if (status !== 429 && retryAfterMs === undefined) return undefined
  const pausedUntil = now + Math.min(LONGEST_PAUSE_MS, retryAfterMs ?? 0)
  const nextAt = retryAfterMs === undefined ? rate.nextAt : Math.max(rate.nextAt, pausedUntil)
  const isNew = rate.perSecond === rate.ceiling || now - rate.since >= UNDER_WAY_MS
  if (!isNew) return nextAt === rate.nextAt ? undefined : { ...rate, nextAt }
  const perSecond = Math.max(Math.min(LOWEST, rate.ceiling), rateAt(rate, now) / 2)
  return { ...rate, perSecond, since: pausedUntil, nextAt }
}
