import type { Run } from './dependencies.ts'
import type { executeRollout } from './execute.ts'
import type { RolloutOutcome } from './outcome.ts'
import { byName, hashOfAll } from './plan/plan-digest.ts'
import { type Prepared, prepareRollout } from './prepare.ts'
import type { RolloutRequest } from './rollout-request.ts'

/** Rolls out one deployment: reads the current state, plans, applies the plan, watches the revision, and finishes. */
export async function rollout(
  request: RolloutRequest,
  deps: { later: () => Promise<{ executeRollout: typeof executeRollout }> } & Run,
): Promise<RolloutOutcome> {
  const prepared = await prepareRollout(request, deps)
  try {
    if (typeof request.approved === 'string' && request.approved !== hashOfAll([prepared.outline]))
      return { kind: 'failed', because: { kind: 'other-plan', differences: [{ kind: 'hash' }] } }
    if (prepared.next.kind === 'end') return prepared.next.outcome
    const { executeRollout } = await deps.later()
    return (await executeRollout(following(prepared), deps)).outcome
  } finally {
    await prepared.source.dispose()
  }
}

/** Where only a hash was approved: a rollout that plans again must make the plan again that had it. */
export function following(prepared: Prepared): Prepared {
  const { request, outline } = prepared
  if (typeof request.approved !== 'string') return prepared
  return { ...prepared, request: { ...request, approved: byName([outline]) } }
}
