import { toError } from '../../clock.ts'
import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import { knownDeployment, type KnownDeployment } from '../apply/known-deployment.ts'
import { patchKnown } from '../apply/patch-known.ts'
import type { NewerRevision, NotRedeployed } from '../apply/redeploy.ts'
import { restoreRevision, reviseTo, type Restored } from '../apply/restore.ts'
import type { Dependencies, WriteDependencies } from '../dependencies.ts'
import type { Outcome } from '../outcome.ts'
import { setFields } from '../plan/settings.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import type { RolloutRequest, WatchRequest } from '../rollout-request.ts'
import { STALE_READ_MS } from '../timing.ts'
import { supersededBy } from '../watch/superseded.ts'
import { watchRevision } from '../watch/watch.ts'
import { knownOf, type EndedRevision, type WatchedRevision } from '../watch/watched.ts'
import { confirmCommit } from './confirm-commit.ts'
import { notPossible, planRollback, type RollbackPlan } from './rollback-plan.ts'
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
    const { now, readAt } = await readPresent(ended, deps)
    const plan = await makeRollbackPlan(now, ended, request, deps)
    const known = knownDeployment(now, deps, { readAt, isWritten: true })
    const { kept, changedSince, patch } = plan
    const notRestored = { kept, changedSince }
    if (plan.kind === 'not-possible') {
      if (patch !== undefined) await patchKnown(known, patch, deps)
      report({ kind: 'not-possible', because: plan.because, restored: setFields(patch ?? {}), ...notRestored })
      return outcome
    }
    const to = plan.to.id
    report({ kind: 'under-way', to })
    const applied = await applyRollback(known, plan, deps)
    if (applied.kind !== 'made') {
      const restored = setFields(isPatchedFirst(plan) ? (patch ?? {}) : {})
      report({ kind: 'not-possible', because: obstacleOf(applied, plan), restored, ...notRestored })
      return outcome
    }
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

/** Our revision was active just now: a read that shows the one before it as active may be of a lagging replica. */
async function readPresent({ deploymentId, before, outcome }: EndedRevision, deps: Dependencies): Promise<Present> {
  const { controlPlane, clock, signal, deadline } = deps
  const read = async (): Promise<Present> => {
    const readAt = clock.now()
    return { now: await pastReplicaLag(async () => await controlPlane.getDeployment(deploymentId), deps), readAt }
  }
  const present = await read()
  const { activeRevisionId } = present.now
  if (outcome.kind !== 'unverified' || !sameId(activeRevisionId, before?.activeRevisionId)) return present
  await clock.sleep(Math.max(0, Math.min(STALE_READ_MS, deadline - clock.now())), signal)
  return await read()
}

/** The deployment, and when it was read, in monotonic milliseconds. */
interface Present {
  now: Deployment
  readAt: number
}

async function makeRollbackPlan(
  now: Deployment,
  { before, revision, outcome, patched }: EndedRevision,
  { settings: changed }: FinishRequest,
  deps: Dependencies,
): Promise<RollbackPlan> {
  const { controlPlane } = deps
  const newer = revision && (await supersededBy(revision, now, { ...deps, before, unreadable: 'newer' }))
  if (newer !== undefined) return notPossible({ kind: 'newer-revision', revisionId: newer })
  const activeId = before?.activeRevisionId ?? undefined
  const serving = servingInstead(now, revision, outcome.kind === 'unverified' ? undefined : activeId)
  const activeBefore =
    activeId === undefined
      ? undefined
      : await pastReplicaLag(async () => await controlPlane.getRevision(now.id, activeId), deps)
  return planRollback({ before, now, changed, patched, activeBefore, serving, api: controlPlane.api })
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

type RestorePlan = Extract<RollbackPlan, { kind: 'restore' }>

/** A revision that only a redeploy restores may turn out to be impossible to restore: then nothing was written. */
function isPatchedFirst({ draft }: RestorePlan): boolean {
  return draft !== undefined
}

/** Creates the revision that restores the earlier one, by the redeploy route if the service has it. */
export async function applyRollback(
  known: KnownDeployment,
  plan: RestorePlan,
  deps: WriteDependencies,
): Promise<Restored | NewerRevision | NotRedeployed> {
  const { draft, patch, onlyByRevision } = plan
  const patchSettings = async (): Promise<void> => {
    if (patch !== undefined) await patchKnown(known, patch, deps)
  }
  if (isPatchedFirst(plan)) await patchSettings()
  const restored =
    onlyByRevision && draft !== undefined
      ? await reviseTo(known, draft, deps)
      : await restoreRevision(known, plan, deps)
  if (restored.kind === 'made' && !isPatchedFirst(plan)) await patchSettings()
  return restored
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
