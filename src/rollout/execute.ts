import { applyPlan } from './apply/apply.ts'
import type { NameExists } from './apply/create-once.ts'
import { ChangedError, unlessChanged, knownDeployment } from './apply/basis.ts'
import { beforePatch, type EarlierPatch, patchKnown, unprovedFields, withPatch } from './apply/patch-known.ts'
import { ControlPlaneError } from '../control-plane/errors.ts'
import type { Deployment, Settings } from '../control-plane/model.ts'
import { pauseWithin, type Run } from './dependencies.ts'
import type { Repeated } from './event.ts'
import { checkBefore } from './verify/evidence.ts'
import { finish, verifyUnchanged } from './rollback/finish.ts'
import { confirmCommit } from './rollback/restore.ts'
import type { RolloutOutcome } from './outcome.ts'
import { commitOfPromotion } from './plan/promotion.ts'
import { type ExecutablePlan, type Prepared, prepareRollout } from './prepare.ts'
import { isNamed, type RolloutRequest, type WaitRequest } from './rollout-request.ts'
import { setFields } from './plan/settings.ts'
import { PLANS, STALE_READ_MS } from './timing.ts'
import { lostBefore, reportOthers } from './watch/made-twice.ts'
import { watchResumed, watchRevision } from './watch/watch.ts'
import { attachToLatest, type EndedRevision, isInactive, knownOf, type WatchedRevision } from './watch/watched.ts'

/** `plans`: with this one. `earlier`: what the run has patched for the others. `repeated`: what they have lost. */
interface Again {
  plans?: number
  earlier?: EarlierPatch | undefined
  repeated?: readonly Repeated[]
}

/** `ended`: the revision of the rollout, if it has watched one. */
export interface Executed {
  outcome: RolloutOutcome
  ended?: EndedRevision
}

/**
 * Applies a plan, and watches its revision to the end. Plans again if the deployment has changed before the write of
 * one.
 * @throws ControlPlaneError when the rollout cannot continue; InputError when a second plan cannot be made
 */
export async function executeRollout(prepared: Prepared, deps: Run, again: Again = {}): Promise<Executed> {
  const { request, next, source } = prepared
  const { plans = 1, earlier, repeated = [] } = again
  if (next.kind !== 'execute') {
    const outcome = next.kind === 'end' ? next.outcome : await verifyUnchanged(next.plan, request, deps)
    if (next.plan !== undefined) {
      const { id: deploymentId, activeRevisionId } = next.plan.deployment
      const revisionId = activeRevisionId ?? ''
      await reportOthers({ deploymentId, revisionId, outcome, repeated }, deps)
      if (outcome.kind === 'unverified' && earlier !== undefined && request.rollback !== 'never') {
        const left = { restored: [], kept: setFields(earlier.sent), changedSince: [] }
        const because = { kind: 'not-own-revision', revisionId } as const
        deps.emit({ kind: 'rollback-changed', rollback: { kind: 'not-possible', because, ...left } })
      }
    }
    return { outcome: sinceAny(earlier, outcome) }
  }
  const failedBefore = request.wait ? await checkBefore(next.plan, request.verification, deps) : undefined
  let shown: Settings | undefined
  const planAgain = async (
    asked: RolloutRequest,
    known: { id?: string | undefined; earlier: EarlierPatch | undefined },
    lost: readonly Repeated[] = [],
  ): Promise<Executed> =>
    await executeRollout(await prepareRollout(asked, deps, source, known), deps, {
      plans: plans + 1,
      earlier: known.earlier,
      repeated: [...repeated, ...lost],
    })
  const begin = async (): Promise<Begun | NameExists> =>
    await beginRevision(next.plan, prepared, { ...deps, earlier, onPatched: (now) => (shown = now) })
  const begun = await unlessChanged(begin, plans, deps, ({ isMove, isWritten }) => !(isMove && isWritten))
  if ('kind' in begun) {
    await pauseForName(next.plan, plans, deps)
    return await planAgain(request, { earlier }, begun.repeated)
  }
  if (begun instanceof ChangedError) {
    const isPatched = begun.written === 'settings'
    const id = begun.isMove ? undefined : begun.deploymentId
    return await planAgain(request, { id, earlier: isPatched ? withPatchOf(next.plan, earlier, shown) : earlier })
  }
  const { commit, deployment } = begun
  const watched = { ...begun.watched, failedBefore, repeated: [...repeated, ...begun.watched.repeated] }
  const { revisionId } = watched
  const hasEnded = next.plan.kind === 'resume' && next.plan.latest.status === 'DEPLOYED'
  const started = { outcome: { kind: 'started' } } as const
  if (!request.wait && !hasEnded) {
    await reportOthers({ ...watched, ...started }, deps)
    return started
  }
  const end = await watchResumed(watched, commit, request, deps)
  const isReplaced = hasEnded && end.kind === 'ended' && isInactive(end.ended.outcome)
  if (end.kind === 'ended' && !isReplaced) {
    if (!request.wait) return started
    // A branch or a tag may have moved after GitHub was asked.
    const ended = confirmCommit(end.ended, { draft: undefined, commit: commitOfPromotion(next.plan) })
    return { outcome: await finish(ended, request, deps), ended }
  }
  if (end.kind === 'ended') deps.emit({ kind: 'not-activated', revisionId })
  else deps.emit({ kind: 'other-commit', revisionId, commit: end.commit })
  const patched = withPatchOf(next.plan, earlier, watched.patched, deployment)
  return await planAgain({ ...request, resume: false }, { earlier: patched }, lostBefore(begun.watched))
}

