import type { Clock } from './clock.ts'

/** Resolves when the event loop has had its turn: signals and answers have come in. */
export async function takeTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** In milliseconds. Signals and answers wait for so long at most, beside one piece of the work. */
const TURN_MS = 50

/** Long work that calls `giveWay` between its pieces: after each 50 ms, the event loop has its turn. */
export class LongWork {
  readonly #clock: Pick<Clock, 'now'>
  #since: number
  #isTurnDue = false

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
    this.#since = clock.now()
  }

  /** Pieces of the same work may wait at the same time. */
  async giveWay(): Promise<void> {
    while (this.#clock.now() - this.#since >= TURN_MS) {
      this.#noteTurn()
      // Each piece waits by itself: it is done before the next one looks again.
      await takeTurn()
    }
  }

  /** Runs before all that wait for the same turn. */
  #noteTurn(): void {
    if (this.#isTurnDue) return
    this.#isTurnDue = true
    setImmediate(() => {
      this.#since = this.#clock.now()
      this.#isTurnDue = false
    })
  }
}
