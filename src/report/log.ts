import { toError } from '../clock.ts'
import type { FilePlace } from '../problem.ts'
import type { Redactor } from '../secrets/redact.ts'
import { commandLine, type Command } from '../runner.ts'
import type { World } from '../world.ts'
import { logLine, withoutMiddle } from './escape.ts'
import { LOG_TAIL_LINES } from '../rollout/timing.ts'

export type Log = ReturnType<typeof createLog>

/** In UTF-16 units, without the escapes of a command: the runner cuts the end of a longer annotation. */
const MAX_ANNOTATION = 4096

/** The only way to the log: every text is redacted, and a runner cannot take it for a workflow command. */
export function createLog(redactor: Redactor, print: World['print']) {
  const safeLines = (text: string): string => redactor.redact(text).split('\n').map(logLine).join('\n')
  const safeLine = (text: string): string => logLine(redactor.redact(text))
  const groups = new LogGroups(redactor, print)
  const outside = (text: string): string => {
    groups.close()
    return safeLines(text)
  }
  const annotate = (level: Command, text: string, title = '', place?: FilePlace): void => {
    const placed = place && { file: safeLine(place.file), line: String(place.line) }
    const shortened = withoutMiddle(outside(text), MAX_ANNOTATION)
    print(commandLine(level, shortened, { title: safeLine(title), ...placed }))
  }
  return {
    info(text: string): void {
      for (const line of outside(text).split('\n')) print(line)
    },
    notice: (text: string, title?: string): void => annotate('notice', text, title),
    warning: (text: string, title?: string): void => annotate('warning', text, title),
    error: (text: string, title: string, place?: FilePlace): void => annotate('error', text, title, place),
    // A debug line is shown in a group, too.
    debug: (text: string): void => print(commandLine('debug', safeLines(text))),
    /** Prints a line of the action's own in a group; an entry of another kind or title closes it. */
    line: (title: string, text: string): void => groups.write(safeLine(title), [safeLine(text)]),
    /** Prints lines of a server's log in a group; any other entry closes it. */
    group: (title: string, lines: readonly string[]): void => groups.add(title, lines),
    /** Prints the end of a server's log in a group of its own. */
    tail: (title: string, lines: readonly string[]): void => groups.tail(title, lines),
    /** Ends the log of the group: what was held back, because it may be the beginning of a secret, is printed. */
    endGroup: (): void => groups.end(),
    /** Removes the known secrets; needed before a text is cut, as half a secret could no longer be recognised. */
    redact: redactor.redact,
  }
}

/** The number of errors before that of the run: GitHub shows ten errors of a step. */
export const MAX_EARLIER_ERRORS = 9

/** The last resort at an exit of the process: the action waits for something that will never come. */
export function reportUnfinished(redactor: Redactor, print: World['print']): void {
  fail(redactor, print, 'it waits for something that will never come.')
}

/** The last resort for an error that is no outcome. */
export function reportBroken(redactor: Redactor, print: World['print'], thrown: unknown): void {
  const { message, stack = message } = toError(thrown)
  createLog(redactor, print).debug(stack)
  fail(redactor, print, `an error inside it (${redactor.redactFreeText(message)}).`)
}

function fail(redactor: Redactor, print: World['print'], why: string): void {
  // Another log may have left a group open.
  print(commandLine('endgroup'))
  createLog(redactor, print).error(
    `The action stopped before its end: ${why}\nCheck what it did before you rerun the job. Rerun with debug logging, and report what it prints.`,
    'Run',
  )
}

/** The lines of `group` and `tail` are those of a server, and not redacted yet. */
export type LogEntry =
  | { level: 'debug' | 'info' | 'notice' | 'warning' | 'error'; text: string }
  | { level: 'line'; title: string; text: string }
  | { level: 'group' | 'tail'; title: string; lines: readonly string[] }
  | { level: 'end-group' }

/** Lines of a server's log, in groups that GitHub's page of the log folds. */
class LogGroups {
  readonly #redactor: Redactor
  readonly #print: World['print']
  readonly #begun = new Set<string>()
  /** By title: several logs come in turns, and the rest of a secret is not recognised without its beginning. */
  readonly #held = new Map<string, readonly string[]>()
  #open: string | undefined

  constructor(redactor: Redactor, print: World['print']) {
    this.#redactor = redactor
    this.#print = print
  }

  /** Prints lines that belong under a title, as far as they are certain to hold no secret. */
  add(title: string, lines: readonly string[]): void {
    const { ready: readyLines, held } = this.#redactor.redactLines([...(this.#held.get(title) ?? []), ...lines], false)
    this.#held.set(title, held)
    this.write(title, readyLines)
  }

  tail(title: string, lines: readonly string[]): void {
    this.write(title, this.#redactor.redactTail(lines, LOG_TAIL_LINES))
    this.close()
  }

  write(title: string, lines: readonly string[]): void {
    if (lines.length === 0) return
    if (this.#open !== title) {
      this.close()
      this.#print(commandLine('group', this.#begun.has(title) ? `${title} (continued)` : title))
      this.#begun.add(title)
      this.#open = title
    }
    for (const line of lines) this.#print(logLine(line))
  }

  /** More lines of its title may follow later. */
  close(): void {
    if (this.#open !== undefined) this.#print(commandLine('endgroup'))
    this.#open = undefined
  }

  end(): void {
    for (const [title, lines] of this.#held) this.write(title, this.#redactor.redactLines(lines, true).ready)
    this.#held.clear()
    this.close()
  }
}
