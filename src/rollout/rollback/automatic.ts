import { toError } from '../../clock.ts'
import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import { type Deployment, type Field, type Revision, sameId, type Settings } from '../../control-plane/model.ts'
import { ChangedError, unlessChanged } from '../apply/deployment-change.ts'
import { ANY_CHANGE, knownDeployment, type KnownDeployment, readAsBefore } from '../apply/known-deployment.ts'
import { patchKnown } from '../apply/patch-known.ts'
import {
  confirmCommit,
  type NewerRevision,
  type NotRedeployed,
  type Restored,
  restoreRevision,
  reviseTo,
} from './restore.ts'
import { pauseWithin, type Run } from '../dependencies.ts'
import { isActiveFailure, type RolloutOutcome } from '../outcome.ts'
import { fieldsOf, omit, REPORTED_BY_REVISION, setFields } from '../plan/settings.ts'
import type { RolloutRequest, WatchRequest } from '../rollout-request.ts'
import { watchRevision } from '../watch/watch.ts'
import { type EndedRevision, knownOf, type WatchedRevision } from '../watch/watched.ts'
import {
  notPossible,
  planRollback,
  planSettingsOf,
  type RestoredSettings,
  type RollbackPlan,
} from './automatic-plan.ts'
import type { Rollback, RollbackObstacle } from '../event.ts'
import { verifyRevision } from '../verify/verify.ts'
import { shows } from '../apply/patch.ts'
import { differenceOf, sameValue } from '../plan/diff.ts'
import { pastReplicaLag } from '../read/read-again.ts'
import { STALE_READ_MS } from '../timing.ts'
import { supersededBy } from '../watch/superseded.ts'

/** `settings`: what the rollout has set. */
export type RestoreRequest = WatchRequest & Pick<RolloutRequest, 'settings'>

/**
 * Restores the revision that was active before, where that is possible, and emits the result. Throws only when the run
 * is cancelled: an error of the rollback must not replace the outcome of the rollout.
 */
export async function rollBack(ended: EndedRevision, request: RestoreRequest, deps: Run): Promise<RolloutOutcome> {
  const { outcome } = ended
  const report = (rollback: Rollback): void => deps.emit({ kind: 'rollback-changed', rollback })
  let revisionId: string | undefined
  try {
    const patched = new Set<Field>()
    const made = await untilUnchanged(async () => await planAndApply(ended, request, deps, report, patched), deps)
    if (made === undefined) return outcome
    const { now, plan, applied } = made
    const to = plan.to.id
    revisionId = applied.revisionId
    const isPatchedLast = plan.draft === undefined && plan.patch !== undefined
    const changed = isPatchedLast
      ? await untilUnchanged(async () => await patchLast(ended, request, deps, patched), deps)
      : []
    const notRestored = { kept: plan.kept, changedSince: without(patched, [...plan.changedSince, ...changed]) }
    const facts = knownOf(now)
    const reportsActive = facts.reportsActive || ended.reportsActive
    const restoring = { ...facts, ...applied, before: now, reportsActive }
    const result = await watchRollback(restoring, plan, request, deps)
    const restored = { kind: 'restored', to, revisionId, ...notRestored } as const
    if (result.kind === 'deployed') {
      report({ ...restored, failsCheck: false })
      return { kind: 'rolled-back', to: revisionId, from: outcome }
    }
    if (result.kind === 'unverified') {
      report({ ...restored, failsCheck: true })
      return outcome
    }
    report({ kind: 'incomplete', to, revisionId, outcome: result })
    return outcome
  } catch (thrown) {
    deps.signal.throwIfAborted()
    const isUnknown = revisionId !== undefined || thrown instanceof AmbiguousWriteError
    const trouble = toError(thrown).message.replace(/\.$/, '')
    report({ kind: 'error', isUnknown, revisionId, trouble })
    return outcome
  }
}

interface Applied {
  now: Deployment
  plan: RestorePlan
  applied: Restored
}

/** Plans, and applies the plan; again if the deployment changes before the write of a revision, or of settings. */
async function untilUnchanged<T>(attempt: () => Promise<T>, deps: Run): Promise<T> {
  for (let plans = 1; ; plans++) {
    const done = await unlessChanged(attempt, plans, deps)
    if (!(done instanceof ChangedError)) return done
  }
}

