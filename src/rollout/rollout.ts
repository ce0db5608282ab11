import type { Run } from './dependencies.ts'
import type { executeRollout } from './execute.ts'
import type { RolloutOutcome } from './outcome.ts'
import { prepareRollout } from './prepare.ts'
import type { RolloutRequest } from './rollout-request.ts'

/** Rolls out one deployment: reads the current state, plans, applies the plan, watches the revision, and finishes. */
export async function rollout(
  request: RolloutRequest,
  deps: { later: () => Promise<{ executeRollout: typeof executeRollout }> } & Run,
): Promise<RolloutOutcome> {
  const prepared = await prepareRollout(request, deps)
  try {
    if (prepared.next.kind === 'end') return prepared.next.outcome
    const { executeRollout } = await deps.later()
    return (await executeRollout(prepared, deps)).outcome
  } finally {
    await prepared.source.dispose()
  }
}
