import type { Run } from '../dependencies.ts'
import type { RolloutOutcome } from '../outcome.ts'
import type { UnchangedPlan } from '../plan/plan.ts'
import { attachTo, type EndedRevision } from '../watch/watched.ts'
import { finish, type FinishRequest } from './finish.ts'

/** Verifies a deployment in which nothing is to be changed: an earlier run may have ended because its check failed. */
export async function verifyUnchanged(plan: UnchangedPlan, request: FinishRequest, deps: Run): Promise<RolloutOutcome> {
  const outcome = await finish(servingRevision(plan), request, deps)
  return outcome.kind === 'deployed' ? { kind: 'unchanged' } : outcome
}

/** The active revision, as if this run had deployed it. It has written nothing, so that it has nothing to restore. */
export function servingRevision({ deployment, active }: UnchangedPlan): EndedRevision {
  const outcome = { kind: 'deployed', confirmed: true } as const
  return { ...attachTo(deployment, active), outcome, lastPhase: undefined, shownLogs: [], isUnchanged: true }
}