/**
 * Plans the rollback, and applies the plan.
 * @param patched the settings that earlier plans have restored; gets those of this one
 * @returns undefined if it is not possible, which it reports
 * @throws ChangedError when the deployment has changed, and no revision was written
 */
async function planAndApply(
  ended: EndedRevision,
  request: RestoreRequest,
  deps: Run,
  report: (rollback: Rollback) => void,
  patched: Set<Field>,
): Promise<Applied | undefined> {
  const { now, readAt, plan } = await makeRollbackPlan(ended, request, deps)
  const known = knownDeployment(now, deps, { readAt, planEnds: ANY_CHANGE })
  const patch = async (): Promise<void> => await patchSettings(known, plan.patch, patched, deps)
  const { kept } = plan
  const reportImpossible = (because: RollbackObstacle): void => {
    const changedSince = without(patched, plan.changedSince)
    report({ kind: 'not-possible', because, restored: [...patched], kept, changedSince })
  }
  if (plan.kind === 'not-possible') {
    await patch()
    reportImpossible(plan.because)
    return undefined
  }
  report({ kind: 'under-way', to: plan.to.id })
  const applied = await applyRollback(known, plan, deps, patch)
  if (applied.kind === 'made') return { now, plan, applied }
  reportImpossible(obstacleOf(applied, plan))
  return undefined
}

async function patchSettings(
  known: KnownDeployment,
  patch: Settings | undefined,
  patched: Set<Field>,
  deps: Run,
): Promise<void> {
  if (patch === undefined) return
  await patchKnown(known, patch, deps, { isRestoration: true })
  for (const field of setFields(patch)) patched.add(field)
}

/** The service may write a restored setting in its own way: it is not of others then. */
function without(patched: ReadonlySet<Field>, changedSince: readonly Field[]): Field[] {
  return [...new Set(changedSince)].filter((field) => !patched.has(field))
}

type RestorePlan = Extract<RollbackPlan, { kind: 'restore' }>

/**
 * Creates the revision that restores the earlier one, by the redeploy route if the service has it.
 * @param patch restores the settings that need no revision; called only if it is certain that the revision can be restored
 * @throws ChangedError when the deployment has changed, and no revision was written
 */
export async function applyRollback(
  known: KnownDeployment,
  plan: RestorePlan,
  deps: Run,
  patch: () => Promise<void>,
): Promise<Restored | NewerRevision | NotRedeployed> {
  const { draft, onlyByRevision } = plan
  if (draft === undefined) return await restoreRevision(known, plan, deps)
  await patch()
  return onlyByRevision ? await reviseTo(known, draft, deps) : await restoreRevision(known, plan, deps)
}

/**
 * Restores the settings that need no revision after a redeploy, without which nothing could be restored.
 * @returns those that another client has changed
 */
async function patchLast(
  ended: EndedRevision,
  request: RestoreRequest,
  deps: Run,
  patched: Set<Field>,
): Promise<readonly Field[]> {
  const { now, readAt, patch, changedSince } = await planSettings(ended, request, deps)
  await patchSettings(knownDeployment(now, deps, { readAt, planEnds: ['set'] }), patch, patched, deps)
  return changedSince
}

function obstacleOf(applied: NewerRevision | NotRedeployed, { to }: RestorePlan): RollbackObstacle {
  const { repoCommitSha: commit } = to
  if (applied.kind === 'not-made') return { ...applied, kind: 'not-redeployed', commit }
  const { kind, revisionId, builds } = applied
  return builds === undefined
    ? { kind, revisionId }
    : { kind: 'other-commit', revisionId, builds, wanted: commit ?? '' }
}

/**
 * Its events are marked: the record is about the rollout's own revision. One good answer verifies it: it has served before.
 */
async function watchRollback(
  restoring: WatchedRevision,
  plan: RestorePlan,
  request: RestoreRequest,
  deps: Run,
): Promise<RolloutOutcome> {
  const marked: Run = { ...deps, emit: (event) => deps.emit({ kind: 'during-rollback', event }) }
  const { verification } = request
  const once = { ...request, verification: verification && { ...verification, forMs: undefined } }
  const ended = confirmCommit(await watchRevision(restoring, request, marked), plan)
  // No response need report the address that the rollback has restored.
  const url = plan.patch?.customUrl ?? ended.url ?? request.settings.customUrl
  return await verifyRevision({ ...ended, url }, once, marked)
}

/** `settings`: what the rollout has set. */
type Changed = Pick<RolloutRequest, 'settings'>

