import { toError } from '../../clock.ts'
import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import type { Deployment, Field, Revision, Settings } from '../../control-plane/model.ts'
import { patchDeployment } from '../apply/patch.ts'
import { redeployOnce, reviseOnce } from '../apply/write-once.ts'
import type { Dependencies, WriteDependencies } from '../dependencies.ts'
import type { Outcome } from '../outcome.ts'
import { fieldsOf } from '../plan/settings.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import type { RolloutRequest, WatchRequest } from '../rollout-request.ts'
import { supersededBy } from '../watch/superseded.ts'
import { watchRevision, type EndedRevision } from '../watch/watch.ts'
import { check } from './check.ts'
import { planRollback, type RollbackPlan } from './rollback-plan.ts'
import type { Rollback } from './rollback-result.ts'

export interface FinishRequest extends WatchRequest, Pick<RolloutRequest, 'rollback'> {
  /** The settings that the rollout has set. */
  changed: Settings
}

/**
 * Restores the revision that was active before, where that is possible, and emits what came of it. Throws only when the
 * run is cancelled: an error of the rollback must not replace the outcome of the rollout.
 */
export async function rollBack(
  ended: EndedRevision,
  request: FinishRequest,
  deps: Dependencies,
): Promise<Outcome> {
  const { outcome } = ended
  const changed = (rollback: Rollback): void => deps.emit({ kind: 'rollback-changed', rollback })
  let revisionId: string | undefined
  try {
    const { controlPlane } = deps
    const now = await pastReplicaLag(async () => await controlPlane.getDeployment(ended.deploymentId), deps)
    const plan = await makeRollbackPlan(now, ended, request, deps)
    const { kept } = plan
    if (plan.kind === 'not-possible') {
      if (plan.patch !== undefined) await patchDeployment(now, plan.patch, deps)
      const restored = plan.patch === undefined ? [] : fieldsIn(plan.patch)
      changed({ kind: 'not-possible', because: plan.because, restored, kept })
      return outcome
    }
    const to = plan.to.id
    changed({ kind: 'under-way', to })
    const applied = await applyRollback(now, plan, deps)
    revisionId = applied.revisionId
    const result = await watchRollback(applied, now, request, deps)
    if (result.kind === 'deployed') {
      changed({ kind: 'restored', kept })
      return { kind: 'rolled-back', to: revisionId, from: outcome }
    }
    changed({ kind: 'incomplete', to, revisionId, outcome: result })
    return outcome
  } catch (thrown) {
    deps.signal.throwIfAborted()
    const isUnknown = revisionId !== undefined || thrown instanceof AmbiguousWriteError
    const trouble = toError(thrown).message.replace(/\.$/, '')
    changed({ kind: 'error', isUnknown, revisionId, trouble })
    return outcome
  }
}

function fieldsIn(patch: Settings): Field[] {
  return fieldsOf('config').filter((field) => patch[field] !== undefined)
}

async function makeRollbackPlan(
  now: Deployment,
  { before, revision, outcome }: EndedRevision,
  { changed }: FinishRequest,
  deps: Dependencies,
): Promise<RollbackPlan> {
  const { controlPlane } = deps
  const newer = revision && (await supersededBy(revision, now, { controlPlane, before, unreadable: 'newer' }))
  if (newer !== undefined) {
    const because = { kind: 'newer-revision', revisionId: newer } as const
    return { kind: 'not-possible', because, patch: undefined, kept: [] }
  }
  const activeId = before?.activeRevisionId ?? undefined
  const readActive = async (id: string): Promise<Revision> =>
    await pastReplicaLag(async () => await controlPlane.getRevision(now.id, id), deps)
  return planRollback({
    before,
    now,
    changed,
    activeBefore: activeId === undefined ? undefined : await readActive(activeId),
    serving: servingInstead(now, revision, outcome.kind === 'unverified' ? undefined : activeId),
  })
}

/** The revision that serves in place of the failed one; `assumed` where the control plane does not report it. */
function servingInstead(
  { activeRevisionId: active }: Deployment,
  failed: Revision | undefined,
  assumed: string | undefined,
): string | undefined {
  if (active === undefined) return assumed
  return active === null || active === failed?.id ? undefined : active
}

interface AppliedRollback {
  revisionId: string
  /** As the answer to its creation shows it. */
  revision: Revision | undefined
}

/**
 * Creates the revision that restores the earlier one: by the redeploy route where the service has it, else by a revision
 * that repeats the earlier configuration.
 */
export async function applyRollback(
  deployment: Deployment,
  { to, draft, patch, onlyByRevision }: Extract<RollbackPlan, { kind: 'restore' }>,
  deps: WriteDependencies,
): Promise<AppliedRollback> {
  if (patch !== undefined) await patchDeployment(deployment, patch, deps)
  const redeployed = onlyByRevision ? undefined : await redeployOnce(deployment, to, deps)
  if (redeployed !== undefined) return { revisionId: redeployed, revision: undefined }
  const revision = await reviseOnce(deployment, draft, deps)
  return { revisionId: revision.id, revision }
}

/** Its events are marked: the record is about the rollout's own revision. */
async function watchRollback(
  applied: AppliedRollback,
  before: Deployment,
  request: WatchRequest,
  deps: Dependencies,
): Promise<Outcome> {
  const marked: Dependencies = { ...deps, emit: (event) => deps.emit({ kind: 'during-rollback', event }) }
  const { id: deploymentId, settings } = before
  const watched = { deploymentId, before, url: settings.customUrl, ...applied }
  return await check(await watchRevision(watched, request, marked), request, marked)
}
