import { applyPlan } from './apply/apply.ts'
import { patchDeployment } from './apply/patch.ts'
import type { Dependencies } from './dependencies.ts'
import { checkBefore } from './finish/check-before.ts'
import { finish } from './finish/finish.ts'
import { verifyUnchanged } from './finish/unchanged.ts'
import type { Outcome } from './outcome.ts'
import { prepareRollout, type ExecutablePlan, type Prepared } from './prepare.ts'
import type { WaitRequest } from './rollout-request.ts'
import { newestOfOurs } from './watch/made-twice.ts'
import { watchResumed, watchRevision } from './watch/watch.ts'
import { attachTo, knownOf, type EndedRevision, type WatchedRevision } from './watch/watched.ts'

/** The end of a rollout. `ended`: its revision, if it has watched one. */
export interface Executed {
  outcome: Outcome
  ended?: EndedRevision
}

/**
 * Applies a plan, and watches its revision to the end.
 * @throws ControlPlaneError when the rollout cannot continue; InputError when a second plan cannot be made
 */
export async function executeRollout({ request, next, source }: Prepared, deps: Dependencies): Promise<Executed> {
  if (next.kind === 'end') return { outcome: next.outcome }
  if (next.kind === 'verify') return { outcome: await verifyUnchanged(next.plan, request, deps) }
  const failedBefore = request.wait ? await checkBefore(next.plan, request, deps) : undefined
  const begun = await beginRevision(next.plan, source.send, deps)
  if (begun === 'name-taken') {
    deps.emit({ kind: 'name-taken' })
    return await executeRollout(await prepareRollout(request, deps, source), deps)
  }
  const watched = { ...begun, failedBefore }
  if (!request.wait) return { outcome: await endWithoutWait(watched, deps) }
  const finished = async (ended: EndedRevision): Promise<Executed> => {
    return { outcome: await finish(ended, request, deps), ended }
  }
  if (next.plan.kind !== 'resume') return await finished(await watchRevision(watched, request, deps))
  const end = await watchResumed(watched, next.plan.commit, request, deps)
  if (end.kind === 'ended') return await finished(end.ended)
  deps.emit({ kind: 'other-commit', revisionId: watched.revisionId, commit: end.commit })
  return await executeRollout(await prepareRollout({ ...request, resume: false }, deps, source), deps)
}

/** A write that was sent again may have made two revisions: the newest counts. */
async function endWithoutWait(watched: WatchedRevision, deps: Dependencies): Promise<Outcome> {
  const outcome: Outcome = { kind: 'started' }
  const newest = await newestOfOurs({ ...watched, outcome }, deps)
  if (newest !== undefined) deps.emit({ kind: 'status', revision: newest })
  return outcome
}

async function beginRevision(
  plan: ExecutablePlan,
  upload: (deploymentId: string) => Promise<string>,
  deps: Dependencies,
): Promise<WatchedRevision | 'name-taken'> {
  if (plan.kind === 'resume') {
    const { deployment, latest: revision } = plan
    deps.emit({ kind: 'attached', because: 'resumed', deployment, revision })
    if (plan.patch !== undefined) await patchDeployment(deployment, plan.patch, deps)
    return attachTo(deployment, revision)
  }
  deps.emit({ kind: 'applying' })
  const applied = await applyPlan(plan, { ...deps, upload })
  if (applied.kind === 'exists') return 'name-taken'
  deps.emit(applied)
  const { revisionId, revision, deployment, repeated } = applied
  const before = plan.kind === 'revise' ? deployment : undefined
  return { ...knownOf(deployment), revisionId, revision, before, repeated }
}

/**
 * Watches a revision of another step to its end, and finishes without a rollback.
 * @throws ControlPlaneError when it cannot be read
 */
export async function watchToEnd(watched: WatchedRevision, request: WaitRequest, deps: Dependencies): Promise<Outcome> {
  const ended = await watchRevision(watched, request, deps)
  return await finish(ended, { ...request, rollback: 'never', settings: {} }, deps)
}