/**
 * Reads what is there now, and plans how to restore what was there before. `readAt`: in monotonic milliseconds.
 * @throws ControlPlaneError when it cannot be read
 */
export async function makeRollbackPlan(
  ended: EndedRevision,
  request: Changed,
  deps: Run,
): Promise<Present & { plan: RollbackPlan }> {
  const present = await readPresent(ended, request, deps)
  return { ...present, plan: await planFor(present.now, ended, request, deps) }
}

/**
 * Reads what is there now, and plans which settings that need no revision are to be restored.
 * @throws ControlPlaneError when it cannot be read
 */
export async function planSettings(
  ended: EndedRevision,
  { settings: changed }: Changed,
  deps: Run,
): Promise<Present & RestoredSettings> {
  const { before, patched } = ended
  const present = await readUnlessBehind(ended, deps, (now) => showsEarlier(now, ended, changed))
  return { ...present, ...planSettingsOf({ before, now: present.now, changed, patched, api: deps.controlPlane.api }) }
}

/** Our revision was active just now: a read that shows the one before it as active may be of a lagging replica. */
async function readPresent(ended: EndedRevision, { settings }: Changed, deps: Run): Promise<Present> {
  const { before, outcome } = ended
  const isActiveAgain = ({ activeRevisionId }: Deployment): boolean =>
    isActiveFailure(outcome) && sameId(activeRevisionId, before?.activeRevisionId)
  return await readUnlessBehind(ended, deps, (now) => isActiveAgain(now) || showsEarlier(now, ended, settings))
}

/** Reads the deployment again, past the lag of replicas, if the first read may be of one that lags. */
async function readUnlessBehind(
  ended: EndedRevision,
  deps: Run,
  mayBeBehind: (now: Deployment) => boolean,
): Promise<Present> {
  const present = await readOnce(ended, deps)
  if (!mayBeBehind(present.now)) return present
  await pauseWithin(STALE_READ_MS, deps)
  return await readOnce(ended, deps)
}

/** Whether a setting that the run has changed shows its earlier value, and so would not be restored. */
function showsEarlier({ settings: now }: Deployment, { before, patched }: EndedRevision, changed: Settings): boolean {
  if (before === undefined) return false
  const { settings: earlier } = before
  return setFields(omit(changed, REPORTED_BY_REVISION), [...fieldsOf('config'), ...fieldsOf('revision')]).some(
    (field) =>
      earlier[field] !== undefined &&
      sameValue(now[field], earlier[field]) &&
      // Nothing distinguishes the values of secrets that no answer shows: the earlier ones are not restored anyway.
      differenceOf(field, earlier, changed) !== 'unknown' &&
      !sameValue(patched?.[field], earlier[field]) &&
      !shows(field, earlier, changed),
  )
}

async function readOnce(
  { deploymentId, before }: Pick<EndedRevision, 'deploymentId' | 'before'>,
  deps: Run,
): Promise<Present> {
  const readAt = deps.clock.now()
  return { now: await readAsBefore(deploymentId, before, deps), readAt }
}

/** The deployment, and when it was read, in monotonic milliseconds. */
interface Present {
  now: Deployment
  readAt: number
}

async function planFor(
  now: Deployment,
  { before, revision, outcome, patched, unproved }: EndedRevision,
  { settings: changed }: Changed,
  deps: Run,
): Promise<RollbackPlan> {
  const { controlPlane } = deps
  const newer = revision && (await supersededBy(revision, now, { ...deps, before, unreadable: 'newer' }))
  if (newer !== undefined) return notPossible({ kind: 'newer-revision', revisionId: newer })
  const activeId = before?.activeRevisionId ?? undefined
  const serving = servingInstead(now, revision, isActiveFailure(outcome) ? undefined : activeId)
  const activeBefore =
    activeId === undefined
      ? undefined
      : await pastReplicaLag(async () => await controlPlane.getRevision(now.id, activeId), deps)
  return planRollback({ before, now, changed, patched, unproved, activeBefore, serving, api: controlPlane.api })
}

/** Returns the revision that serves in place of the failed one; `assumed` if the control plane does not report it. */
function servingInstead(
  { activeRevisionId: active }: Deployment,
  failed: Revision | undefined,
  assumed: string | undefined,
): string | undefined {
  if (active === undefined) return assumed
  return active === null || sameId(active, failed?.id) ? undefined : active
}
