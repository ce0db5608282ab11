/** In bytes: of a larger body, only the size is kept. */
const MAX_BODY = 1024 * 1024
/** In bytes, of all that is kept. */
const MAX_TRACE = 20 * 1024 * 1024
/** What an exchange takes beside its texts. */
const OVERHEAD = 500

export type Bounds = typeof BOUNDS
export const BOUNDS = { maxBody: MAX_BODY, maxTrace: MAX_TRACE, overhead: OVERHEAD }

/** What a trace may still keep. Its end comes once, and for all that follows. */
export class Room {
  readonly #bounds: Bounds
  #left: number
  isCut = false

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.#left = bounds.maxTrace
  }

  /** Whether there is room for one more exchange. */
  openExchange(): boolean {
    return this.take(this.#bounds.overhead)
  }

  take(bytes: number): boolean {
    this.isCut ||= bytes > this.#left
    if (this.isCut) return false
    this.#left -= bytes
    return true
  }

  isTooLarge(bytes: number): boolean {
    return bytes > this.#bounds.maxBody
  }
}
