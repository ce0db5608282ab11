import type { Store } from './store.ts'

/** Requests that the sandbox acts on later than it answers. */
export class LateActs {
  readonly #store: Store
  readonly #now: () => number
  #waiting: { at: number; act: () => unknown }[] = []

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  get count(): number {
    return this.#waiting.length
  }

  /** @param at milliseconds since the epoch */
  add(at: number, act: () => unknown): void {
    this.#waiting = [...this.#waiting, { at, act }].sort((one, other) => one.at - other.at)
  }

  /** Does what is due, as of its time: a later read shows no difference. */
  settle(now = this.#now()): void {
    const due = this.#waiting.filter(({ at }) => at <= now)
    this.#waiting = this.#waiting.filter(({ at }) => at > now)
    for (const { at, act } of due) this.#store.at(at, act)
  }
}
