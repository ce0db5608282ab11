import type { Dependencies } from './dependencies.ts'
import type { executeRollout } from './execute.ts'
import type { Outcome } from './outcome.ts'
import { prepareRollout } from './prepare.ts'
import type { RolloutRequest } from './rollout-request.ts'

/** What follows the plan is loaded when the first request is sent. */
export interface RolloutDependencies extends Dependencies {
  later: () => Promise<Awaited<ReturnType<Dependencies['later']>> & { executeRollout: typeof executeRollout }>
}

/**
 * Rolls out one deployment: reads the current state, plans, applies the plan, watches the revision, and finishes.
 * @throws InputError for what the user must correct, ControlPlaneError when the rollout cannot continue
 */
export async function rollout(request: RolloutRequest, deps: RolloutDependencies): Promise<Outcome> {
  const prepared = await prepareRollout(request, deps)
  try {
    if (prepared.next.kind === 'end') return prepared.next.outcome
    const { executeRollout } = await deps.later()
    return (await executeRollout(prepared, deps)).outcome
  } finally {
    await prepared.source.dispose()
  }
}
