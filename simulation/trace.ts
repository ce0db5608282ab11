import { createHash } from 'node:crypto'
import { withoutFolder } from './files.ts'

/** A frame of a stack in a line of the debug log, in which the runner's `%0A` is a line break. */
const FRAME = /%0A {4}at (?:(?!%0A).)*/g

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

  /** Of what happened, and of the end. The frames of a stack are left out: they name the folder of the sources. */
  digest(end: string): string {
    return createHash('sha256').update(this.lines.join('\n').replace(FRAME, '')).update(end).digest('hex')
  }
}
