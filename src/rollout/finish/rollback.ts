import { toError } from '../../clock.ts'
import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import type { Deployment, Revision, Settings } from '../../control-plane/model.ts'
import type { Outcome } from '../outcome.ts'
import { overtakenBy } from '../watch/superseded.ts'
import { patchDeployment } from '../apply/patch.ts'
import { openRecord, type RolloutRecord } from '../../report/record.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import type { FollowRequest, RolloutRequest } from '../rollout-request.ts'
import { applyRollback, planRollback, type RollbackPlan } from './rollback-plan.ts'
import { FIELDS } from '../../control-plane/settings.ts'
import { inputName } from '../plan/field-rules.ts'
import type { Doors } from '../dependencies.ts'
import { followRevision, type Ended } from '../watch/follow.ts'
import { verified } from './check.ts'

export interface AftercareRequest extends FollowRequest, Pick<RolloutRequest, 'rollback'> {
  /** What the rollout was to change. */
  changed: Settings
}

/** Puts the revision before back, where that helps; what cannot be done, or did not succeed, is noted in the record. */
export async function rollBack(
  ended: Ended,
  request: AftercareRequest,
  doors: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  const { outcome } = ended
  let made: string | undefined
  try {
    const { controlPlane } = doors
    const now = await pastReplicaLag(async () => await controlPlane.getDeployment(ended.deploymentId), doors)
    const plan = await plannedRollback(now, ended, request, doors)
    if (plan.kind === 'none') {
      if (plan.patch !== undefined) await patchDeployment(now, plan.patch, doors)
      const putBack = plan.patch === undefined ? [] : [`put back: ${namesOf(plan.patch)}`]
      record.rollback = [`Not rolled back: ${plan.because}`, ...putBack, ...tellStays(plan)].join('; ')
      return outcome
    }
    doors.log.info(`Rolling back to revision ${plan.to.id}.`)
    record.rollback = `A rollback to revision ${plan.to.id} had begun`
    const back = await putBack(plan, now, request, { ...doors, onMade: (id) => void (made = id) })
    if (back.outcome.kind === 'deployed') {
      record.rollback = tellStays(plan)[0]
      return { kind: 'rolled-back', to: back.revisionId, from: outcome }
    }
    record.rollback = tellRollback(plan.to.id, back)
    return outcome
  } catch (thrown) {
    doors.signal.throwIfAborted()
    const why = toError(thrown).message.replace(/\.$/, '')
    if (made !== undefined)
      record.rollback = `Whether the rollback succeeds is not known: revision ${made} was made for it, but ${why}`
    else if (thrown instanceof AmbiguousWriteError)
      record.rollback = `Whether the rollback succeeds is not known: ${why}`
    else record.rollback = `The rollback did not succeed: ${why}`
    return outcome
  }
}

function namesOf(settings: Settings): string {
  return FIELDS.filter((field) => settings[field] !== undefined)
    .map(inputName)
    .join(', ')
}

function tellStays({ stays }: RollbackPlan): string[] {
  return stays.length === 0 ? [] : [`as this run has set it, stays: ${stays.map(inputName).join(', ')}`]
}

/** Of a rollback that did not end well: what can be said of it. */
function tellRollback(to: string, { outcome, revisionId }: PutBack): string {
  const rollback = `rollback to revision ${to}`
  switch (outcome.kind) {
    case 'unverified':
      return `The ${rollback} is done: revision ${revisionId} is active, but does not answer as it should either`
    case 'timed-out':
      return `Whether the ${rollback} succeeds is not known: the end of revision ${revisionId} was not seen`
    case 'failed':
      if (outcome.because.kind === 'active-unknown')
        return `Whether the ${rollback} succeeded is not known: revision ${revisionId} is DEPLOYED, but the deployment could not be read`
      break
    default:
  }
  return `The ${rollback} did not succeed: revision ${revisionId} ended ${outcome.kind}`
}

async function plannedRollback(
  now: Deployment,
  { before, revision, outcome }: Ended,
  { changed }: AftercareRequest,
  doors: Doors,
): Promise<RollbackPlan> {
  const { controlPlane } = doors
  const newer = revision && (await overtakenBy(revision, now, { controlPlane, before, unreadable: 'newer' }))
  if (newer !== undefined) {
    return {
      kind: 'none',
      because: `revision ${newer} is newer, and not replaced`,
      patch: undefined,
      stays: [],
    }
  }
  const activeId = before?.activeRevisionId ?? undefined
  const readActive = async (id: string): Promise<Revision> =>
    await pastReplicaLag(async () => await controlPlane.getRevision(now.id, id), doors)
  return planRollback({
    before,
    now,
    changed,
    activeBefore: activeId === undefined ? undefined : await readActive(activeId),
    serving: servingInstead(now, revision, outcome.kind === 'unverified' ? undefined : activeId),
  })
}

/** What serves in place of the revision that went wrong; `assumed` where the control plane does not tell. */
function servingInstead(
  { activeRevisionId: active }: Deployment,
  wrong: Revision | undefined,
  assumed: string | undefined,
): string | undefined {
  if (active === undefined) return assumed
  return active === null || active === wrong?.id ? undefined : active
}

interface PutBack {
  outcome: Outcome
  revisionId: string
}

/** The rollback's own revision has a record of its own: that of the rollout tells of the rollout. */
async function putBack(
  plan: Extract<RollbackPlan, { kind: 'back' }>,
  before: Deployment,
  request: FollowRequest,
  { onMade, ...doors }: Doors & { onMade: (revisionId: string) => void },
): Promise<PutBack> {
  const made = await applyRollback(before, plan, { ...doors, onRecovery: doors.log.info })
  onMade(made.revisionId)
  const own = openRecord(doors.clock.wallTime())
  const quiet = { ...doors, onProgress: () => undefined }
  const ended = await followRevision({ deploymentId: before.id, before, ...made }, request, quiet, own)
  return { outcome: await verified(ended, request, quiet, own.url), revisionId: made.revisionId }
}
