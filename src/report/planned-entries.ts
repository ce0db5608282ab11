import { apiOf } from '../control-plane/api.ts'
import type { RolloutEvent } from '../rollout/event.ts'
import type { LogEntry } from './log.ts'
import { describePlan } from './plan-document.ts'
import { planLines } from './plan-lines.ts'
import { noteWarnings } from './plan-words.ts'
import type { RunRecord } from './record.ts'
import type { Redact } from '../secrets/redact.ts'

/** The plan, and one annotation with its warnings. */
export function plannedEntries(
  event: Extract<RolloutEvent, { kind: 'planned' }>,
  { record, redact }: { record: RunRecord; redact: Redact },
): LogEntry[] {
  const api = apiOf('plan' in record ? record.api : 'agent-server')
  const { plan } = event
  // The annotation of a typo is enough.
  const notes = plan.notes.filter(({ kind }) => kind !== 'probable-typo')
  const text = planLines(describePlan({ ...event, plan: { ...plan, notes } }, api), redact).join('\n')
  const lines: LogEntry[] = [{ level: 'info', text }]
  // A run may plan again: its warnings are one annotation.
  const isFirst = 'plan' in record && record.plan === undefined
  // A step that always skips its rollout passes.
  const warnings = [...event.warnings, ...noteWarnings(plan.notes, api)]
  if (!isFirst || warnings.length === 0) return lines
  return [...lines, { level: 'warning', text: warnings.map((one) => `${one}.`).join('\n') }]
}
