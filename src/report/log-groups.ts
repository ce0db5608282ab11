import { LOG_TAIL_LINES } from '../rollout/timing.ts'
import { commandLine } from '../runner.ts'
import type { World } from '../world.ts'
import { logLine } from './escape.ts'
import type { Redactor } from '../secrets/redact.ts'

/** Lines of a server's log, in groups that GitHub's page of the log folds. */
export interface LogGroups {
  /** Prints lines that belong under a title, as far as they are certain to hold no secret. */
  print: (title: string, lines: readonly string[]) => void
  /** Prints a line that holds no secret under a title. */
  line: (title: string, text: string) => void
  /** Prints the end of a log, which is not redacted yet, as a group of its own. */
  tail: (title: string, lines: readonly string[]) => void
  /** Ends the group that is open. More lines of its title may follow later. */
  close: () => void
  /** Prints the lines of all logs that were held back, which end here, and closes the group. */
  end: () => void
}

export function createLogGroups(redactor: Redactor, print: World['print']): LogGroups {
  const begun = new Set<string>()
  let open: string | undefined
  // By title: several logs come in turns, and the rest of a secret is not recognised without its beginning.
  const held = new Map<string, readonly string[]>()
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
  return {
    print(title, lines) {
      const { shown, held: rest } = redactor.redactLines([...(held.get(title) ?? []), ...lines], false)
      held.set(title, rest)
      write(title, shown)
    },
    line: (title, text) => write(title, [text]),
    tail(title, lines) {
      write(title, redactor.redactTail(lines, LOG_TAIL_LINES))
      close()
    },
    close,
    end() {
      for (const [title, lines] of held) write(title, redactor.redactLines(lines, true).shown)
      held.clear()
      close()
    },
  }
}
