import { toError } from '../clock.ts'
import { lookAt } from '../control-plane/look.ts'
import type { Deployment, Revision, Settings } from '../control-plane/model.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { openRecord, type RolloutRecord } from '../rollout/record.ts'
import type { FollowRequest, RolloutRequest } from '../rollout/request.ts'
import { overtakenBy } from '../rollout/overtaken.ts'
import { patchDeployment } from '../rollout/patch.ts'
import { pastReplicaLag } from '../rollout/replica-lag.ts'
import { applyRollback, planRollback, type RollbackPlan } from '../rollout/roll-back.ts'
import { settleOutcome, settlingTime } from '../rollout/settle.ts'
import { verify } from '../rollout/verify.ts'
import type { Doors } from './doors.ts'
import { followRevision, type Ended } from './follow.ts'

export interface AftercareRequest extends FollowRequest, Pick<RolloutRequest, 'rollback'> {
  /** What the rollout was to change. */
  changed: Settings
}

/**
 * Looks after a rollout whose revision has ended: explains a failure, verifies a success, and puts the revision before
 * back where that was asked for and helps.
 */
export async function lookAfter(
  ended: Ended,
  request: AftercareRequest,
  doors: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  await explainFailure(ended, doors, record)
  const outcome = await verified(ended, request, doors, record.url)
  if (request.rollback === 'never' || !wentWrong(outcome)) return outcome
  return await rollBack({ ...ended, outcome }, request, doors.extended(request.timeoutMs), record)
}

const LOG_LINES = 50
/** How long reading it may take, in milliseconds. */
const LOG_MS = 15_000

/** Best effort: a service need not have the log, and a failure is one without it, too. */
async function explainFailure(
  { outcome, deploymentId }: Ended,
  doors: Doors,
  record: RolloutRecord,
): Promise<void> {
  const isFailure =
    outcome.kind === 'interrupted' || (outcome.kind === 'failed' && outcome.because.kind === 'revision')
  const type = logThatTells(record)
  const { revisionId } = record
  if (!isFailure || revisionId === undefined || type === undefined) return
  try {
    const { controlPlane } = doors.extended(LOG_MS)
    const lines = await controlPlane.readLog(deploymentId, revisionId, { type, lines: LOG_LINES })
    record.log = { type, lines }
  } catch (thrown) {
    doors.signal.throwIfAborted()
    doors.log.debug(`No log: ${toError(thrown).message}`)
  }
}

/** The log of the phase in which it ended: its status tells, or what was seen before. */
function logThatTells({ revision, timeline }: RolloutRecord): 'build' | 'deploy' | undefined {
  if (revision?.status === 'BUILD_FAILED') return 'build'
  if (revision?.status === 'DEPLOY_FAILED') return 'deploy'
  const phases = timeline.map(({ phase }) => phase).toReversed()
  return phases.find((phase) => phase === 'build' || phase === 'deploy')
}

/** What a rollout that is deployed is once it has been verified. */
async function verified(
  ended: Ended,
  { verification }: FollowRequest,
  doors: Doors,
  url: string | undefined,
): Promise<Outcome> {
  const { outcome, revision } = ended
  if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined) return outcome
  doors.log.info(`Verifying ${verification.url}.`)
  const { controlPlane } = doors.extended(verification.timeoutMs)
  const end = await verify(verification, url, {
    ...doors,
    look: async (address, timeoutMs) => await lookAt(address, timeoutMs, doors.signal),
    findUrl: async () => (await controlPlane.getDeployment(ended.deploymentId)).settings.customUrl,
  })
  // Verifying takes its time: what answered in the end may have been another revision that is active by now.
  const still = await settleOutcome(revision, { ...doors.extended(settlingTime(doors)), ...ended })
  if (still.kind === 'superseded') return still
  return end.kind === 'verified' ? outcome : end
}

function wentWrong(outcome: Outcome): boolean {
  return outcome.kind === 'unverified' || (outcome.kind === 'failed' && outcome.because.kind === 'revision')
}

async function rollBack(
  ended: Ended,
  request: AftercareRequest,
  doors: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  const { outcome } = ended
  let made: string | undefined
  try {
    const now = await doors.controlPlane.getDeployment(ended.deploymentId)
    const plan = await plannedRollback(now, ended, request, doors)
    if (plan.kind === 'none') {
      if (plan.patch !== undefined) await patchDeployment(now, plan.patch, doors)
      record.rollback = `Not rolled back: ${plan.because}`
      return outcome
    }
    doors.log.info(`Rolling back to revision ${plan.to.id}.`)
    record.rollback = `A rollback to revision ${plan.to.id} had begun`
    const back = await putBack(plan, now, request, { ...doors, onMade: (id) => void (made = id) })
    if (back.outcome.kind === 'deployed') {
      record.rollback = undefined
      return { kind: 'rolled-back', to: back.revisionId, from: outcome }
    }
    record.rollback = tellRollback(plan.to.id, back)
    return outcome
  } catch (thrown) {
    doors.signal.throwIfAborted()
    const why = toError(thrown).message.replace(/\.$/, '')
    record.rollback =
      made === undefined
        ? `The rollback did not succeed: ${why}`
        : `Whether the rollback succeeds is not known: revision ${made} was made for it, but ${why}`
    return outcome
  }
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
    return { kind: 'none', because: `revision ${newer} is newer, and not replaced`, patch: undefined }
  }
  const activeId = before?.activeRevisionId ?? undefined
  const readActive = async (id: string): Promise<Revision> =>
    await pastReplicaLag(async () => await controlPlane.getRevision(now.id, id), doors)
  return planRollback({
    before,
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