/** Waits until no replica can lack the deployment that has the name. */
async function pauseForName(plan: ExecutablePlan, plans: number, deps: Run): Promise<void> {
  if (plans >= PLANS)
    throw new ControlPlaneError({
      attempted: plan.kind === 'create' ? `create the deployment "${plan.draft.name}"` : 'create the deployment',
      cameBack: `the name is taken, and ${plans} plans in a row did not find the deployment that has it`,
      hint: 'Rerun the job.',
    })
  await pauseWithin(STALE_READ_MS, deps)
}

/** What the run has patched, when the patch of this plan is done. `deployment`: as it was before. */
function withPatchOf(
  plan: ExecutablePlan,
  earlier: EarlierPatch | undefined,
  shown: Settings | undefined,
  deployment = plan.kind === 'create' ? undefined : plan.deployment,
): EarlierPatch | undefined {
  const { patch } = plan
  return patch === undefined || deployment === undefined ? earlier : withPatch(earlier, deployment, patch, shown)
}

/** A run that has patched something has not left the deployment unchanged. */
function sinceAny(earlier: EarlierPatch | undefined, outcome: RolloutOutcome): RolloutOutcome {
  return earlier !== undefined && outcome.kind === 'unchanged' ? { kind: 'deployed', confirmed: true } : outcome
}

/**
 * `deployment`: as before the patch. `commit`: what the revision must build, where nothing else proves that it is ours.
 */
interface Begun {
  watched: WatchedRevision
  deployment: Deployment
  commit: string | undefined
}

async function beginRevision(
  plan: ExecutablePlan,
  { readAt, isListed, source, request: { target } }: Prepared,
  deps: Run & { earlier: EarlierPatch | undefined; onPatched: (shown: Settings) => void },
): Promise<Begun | NameExists> {
  const { earlier } = deps
  const known = { readAt, isNamed: isNamed(target), isListed, isWritten: earlier !== undefined }
  if (plan.kind === 'resume') {
    const { deployment, latest: revision } = plan
    deps.emit({ kind: 'attached', because: 'resumed', deployment, revision })
    const basis = knownDeployment(deployment, deps, { ...known, planEnds: ['revised', 'set'] })
    const patched = plan.patch && (await patchKnown(basis, plan.patch, deps))
    const watched = sincePatch({ ...attachToLatest(deployment, revision), patched }, deployment, earlier)
    return { watched, deployment, commit: plan.commit }
  }
  deps.emit({ kind: 'applying' })
  const applied = await applyPlan(plan, { ...deps, ...known, upload: async (id) => await source.send(id) })
  if (applied.kind === 'exists') {
    deps.emit({ kind: 'name-taken' })
    return applied
  }
  deps.emit(applied)
  const { revisionId, revision, deployment, repeated, isFound, patched } = applied
  const before = plan.kind === 'revise' ? deployment : undefined
  const watched = { ...knownOf(deployment), revisionId, revision, before, repeated, patched }
  return { watched: sincePatch(watched, deployment, earlier), deployment, commit: isFound ? plan.commit : undefined }
}

/** What was there before the run is what was there before its first patch. `deployment`: as it was before this plan. */
function sincePatch(
  watched: WatchedRevision,
  deployment: Deployment,
  earlier: EarlierPatch | undefined,
): WatchedRevision {
  const { before, patched } = watched
  if (earlier === undefined || before === undefined) return watched
  return {
    ...watched,
    before: beforePatch(before, earlier, deployment),
    patched: { ...earlier.shown, ...patched },
    unproved: unprovedFields(earlier, deployment),
  }
}

/** Watches a revision of another step to its end. */
export async function watchToEnd(watched: WatchedRevision, request: WaitRequest, deps: Run): Promise<RolloutOutcome> {
  const ended = await watchRevision(watched, request, deps)
  return await finish(ended, request, deps)
}
