export interface LineSplitter {
  push(chunk: string): void
  /** Gives the last line, if no line break ended it. */
  end(): void
}

/**
 * Splits a stream into lines as the runner does: at CR LF, at LF, and at a lone CR too, which is why a CR in printed text
 * can start a workflow command.
 */
export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  let pending = ''
  const give = (lines: string[]): void => {
    pending = lines.pop() ?? ''
    lines.forEach(onLine)
  }
  return {
    push(chunk) {
      pending += chunk
      // A CR at the end may be the first half of a CR LF.
      const held = pending.endsWith('\r') ? '\r' : ''
      give(pending.slice(0, pending.length - held.length).split(/\r\n|\r|\n/))
      pending += held
    },
    end() {
      give(pending.split(/\r\n|\r|\n/))
      if (pending !== '') onLine(pending)
      pending = ''
    },
  }
}
