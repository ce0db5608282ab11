/** How far back a state can be asked for, in milliseconds. */
const KEPT_MS = 60_000

/** Earlier states of many things, by the time from which each held. */
export class History<State> {
  readonly #entries = new Map<string, { since: number; state: State }[]>()

  /** @param since milliseconds since the epoch */
  add(id: string, since: number, state: State): void {
    const entries = this.#entries.get(id) ?? []
    const last = entries.findLastIndex((entry) => entry.since <= since - KEPT_MS)
    this.#entries.set(id, [...entries.slice(Math.max(0, last)), { since, state }])
  }

  /** The states at a time, by ID, in the order in which they began; without those that began later. */
  at(time: number): Map<string, State> {
    const states = new Map<string, State>()
    for (const [id, entries] of this.#entries) {
      const then = entries.findLast(({ since }) => since <= time)
      if (then !== undefined) states.set(id, then.state)
    }
    return states
  }
}
