import { applyPlan } from './apply/apply.ts'
import type { Dependencies } from './dependencies.ts'
import { finish } from './finish/finish.ts'
import type { Outcome } from './outcome.ts'
import { prepareRollout, type Prepared } from './prepare.ts'
import type { RolloutRequest } from './rollout-request.ts'
import { attachTo, watchRevision, type WatchedRevision } from './watch/watch.ts'

/**
 * Rolls out one deployment: reads the current state, plans, applies the plan, watches the revision, and finishes.
 * @throws InputError for what the user must correct, ControlPlaneError when the rollout cannot continue
 */
export async function rollout(request: RolloutRequest, deps: Dependencies): Promise<Outcome> {
  const prepared = await prepareRollout(request, deps)
  try {
    return await executeRollout(prepared, request, deps)
  } finally {
    await prepared.source.dispose()
  }
}

/**
 * Applies a plan, and watches its revision to the end.
 * @throws ControlPlaneError when the rollout cannot continue; InputError when it has to be planned again and cannot be
 */
export async function executeRollout(
  prepared: Prepared,
  request: RolloutRequest,
  deps: Dependencies,
): Promise<Outcome> {
  const begun = await beginRevision(prepared, request, deps)
  if (begun.kind === 'end') return begun.outcome
  if (!request.wait) return { kind: 'started' }
  return await finish(await watchRevision(begun.watched, request, deps), request, deps)
}

type Begun = { kind: 'end'; outcome: Outcome } | { kind: 'watch'; watched: WatchedRevision }

async function beginRevision(
  prepared: Prepared,
  request: RolloutRequest,
  deps: Dependencies,
): Promise<Begun> {
  const { next, state, source } = prepared
  if (next.kind === 'end') return next
  const { plan } = next
  if (plan.kind === 'resume') {
    const { deployment, latest } = plan
    deps.emit({ kind: 'attached', because: 'resumed', deployment, revision: latest })
    return { kind: 'watch', watched: attachTo(deployment, latest) }
  }
  deps.emit({ kind: 'applying' })
  const applied = await applyPlan(plan, { ...deps, upload: source.send })
  if (applied.kind === 'exists') {
    deps.emit({ kind: 'name-taken' })
    return await beginRevision(await prepareRollout(request, deps, source), request, deps)
  }
  deps.emit(applied)
  const { revisionId, revision, deployment } = applied
  return {
    kind: 'watch',
    watched: {
      deploymentId: deployment.id,
      revisionId,
      revision,
      before: state.current,
      url: deployment.settings.customUrl ?? state.current?.settings.customUrl,
    },
  }
}
