import type { Clock } from './clock.ts'

/** Works on several items at a time, in their order. Throws the first error at once; then no further item begins. */
export async function forEachOfFew<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // Not those of the items themselves, as of an array: what leaves a loop over these ends them for all others.
  const queue = Iterator.from(items).map((item) => item)
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: most }, worker))
}

/** Asks once for each key, and returns that answer from then on. An answer is kept, an error is not. */
export function oncePerKey<Given extends readonly unknown[], T>(
  ask: (...args: Given) => Promise<T>,
  keyOf: (...args: Given) => string,
): (...args: Given) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return async (...args) => {
    const key = keyOf(...args)
    const answer = answers.get(key) ?? ask(...args)
    answers.set(key, answer)
    try {
      return await answer
    } catch (thrown) {
      answers.delete(key)
      throw thrown
    }
  }
}

/** Resolves when the event loop has had its turn: signals and answers have come in. */
export async function takeTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Milliseconds: signals and answers wait for this time, and for one piece of the work, at most. */
const TURN_MS = 50

/** Long work that calls `giveWay` between its pieces: after each 50 ms, the event loop has its turn. */
export class LongWork {
  readonly #clock: Clock
  #since: number
  #isTurnDue = false

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.now()
  }

  async giveWay(): Promise<void> {
    while (this.#clock.now() - this.#since >= TURN_MS) {
      this.#noteTurn()
      // Each piece waits by itself: it is done before the next one looks again.
      await takeTurn()
    }
  }

  #noteTurn(): void {
    if (this.#isTurnDue) return
    this.#isTurnDue = true
    setImmediate(() => {
      this.#since = this.#clock.now()
      this.#isTurnDue = false
    })
  }
}
