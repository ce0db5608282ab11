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
  #turn: Promise<void> | undefined

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
    this.#since = clock.now()
  }

  /** Pieces of the same work may wait at the same time. */
  async giveWay(): Promise<void> {
    // Looks again after the turn: others that waited for it have worked since.
    while (this.#clock.now() - this.#since >= TURN_MS) await (this.#turn ??= this.#takeTurn())
  }

  async #takeTurn(): Promise<void> {
    await takeTurn()
    this.#since = this.#clock.now()
    this.#turn = undefined
  }
}
