import { FASTER } from '../e2e/journey.ts'

/**
 * The clock of a sandbox, which runs as fast as that of the action: dates keep their distance from each other. It stops at
 * the end of a run, so that the judge sees what the run saw last.
 */
export class SandboxClock {
  readonly #from = { date: Date.now(), time: performance.now() }
  #jumped = 0
  #stoppedAt: number | undefined

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#stoppedAt ?? this.#running()

  #running(): number {
    return this.#from.date + (performance.now() - this.#from.time) * FASTER.clockSpeed + this.#jumped
  }

  jump(ms: number): void {
    this.#jumped += ms
  }

  /** Shows this moment. Returns the result of `look`. */
  at<T>(moment: number, look: () => T): T {
    this.#stoppedAt = moment
    try {
      return look()
    } finally {
      this.#stoppedAt = undefined
    }
  }
}
