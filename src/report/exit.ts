import { failsStep } from '../rollout/outcome.ts'
import { type FinalRecord, isRollout } from './record.ts'

/** Whether the workflow step fails (interface, "Exit"). */
export function failsRun(record: FinalRecord): boolean {
  if (isRollout(record)) return failsStep(record.outcome, record.onSuperseded)
  switch (record.outcome.kind) {
    case 'torn-down':
    case 'nothing-to-tear-down':
    case 'answered':
    case 'deployed':
    case 'unchanged':
    case 'planned':
    case 'skipped':
      return false
    case 'failed':
    case 'timed-out':
    case 'cancelled':
      return true
  }
}
