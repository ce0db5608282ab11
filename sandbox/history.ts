/** How far back a state can be asked for, in milliseconds. */
const KEPT_MS = 60_000

/** Earlier states, by the time from which each held. */
export class History<State> {
  #entries: { since: number; state: State }[] = []

  /** @param since milliseconds since the epoch */
  add(since: number, state: State): void {
    const last = this.#entries.findLastIndex((entry) => entry.since <= since - KEPT_MS)
    this.#entries = [...this.#entries.slice(Math.max(0, last)), { since, state }]
  }

  /** The state at a time; undefined before the first one. */
  at(time: number): State | undefined {
    return this.#entries.findLast(({ since }) => since <= time)?.state
  }
}
