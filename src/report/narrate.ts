import type { RolloutPlan } from '../rollout/plan.ts'
import type { WatchEvent } from '../rollout/watch.ts'
import { phaseOf } from '../rollout/outcome.ts'
import type { RetryNotice } from '../control-plane/transport.ts'
import { oneLine as cut } from './escape.ts'
import { formatDuration } from './time.ts'

type Redact = (text: string) => string

/** The plan as lines of the log; of secrets only the names. */
export function planLines(plan: RolloutPlan, redact: Redact): string[] {
  const oneLine = (text: string): string => cut(redact(text))
  const shown = (value: unknown): string => showValue(value, oneLine)
  const title =
    plan.kind === 'create'
      ? `Plan: create ${oneLine(plan.draft.name)} from ${plan.draft.source}, and with it its first revision.`
      : `Plan: ${plan.patch === undefined ? '' : 'patch, then '}one new revision of ${oneLine(plan.deployment.name)} (${oneLine(plan.deployment.id)}).`
  const width = Math.max(0, ...plan.changes.map(({ input }) => input.length))
  const changes = plan.changes.map(({ input, current, wanted }) => {
    const from = plan.kind === 'create' ? '' : `${shown(current)} → `
    return `  ${input.padEnd(width)}  ${from}${shown(wanted)}${input === 'secrets' ? ' (values not shown)' : ''}`
  })
  return [title, ...changes, ...plan.notes.map((note) => `  Note: ${oneLine(note)}.`)]
}

function showValue(value: unknown, oneLine: Redact): string {
  if (value === undefined) return '(none)'
  if (Array.isArray(value))
    return value.length === 0 ? '(none)' : value.map((one) => oneLine(String(one))).join(', ')
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}

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
