import { SourceUpload } from './apply/source-upload.ts'
import { readBeforePlan } from './before-plan.ts'
import type { Run } from './dependencies.ts'
import type { executeRollout } from './execute.ts'
import type { RolloutOutcome } from './outcome.ts'
import type { prepareFrom } from './prepare.ts'
import { hashOfAll } from './plan/plan-digest.ts'
import type { RolloutRequest } from './rollout-request.ts'

/** Rolls out one deployment: reads the current state, plans, applies the plan, watches the revision, and finishes. */
export async function rollout(
  request: RolloutRequest,
  deps: { loadRest: () => Promise<{ prepareFrom: typeof prepareFrom; executeRollout: typeof executeRollout }> } & Run,
): Promise<RolloutOutcome> {
  const source = new SourceUpload(request, deps)
  try {
    const before = await readBeforePlan(request, deps, source)
    const { prepareFrom, executeRollout } = await deps.loadRest()
    const prepared = await prepareFrom(before, deps)
    if (typeof request.approved === 'string' && request.approved !== hashOfAll([prepared.outline]))
      return { kind: 'failed', because: { kind: 'other-plan', differences: [{ kind: 'hash' }] } }
    return (await executeRollout(prepared, deps)).outcome
  } finally {
    await source.dispose()
  }
}
