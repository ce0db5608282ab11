import { applyPlan } from './apply/apply.ts'
import { ChangedError } from './apply/deployment-change.ts'
import { knownDeployment } from './apply/known-deployment.ts'
import { patchKnown } from './apply/patch-known.ts'
import type { Dependencies } from './dependencies.ts'
import { checkBefore } from './finish/check-before.ts'
import { finish } from './finish/finish.ts'
import { verifyUnchanged } from './finish/unchanged.ts'
import type { RolloutEvent } from './event.ts'
import type { Outcome } from './outcome.ts'
import { prepareRollout, type ExecutablePlan, type Prepared } from './prepare.ts'
import { isNamed, type WaitRequest } from './rollout-request.ts'
import { newestOfOurs } from './watch/made-twice.ts'
import { PLANS } from './timing.ts'
import { watchResumed, watchRevision } from './watch/watch.ts'
import { attachToLatest, isInactive, knownOf, type EndedRevision, type WatchedRevision } from './watch/watched.ts'

/** The end of a rollout. `ended`: its revision, if it has watched one. */
export interface Executed {
  outcome: Outcome
  ended?: EndedRevision
}

/**
 * Applies a plan, and watches its revision to the end. Plans again if the deployment has changed before the first write.
 * @param plans how many were made, with this one
 * @throws ControlPlaneError when the rollout cannot continue; InputError when a second plan cannot be made
 */
export async function executeRollout(prepared: Prepared, deps: Dependencies, plans = 1): Promise<Executed> {
  const { request, next, source } = prepared
  if (next.kind === 'end') return { outcome: next.outcome }
  if (next.kind === 'verify') return { outcome: await verifyUnchanged(next.plan, request, deps) }
  const failedBefore = request.wait ? await checkBefore(next.plan, request, deps) : undefined
  const begun = await beginUnlessChanged(next.plan, prepared, deps, plans >= PLANS)
  if ('kind' in begun) {
    deps.emit(begun)
    return await executeRollout(await prepareRollout(request, deps, source), deps, plans + 1)
  }
  const { commit } = begun
  const watched = { ...begun.watched, failedBefore }
  const { revisionId } = watched
  const hasEnded = next.plan.kind === 'resume' && next.plan.latest.status === 'DEPLOYED'
  if (!request.wait && !hasEnded) return { outcome: await endWithoutWait(watched, deps) }
  const end = await watchResumed(watched, commit, request, deps)
  const isReplaced = hasEnded && end.kind === 'ended' && isInactive(end.ended.outcome)
  if (end.kind === 'ended' && !isReplaced) {
    if (!request.wait) return { outcome: { kind: 'started' } }
    return { outcome: await finish(end.ended, request, deps), ended: end.ended }
  }
  if (end.kind === 'ended') deps.emit({ kind: 'not-activated', revisionId })
  else deps.emit({ kind: 'other-commit', revisionId, commit: end.commit })
  return await executeRollout(await prepareRollout({ ...request, resume: false }, deps, source), deps)
}

/** A write that was sent again may have made two revisions: the newest counts. */
async function endWithoutWait(watched: WatchedRevision, deps: Dependencies): Promise<Outcome> {
  const outcome: Outcome = { kind: 'started' }
  const newest = await newestOfOurs({ ...watched, outcome }, deps)
  if (newest !== undefined) deps.emit({ kind: 'status', revision: newest })
  return outcome
}

/** `commit`: what the revision must turn out to build, where nothing else proves that it is ours. */
interface Begun {
  watched: WatchedRevision
  commit: string | undefined
}

/** The plan is not of what is there now. Nothing was written. */
type PlanAgain = Extract<RolloutEvent, { kind: 'name-taken' | 'changed-meanwhile' }>

async function beginUnlessChanged(
  plan: ExecutablePlan,
  prepared: Prepared,
  deps: Dependencies,
  isLastPlan: boolean,
): Promise<Begun | PlanAgain> {
  try {
    return await beginRevision(plan, prepared, deps)
  } catch (thrown) {
    if (!(thrown instanceof ChangedError) || thrown.isWritten || isLastPlan) throw thrown
    const { deploymentId, change } = thrown
    return { kind: 'changed-meanwhile', deploymentId, change }
  }
}

async function beginRevision(
  plan: ExecutablePlan,
  { readAt, source, request: { target } }: Prepared,
  deps: Dependencies,
): Promise<Begun | PlanAgain> {
  const known = { readAt, isNamed: isNamed(target) }
  if (plan.kind === 'resume') {
    const { deployment, latest: revision } = plan
    deps.emit({ kind: 'attached', because: 'resumed', deployment, revision })
    const patched = plan.patch && (await patchKnown(knownDeployment(deployment, deps, known), plan.patch, deps))
    return { watched: { ...attachToLatest(deployment, revision), patched }, commit: plan.commit }
  }
  deps.emit({ kind: 'applying' })
  const applied = await applyPlan(plan, { ...deps, ...known, upload: source.send })
  if (applied.kind === 'exists') return { kind: 'name-taken' }
  deps.emit(applied)
  const { revisionId, revision, deployment, repeated, isFound, patched } = applied
  const before = plan.kind === 'revise' ? deployment : undefined
  const watched = { ...knownOf(deployment), revisionId, revision, before, repeated, patched }
  return { watched, commit: isFound ? plan.commit : undefined }
}

/**
 * Watches a revision of another step to its end, and finishes without a rollback.
 * @throws ControlPlaneError when it cannot be read
 */
export async function watchToEnd(watched: WatchedRevision, request: WaitRequest, deps: Dependencies): Promise<Outcome> {
  const ended = await watchRevision(watched, request, deps)
  return await finish(ended, { ...request, rollback: 'never', settings: {} }, deps)
}
