import type { Clock } from '../../clock.ts'
import type { ControlPlane } from '../../control-plane/client.ts'
import { FRESH_READ_MS, LOST_WRITE_WINDOW_MS, TIME_TOLERANCE_MS } from '../timing.ts'

/**
 * The time in which a write can have created something, in milliseconds since the epoch. What was created earlier or
 * later is not of that write. An end that is not set is not known.
 */
export interface Span {
  since?: number | undefined
  until?: number | undefined
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

const SECOND_MS = 1_000

type Clocks = { clock: Pick<Clock, 'now'>; controlPlane: Pick<ControlPlane, 'serverTime'> }

/** When a write was sent. */
export class Sent {
  /** In monotonic milliseconds. */
  readonly at: number
  readonly #clocks: Clocks

  /** The write follows now. */
  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.at = clocks.clock.now()
  }

  /**
   * The span of the write, which was lost. Without a usable Date it has no ends.
   * @param lostAt in monotonic milliseconds
   */
  span(lostAt: number): Span {
    const now = this.#clocks.clock.now()
    const serverTime = this.#clocks.controlPlane.serverTime()
    if (serverTime === undefined) return {}
    const ahead = serverTime - now
    // What is compared with it may be dated in whole seconds by a clock that is behind that of the Dates.
    const since = Math.floor((this.at + ahead) / SECOND_MS) * SECOND_MS
    // Until then, the run's own clock shows that nothing is too late.
    if (now <= lostAt + LOST_WRITE_WINDOW_MS) return { since }
    return { since, until: lostAt + ahead + FRESH_READ_MS + LOST_WRITE_WINDOW_MS }
  }
}
