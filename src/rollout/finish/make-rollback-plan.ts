import { type Deployment, type Revision, sameId, type Settings } from '../../control-plane/model.ts'
import { pauseWithin, type Run } from '../dependencies.ts'
import { shows } from '../apply/compare-patch.ts'
import { readAsBefore } from '../apply/known-deployment.ts'
import { differenceOf, sameValue } from '../plan/diff.ts'
import { fieldsOf, omit, REPORTED_BY_REVISION, setFields } from '../plan/settings.ts'
import { pastReplicaLag } from '../read/read-again.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { STALE_READ_MS } from '../timing.ts'
import { supersededBy } from '../watch/superseded.ts'
import type { EndedRevision } from '../watch/watched.ts'
import { notPossible, planRollback, planSettingsOf, type RestoredSettings, type RollbackPlan } from './rollback-plan.ts'

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
    outcome.kind === 'unverified' && sameId(activeRevisionId, before?.activeRevisionId)
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
  const serving = servingInstead(now, revision, outcome.kind === 'unverified' ? undefined : activeId)
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
