/** When a request was sent and when its answer came, in monotonic milliseconds of the run. */
export interface Moments {
  sentAt: number
  cameAt: number
}

/** A Date is cut to the second. */
const SECOND_MS = 1_000
/** By how much the Dates of one clock may differ. */
const TOLERANCE_MS = 2_000

/**
 * The server's clock, as far as the Dates of its answers show it. Several servers may answer, whose clocks differ: their
 * Dates cannot be compared with a time that one of them has noted, and none is usable.
 */
export class ServerClock {
  #last: number | undefined
  /** Between these the server's clock is ahead of the run's. */
  #least = -Infinity
  #most = Infinity

  /** @param date in milliseconds since the epoch; undefined if the answer has none */
  heard(date: number | undefined, moments: Moments | undefined): void {
    if (date === undefined) return
    this.#last = date
    if (moments === undefined) return
    this.#least = Math.max(this.#least, date - moments.cameAt)
    this.#most = Math.min(this.#most, date + SECOND_MS - moments.sentAt)
  }

  /** The Date of the last answer that had one; undefined if the Dates are not of one clock. */
  time(): number | undefined {
    return this.#least > this.#most + TOLERANCE_MS ? undefined : this.#last
  }
}
