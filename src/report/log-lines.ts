import type { WatchEvent } from '../rollout/watch/watch.ts'
import { phaseOf } from '../rollout/outcome.ts'
import type { RetryNotice } from '../control-plane/transport.ts'
import { oneLine as cut } from './escape.ts'
import { formatDuration } from './time.ts'

type Redact = (text: string) => string

/** One line for an event of the watch; nothing for those that need not be read. */
export function watchLine(event: WatchEvent, elapsedMs: number, redact: Redact): string | undefined {
  const oneLine = (text: string, max?: number): string => cut(redact(text), max)
  const time = formatDuration(elapsedMs).padStart(9)
  switch (event.kind) {
    case 'status': {
      const { status, statusMessage } = event.revision
      const phase = phaseOf(status)
      const beside =
        phase === 'terminal' || statusMessage === undefined ? '' : `  ${oneLine(statusMessage, 160)}`
      return `${time}  ${oneLine(status, 60).padEnd(17)}${phase === 'terminal' ? '' : phase.padEnd(8)}${beside}`.trimEnd()
    }
    case 'heartbeat':
      return `${time}  still ${oneLine(event.status ?? 'unknown', 60)} after ${formatDuration(event.forMs)}${event.trouble === undefined ? '' : `, as last seen; polls fail: ${oneLine(event.trouble, 160)}`}`
    case 'blip':
      return event.row === 1
        ? `${time}  a poll failed, the watch goes on: ${oneLine(event.trouble)}`
        : undefined
  }
}

export function retryLine({ attempted, cameBack, delayMs }: RetryNotice, redact: Redact): string {
  const oneLine = (text: string, max?: number): string => cut(redact(text), max)
  return `Could not ${oneLine(attempted)} yet (${oneLine(cameBack, 300)}); trying again in ${formatDuration(delayMs)}.`
}
