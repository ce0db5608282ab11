import { withoutFolder } from './files.ts'

/** What happened in a run of the simulation, in order. */
export class Trace {
  readonly lines: string[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** @param who the actor, such as a run of the action */
  add(who: string, what: string): void {
    this.lines.push(`${this.#now().toFixed(3).padStart(12)} ${who.padEnd(10)} ${withoutFolder(what)}`)
  }
}
