import type { Clock } from '../../clock.ts'
import type { ControlPlane } from '../../control-plane/control-plane.ts'
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

type Clocks = { clock: Pick<Clock, 'now'>; controlPlane: Pick<ControlPlane, 'serverTime'> }

/**
 * When a write was sent, by the clocks of the servers that answer. Several may answer, whose clocks differ: then each end
 * of a span is that of the wider one.
 */
export class Sent {
  /** In monotonic milliseconds. */
  readonly at: number
  readonly #clocks: Clocks
  /** By how much the clocks of the servers are ahead of the run's; undefined if the read before the write has no Date. */
  #ahead: { least: number; most: number } | undefined

  /** The write follows now. */
  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.at = clocks.clock.now()
    const ahead = this.#aheadNow()
    this.#ahead = ahead === undefined ? undefined : { least: ahead, most: ahead }
  }

  /** Compares the clock of the server that has answered last. */
  compare(): void {
    const ahead = this.#aheadNow()
    if (this.#ahead === undefined || ahead === undefined) return
    const { least, most } = this.#ahead
    this.#ahead = { least: Math.min(least, ahead), most: Math.max(most, ahead) }
  }

  /**
   * The span of the write, which was lost.
   * @param lostAt in monotonic milliseconds
   */
  span(lostAt: number): Span {
    this.compare()
    if (this.#ahead === undefined) return {}
    const since = this.at + this.#ahead.least
    // Until then, the run's own clock shows that nothing is too late.
    if (this.#clocks.clock.now() <= lostAt + LOST_WRITE_WINDOW_MS) return { since }
    return { since, until: lostAt + this.#ahead.most + FRESH_READ_MS + LOST_WRITE_WINDOW_MS }
  }

  #aheadNow(): number | undefined {
    const serverTime = this.#clocks.controlPlane.serverTime()
    return serverTime === undefined ? undefined : serverTime - this.#clocks.clock.now()
  }
}
