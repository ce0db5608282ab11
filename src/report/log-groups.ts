import { commandLine } from '../runner.ts'
import type { World } from '../world.ts'
import { logLine } from './escape.ts'
import type { Redactor } from './redact.ts'

/** Lines of a server's log, in groups that GitHub's page of the log folds. */
export interface LogGroups {
  /** Prints lines that belong under a title, as far as they are certain to hold no secret. */
  print: (title: string, lines: readonly string[]) => void
  /** Prints a line that holds no secret under a title, after the lines that were held back. */
  line: (title: string, text: string) => void
  /** Prints the end of a log, which is not redacted yet, as a group of its own. */
  tail: (title: string, lines: readonly string[]) => void
  /** Ends the group that is open. More lines of its title may follow later. */
  close: () => void
  /** Prints the lines that were held back, and closes the group. */
  end: () => void
}

export function createLogGroups(
  { redactLines, redactTail }: Pick<Redactor, 'redactLines' | 'redactTail'>,
  print: World['print'],
): LogGroups {
  const begun = new Set<string>()
  let open: string | undefined
  let held: { title: string; lines: readonly string[] } = { title: '', lines: [] }
  const close = (): void => {
    if (open !== undefined) print(commandLine('endgroup'))
    open = undefined
  }
  const write = (title: string, lines: readonly string[]): void => {
    if (lines.length === 0) return
    if (open !== title) {
      close()
      print(commandLine('group', begun.has(title) ? `${title} (continued)` : title))
      begun.add(title)
      open = title
    }
    for (const line of lines) print(logLine(line))
  }
  const settle = (): void => {
    write(held.title, redactLines(held.lines, true).shown)
    held = { title: '', lines: [] }
  }
  return {
    print(title, lines) {
      if (title !== held.title) settle()
      const { shown, held: rest } = redactLines([...held.lines, ...lines], false)
      held = { title, lines: rest }
      write(title, shown)
    },
    line(title, text) {
      settle()
      write(title, [text])
    },
    tail(title, lines) {
      settle()
      write(title, redactTail(lines))
      close()
    },
    close,
    end() {
      settle()
      close()
    },
  }
}
