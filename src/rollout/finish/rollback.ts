import { toError } from '../../clock.ts'
import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import { ChangedError } from '../apply/deployment-change.ts'
import { ANY_CHANGE, knownDeployment, type KnownDeployment } from '../apply/known-deployment.ts'
import { patchKnown } from '../apply/patch-known.ts'
import { unlessChanged } from '../apply/plan-again.ts'
import type { NewerRevision, NotRedeployed } from '../apply/redeploy.ts'
import { restoreRevision, reviseTo, type Restored } from '../apply/restore.ts'
import type { Run, WriteDependencies } from '../dependencies.ts'
import type { RolloutOutcome } from '../outcome.ts'
import { setFields } from '../plan/settings.ts'
import type { RolloutRequest, WatchRequest } from '../rollout-request.ts'
import { watchRevision } from '../watch/watch.ts'
import { knownOf, type EndedRevision, type WatchedRevision } from '../watch/watched.ts'
import { confirmCommit } from './confirm-commit.ts'
import { makeRollbackPlan, planSettings } from './make-rollback-plan.ts'
import type { RollbackPlan } from './rollback-plan.ts'
import type { Rollback, RollbackObstacle } from '../rollback-result.ts'
import { verifyRevision } from './verify.ts'

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
  deps: WriteDependencies,
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
  deps: WriteDependencies,
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
