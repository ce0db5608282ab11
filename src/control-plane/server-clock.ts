/** When a request was sent, if that is known, and when its answer came, in monotonic milliseconds of the run. */
export interface Moments {
  sentAt?: number
  cameAt: number
}

/** A Date is cut to the second. */
const SECOND_MS = 1_000
/** The Dates of one clock may differ by this much. */
const TOLERANCE_MS = 2_000

/**
 * The server's clock, as far as the Dates of its answers show it. Several servers may answer, whose clocks differ: their
 * Dates cannot be compared with a time that one of them has noted, and none is usable.
 */
export class ServerClock {
  /** Between these, in milliseconds, the server's clock is ahead of the run's. */
  #least = -Infinity
  #most = Infinity

  /** @param date in milliseconds since the epoch; undefined if the answer has none */
  heard(date: number | undefined, { sentAt, cameAt }: Moments): void {
    if (date === undefined) return
    this.#least = Math.max(this.#least, date - cameAt)
    if (sentAt !== undefined) this.#most = Math.min(this.#most, date + SECOND_MS - sentAt)
  }

  /** The earliest time that the server's clock can show at `now` (monotonic milliseconds); undefined if unknown. */
  time(now: number): number | undefined {
    const isKnown = this.#least > -Infinity && this.#least <= this.#most + TOLERANCE_MS
    return isKnown ? now + this.#least : undefined
  }
}
