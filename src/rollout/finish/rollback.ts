import { toError } from '../../clock.ts'
import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import type { Deployment, Field } from '../../control-plane/model.ts'
import { ChangedError } from '../apply/deployment-change.ts'
import { ANY_CHANGE, knownDeployment, type KnownDeployment } from '../apply/known-deployment.ts'
import { patchKnown } from '../apply/patch-known.ts'
import type { NewerRevision, NotRedeployed } from '../apply/redeploy.ts'
import { restoreRevision, reviseTo, type Restored } from '../apply/restore.ts'
import type { Dependencies, WriteDependencies } from '../dependencies.ts'
import type { Outcome } from '../outcome.ts'
import { setFields } from '../plan/settings.ts'
import type { RolloutRequest, WatchRequest } from '../rollout-request.ts'
import { PLANS } from '../timing.ts'
import { watchRevision } from '../watch/watch.ts'
import { knownOf, type EndedRevision, type WatchedRevision } from '../watch/watched.ts'
import { confirmCommit } from './confirm-commit.ts'
import { makeRollbackPlan } from './make-rollback-plan.ts'
import type { RollbackPlan } from './rollback-plan.ts'
import type { Rollback, RollbackObstacle } from '../rollback-result.ts'
import { verifyRevision } from './verify.ts'

/** `settings`: what the rollout has set. */
export type FinishRequest = WatchRequest & Pick<RolloutRequest, 'rollback' | 'settings'>

/**
 * Restores the revision that was active before, where that is possible, and emits the result. Throws only when the run
 * is cancelled: an error of the rollback must not replace the outcome of the rollout.
 */
export async function rollBack(ended: EndedRevision, request: FinishRequest, deps: Dependencies): Promise<Outcome> {
  const { outcome } = ended
  const report = (rollback: Rollback): void => deps.emit({ kind: 'rollback-changed', rollback })
  let revisionId: string | undefined
  try {
    const made = await planAndApply(ended, request, deps, report)
    if (made === undefined) return outcome
    const { now, plan, applied } = made
    const { kept, changedSince } = plan
    const notRestored = { kept, changedSince }
    const to = plan.to.id
    revisionId = applied.revisionId
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

/**
 * Plans the rollback, and applies the plan. Plans again if the deployment changes before the write of a revision.
 * @param restored the settings that an earlier plan has restored
 * @returns undefined if it is not possible, which it reports
 */
async function planAndApply(
  ended: EndedRevision,
  request: FinishRequest,
  deps: Dependencies,
  report: (rollback: Rollback) => void,
  restored: readonly Field[] = [],
  plans = 1,
): Promise<Applied | undefined> {
  const { now, readAt, plan } = await makeRollbackPlan(ended, request, deps)
  const known = knownDeployment(now, deps, { readAt, planEnds: ANY_CHANGE })
  const { kept, patch } = plan
  const patched = new Set(restored)
  const patchSettings = async (basis: KnownDeployment): Promise<void> => {
    if (patch !== undefined) await patchKnown(basis, patch, deps)
    for (const field of setFields(patch ?? {})) patched.add(field)
  }
  // The service may write a restored setting in its own way.
  const changedSince = plan.changedSince.filter((field) => !patched.has(field))
  const reportImpossible = (because: RollbackObstacle): void =>
    report({ kind: 'not-possible', because, restored: [...patched], kept, changedSince })
  try {
    if (plan.kind === 'not-possible') {
      await patchSettings(known)
      reportImpossible(plan.because)
      return undefined
    }
    report({ kind: 'under-way', to: plan.to.id })
    const applied = await applyRollback(known, plan, deps, patchSettings)
    if (applied.kind === 'made') return { now, plan: { ...plan, changedSince }, applied }
    reportImpossible(obstacleOf(applied, plan))
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof ChangedError) || plans >= PLANS) throw thrown
    deps.emit({ kind: 'changed-meanwhile', deploymentId: now.id, change: thrown.change })
    return await planAndApply(ended, request, deps, report, [...patched], plans + 1)
  }
}

type RestorePlan = Extract<RollbackPlan, { kind: 'restore' }>

/**
 * Creates the revision that restores the earlier one, by the redeploy route if the service has it.
 * @throws ChangedError when the deployment has changed, and no revision was written
 */
export async function applyRollback(
  known: KnownDeployment,
  plan: RestorePlan,
  deps: WriteDependencies,
  patchSettings: (known: KnownDeployment) => Promise<void>,
): Promise<Restored | NewerRevision | NotRedeployed> {
  const { draft, patch, onlyByRevision } = plan
  // A revision that only a redeploy restores may turn out to be impossible to restore: then nothing was written.
  if (draft === undefined) {
    const redeployed = await restoreRevision(known, plan, deps)
    if (redeployed.kind === 'made') await patchSettings(known)
    return redeployed
  }
  let basis = known
  if (patch !== undefined) {
    await patchSettings(known)
    basis = knownDeployment(known.state, deps, { readAt: known.readAt, planEnds: ['revised', 'active'] })
  }
  return onlyByRevision ? await reviseTo(basis, draft, deps) : await restoreRevision(basis, plan, deps)
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
  request: FinishRequest,
  deps: Dependencies,
): Promise<Outcome> {
  const marked: Dependencies = { ...deps, emit: (event) => deps.emit({ kind: 'during-rollback', event }) }
  const { verification } = request
  const once = { ...request, verification: verification && { ...verification, forMs: undefined } }
  const ended = confirmCommit(await watchRevision(restoring, request, marked), plan)
  // No response need report the address that the rollback has restored.
  const url = plan.patch?.customUrl ?? ended.url ?? request.settings.customUrl
  return await verifyRevision({ ...ended, url }, once, marked)
}
