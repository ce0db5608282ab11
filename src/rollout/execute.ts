import { applyPlan } from './apply/apply.ts'
import { type ChangedError, knownDeployment } from './apply/basis.ts'
import { ownPatchSinceFirstPlan, readPatched } from './apply/own-patch.ts'
import { patchKnown } from './apply/patch-known.ts'
import type { Deployment } from '../control-plane/model.ts'
import { pauseWithin, type Run } from './dependencies.ts'
import {
  drive,
  type Ended,
  type History,
  type Interrupted,
  type Next,
  NO_HISTORY,
  type PlannedPatch,
  type Steps,
} from './drive.ts'
import { finish, servingRevision, verifyUnchanged } from './finish.ts'
import type { RolloutOutcome } from './outcome.ts'
import { commitOfPromotion, type OutdatedPlan, type UnchangedPlan } from './plan/plan.ts'
import { setFields } from './plan/settings.ts'
import { type ExecutablePlan, type Prepared, prepareRollout } from './prepare.ts'
import { findDeployment } from './read/find-deployment.ts'
import { confirmCommit } from './rollback/restore.ts'
import { isNamed, nameOf, type RolloutRequest, type Target, type WaitRequest } from './rollout-request.ts'
import { STALE_READ_MS } from './timing.ts'
import { checkBefore } from './verify/evidence.ts'
import { confirmBesides, lostBefore, mayHaveMade, reportOthers } from './watch/made-twice.ts'
import { reportUncompared, watchResumed, watchRevision } from './watch/watch.ts'
import { attachToLatest, type EndedRevision, isInactive, watchFactsOf, type WatchedRevision } from './watch/watched.ts'

/** `ended`: the revision of the rollout, if it has watched one. */
export interface Executed {
  outcome: RolloutOutcome
  ended?: EndedRevision
}

/** Applies a plan, and watches its revision to the end. Plans again if the deployment has changed before its write. */
export async function executeRollout(prepared: Prepared, run: Run): Promise<Executed> {
  return await drive(await nextOf(prepared, NO_HISTORY, run), stepsOf(run), run)
}

/** Watches a revision of another step to its end. */
export async function watchToEnd(watched: WatchedRevision, request: WaitRequest, run: Run): Promise<RolloutOutcome> {
  return await finish(await watchRevision(watched, request, run), request, run)
}

/** A plan that writes, or watches a revision. */
interface Executable extends Omit<Prepared, 'next'> {
  plan: ExecutablePlan
}

/** `history`: what the end of a run that has nothing to write depends on. */
async function nextOf({ next, ...before }: Prepared, history: History, run: Run): Promise<Next<Executable, Executed>> {
  if (next.kind === 'execute') return { kind: 'planned', plan: { ...before, plan: next.plan } }
  return { kind: 'ended', end: { outcome: await endOf(next, before.request, history, run) } }
}

interface StartedWatch {
  watched: WatchedRevision
  /** The deployment before the PATCH. */
  deployment: Deployment
  /** The commit that the revision must build, if nothing else proves that it is of this run. */
  commit: string | undefined
}

function stepsOf(run: Run): Steps<Executable, StartedWatch, Executed> {
  return {
    write: async (executable, history) => await write(executable, history, run),
    watch: async (started, executable, history) => await watch(started, executable, history, run),
    // After a write, what has happened to the deployment itself is for the user to judge.
    mayFollow: ({ isMove, isWritten }) => !(isMove && isWritten),
    patchOf: ({ plan }) => patchOf(plan),
    planAgain: async (executable, turn, history) =>
      await nextOf(await planAgain(executable, turn, history, run), history, run),
  }
}

function patchOf(plan: ExecutablePlan): PlannedPatch | undefined {
  return plan.patch && 'deployment' in plan ? { before: plan.deployment, sent: plan.patch } : undefined
}

async function write(
  executable: Executable,
  history: History,
  run: Run,
): ReturnType<Steps<Executable, StartedWatch, Executed>['write']> {
  const { request, plan } = executable
  const failedBefore = request.wait ? await checkBefore(plan, request.verification, run) : undefined
  const started =
    plan.kind === 'resume' ? await resume(plan, executable, history, run) : await apply(plan, executable, history, run)
  if ('kind' in started) return started
  return { kind: 'started', started: { ...started, watched: { ...started.watched, failedBefore } } }
}

async function resume(
  { deployment, latest: revision, patch, commit }: Extract<ExecutablePlan, { kind: 'resume' }>,
  executable: Executable,
  history: History,
  run: Run,
): Promise<StartedWatch> {
  run.emit({ kind: 'attached', because: 'resumed', deployment, revision })
  const basis = knownDeployment(deployment, run, { ...factsOf(executable, history), planEnds: ['revised', 'set'] })
  if (patch !== undefined) run.emit({ kind: 'applying' })
  const patched = patch && (await patchKnown(basis, patch, run))
  return { watched: { ...attachToLatest(deployment, revision), patched }, deployment, commit }
}

async function apply(
  plan: Exclude<ExecutablePlan, { kind: 'resume' }>,
  executable: Executable,
  history: History,
  run: Run,
): Promise<StartedWatch | Extract<Interrupted, { kind: 'name-taken' }>> {
  run.emit({ kind: 'applying' })
  const upload = async (id: string): Promise<string> => await executable.source.send(id)
  const applied = await applyPlan(plan, { facts: factsOf(executable, history), upload }, run)
  if (applied.kind === 'exists') {
    run.emit({ kind: 'name-taken' })
    return { kind: 'name-taken', name: nameOf(executable.request.target), lost: applied.repeated }
  }
  run.emit(applied)
  const { revisionId, revision, deployment, repeated, isFound, patched } = applied
  const before = plan.kind === 'revise' ? deployment : undefined
  const { source: built } = plan.kind === 'create' ? plan.draft : plan.revision
  const isAdopted = isFound && built === 'git_host'
  const watched = { ...watchFactsOf(deployment), revisionId, revision, before, repeated, patched, isAdopted }
  return { watched, deployment, commit: isFound ? plan.commit : undefined }
}

function factsOf({ readAt, isListed, request: { target } }: Executable, { patched, seenChanged }: History) {
  return { readAt, isNamed: isNamed(target), isListed, isWritten: patched !== undefined, seenChanged }
}

/** `not-ours`: the revision that the run has resumed, or found. It has emitted why. */
async function watch(
  { watched: ofThisPlan, deployment, commit }: StartedWatch,
  { plan, request }: Executable,
  { patched: patchedSoFar, lost }: History,
  run: Run,
): Promise<Ended<Executed> | Extract<Interrupted, { kind: 'not-ours' }>> {
  const ofAllPlans = patchedSoFar && ownPatchSinceFirstPlan(ofThisPlan, deployment, patchedSoFar)
  const watched = { ...ofThisPlan, ...ofAllPlans, repeated: [...lost, ...ofThisPlan.repeated] }
  const { revisionId } = watched
  const patched = plan.patch && { before: deployment, sent: plan.patch, form: ofThisPlan.patched }
  const notOurs = { kind: 'not-ours', revisionId, lost: lostBefore(ofThisPlan), patched } as const
  const hasEnded = plan.kind === 'resume' && plan.latest.status === 'DEPLOYED'
  const outcome = { kind: 'started' } as const
  if (!request.wait && !hasEnded) {
    reportUncompared(watched, run)
    await reportOthers({ ...watched, outcome }, run)
    return { kind: 'ended', end: { outcome } }
  }
  const end = await watchResumed(watched, commit, request, run)
  if (end === undefined) return notOurs
  if (hasEnded && isInactive(end.outcome)) {
    run.emit({ kind: 'not-activated', revisionId })
    return notOurs
  }
  if (!request.wait) return { kind: 'ended', end: { outcome } }
  // A branch or a tag may have moved after GitHub was asked.
  const ended = confirmCommit(end, { draft: undefined, commit: commitOfPromotion(plan) })
  return { kind: 'ended', end: { outcome: await finish(ended, request, run), ended } }
}

/** Plans again after a change. An approval is of one state: after a PATCH, it is of another one. */
async function planAgain(
  { request, source, plan }: Executable,
  turn: Interrupted,
  history: History,
  run: Run,
): Promise<Prepared> {
  const prepare = async (nextRequest: RolloutRequest, id?: string): Promise<Prepared> =>
    await prepareRollout(nextRequest, run, source, finderOf(request.target, id, history, run))
  switch (turn.kind) {
    case 'name-taken':
      // No replica lacks the deployment that has the name any more.
      await pauseWithin(STALE_READ_MS, run)
      return await prepare(request)
    case 'not-ours':
      return await prepare({ ...request, resume: false })
    case 'changed': {
      const { written, change, isMove, deploymentId } = turn.changed
      const id = isMove ? undefined : deploymentId
      if (written !== 'settings') return await prepare(request, id)
      emitPatched(plan, turn.changed, run)
      return await prepare({ ...request, changedSinceWrite: change }, id)
    }
  }
}

/** The plan that resumes a revision emits its PATCH only here: otherwise, the end of the revision shows it. */
function emitPatched(plan: ExecutablePlan, { patched }: ChangedError, { emit }: Run): void {
  if (plan.kind !== 'resume' || patched === undefined) return
  emit({ kind: 'written', change: 'patched', deployment: plan.deployment, revisionId: undefined, patched })
}

/** How another plan finds the deployment. If its id is not known: as the first one, by its name. */
function finderOf(
  target: Target,
  id: string | undefined,
  { patched }: History,
  run: Run,
): (() => Promise<Deployment | undefined>) | undefined {
  if (patched !== undefined) return async () => await readPatched(patched, target, run)
  return id === undefined ? undefined : async () => await findDeployment(target, run, id)
}

/** The end of a run that has nothing to write. */
async function endOf(
  next: Exclude<Prepared['next'], { kind: 'execute' }>,
  request: RolloutRequest,
  { patched, lost }: History,
  run: Run,
): Promise<RolloutOutcome> {
  const { plan } = next
  if (plan === undefined) return next.outcome
  const isVerified = plan.kind === 'unchanged' && request.wait && request.verification !== undefined
  const planned = isVerified ? await verifyUnchanged(plan, request, run) : next.outcome
  const outcome = await confirmServing(planned, plan, lost, run)
  if (outcome.kind === 'unverified' && patched !== undefined && request.rollback !== 'never') {
    const settingsLeft = { restored: [], kept: setFields(patched.sent), changedSince: [] }
    const because = { kind: 'not-own-revision', revisionId: plan.deployment.activeRevisionId ?? '' } as const
    run.emit({ kind: 'rollback-changed', rollback: { kind: 'not-possible', because, ...settingsLeft } })
  }
  // A run that has patched something has not left the deployment unchanged.
  return patched !== undefined && outcome.kind === 'unchanged' ? { kind: 'deployed', isConfirmed: true } : outcome
}

/** Names what the plans before have lost, and what has become of the revision that serves meanwhile. */
async function confirmServing(
  outcome: RolloutOutcome,
  plan: UnchangedPlan | OutdatedPlan,
  repeated: History['lost'],
  run: Run,
): Promise<RolloutOutcome> {
  if (plan.kind === 'unchanged' && outcome.kind === 'unchanged') {
    const active = servingRevision(plan)
    const serving = await confirmBesides({ ...active, repeated }, run)
    if (serving.kind !== 'deployed') return serving
    if (mayHaveMade(repeated, active)) run.emit({ kind: 'maybe-own-revision', id: active.revisionId })
    return outcome
  }
  const { id: deploymentId, activeRevisionId } = plan.deployment
  await reportOthers({ deploymentId, revisionId: activeRevisionId ?? '', outcome, repeated }, run)
  return outcome
}
