import { toError } from '../clock.ts'
import { lookAt } from '../control-plane/look.ts'
import type { Deployment, Revision, Settings } from '../control-plane/model.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { openRecord, type RolloutRecord } from '../rollout/record.ts'
import type { FollowRequest, RolloutRequest } from '../rollout/request.ts'
import { applyRollback, planRollback, type RollbackPlan } from '../rollout/roll-back.ts'
import { verify } from '../rollout/verify.ts'
import type { Doors } from './doors.ts'
import { followRevision } from './follow.ts'

/** What is known of a rollout when its revision has ended. */
export interface Ended {
  outcome: Outcome
  deploymentId: string
  before: Deployment | undefined
  /** What the rollout was to change. */
  changed: Settings
}

/**
 * Looks after a rollout whose revision has ended: explains a failure, verifies a success, and puts the revision before
 * back where that was asked for and helps.
 */
export async function lookAfter(
  ended: Ended,
  request: FollowRequest & Pick<RolloutRequest, 'rollback'>,
  doors: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  await explainFailure(ended, doors, record)
  const outcome =
    ended.outcome.kind === 'deployed' ? await verified(ended.outcome, request, doors, record) : ended.outcome
  if (request.rollback === 'never' || !wentWrong(outcome)) return outcome
  return await rollBack({ ...ended, outcome }, request, doors, record)
}

const LOG_LINES = 50

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
    const lines = await doors.controlPlane.readLog(deploymentId, revisionId, { type, lines: LOG_LINES })
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

async function verified(
  deployed: Outcome,
  { verification }: FollowRequest,
  { clock, signal, log }: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  if (verification === undefined) return deployed
  log.info(`Verifying ${verification.url}.`)
  const look = async (url: URL, timeoutMs: number) => await lookAt(url, timeoutMs, signal)
  const end = await verify(verification, record.url, { look, clock, signal })
  return end.kind === 'verified' ? deployed : end
}

function wentWrong(outcome: Outcome): boolean {
  return outcome.kind === 'unverified' || (outcome.kind === 'failed' && outcome.because.kind === 'revision')
}

async function rollBack(
  ended: Ended,
  request: FollowRequest,
  doors: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  const { outcome, deploymentId, before } = ended
  try {
    const plan = planRollback({
      ...ended,
      activeBefore: await readActiveBefore(deploymentId, before, doors),
      becameActive: outcome.kind === 'unverified',
    })
    if (plan.kind === 'none') {
      if (plan.patch !== undefined) await doors.controlPlane.updateDeployment(deploymentId, plan.patch)
      record.rollback = `Not rolled back: ${plan.because}`
      return outcome
    }
    doors.log.info(`Rolling back to revision ${plan.to.id}.`)
    const back = await follow(plan, ended, request, doors)
    const end =
      back.outcome.kind === 'deployed' ? await verified(back.outcome, request, doors, record) : back.outcome
    if (end.kind === 'deployed') return { kind: 'rolled-back', to: back.revisionId, from: outcome }
    record.rollback = `The rollback to revision ${plan.to.id} did not succeed: revision ${back.revisionId} ended ${end.kind}`
    return outcome
  } catch (thrown) {
    doors.signal.throwIfAborted()
    record.rollback = `The rollback did not succeed: ${toError(thrown).message.replace(/\.$/, '')}`
    return outcome
  }
}

async function readActiveBefore(
  deploymentId: string,
  before: Deployment | undefined,
  { controlPlane }: Doors,
): Promise<Revision | undefined> {
  const id = before?.activeRevisionId
  return id === undefined || id === null ? undefined : await controlPlane.getRevision(deploymentId, id)
}

/** The rollback's own revision has a record of its own: that of the rollout tells of the rollout. */
async function follow(
  plan: Extract<RollbackPlan, { kind: 'back' }>,
  { deploymentId }: Ended,
  request: FollowRequest,
  doors: Doors,
): Promise<{ outcome: Outcome; revisionId: string }> {
  const { controlPlane, clock } = doors
  const before = await controlPlane.getDeployment(deploymentId)
  const made = await applyRollback(deploymentId, plan, controlPlane)
  const own = openRecord(clock.wallTime())
  const quiet = { ...doors, onProgress: () => undefined, deadline: clock.now() + request.timeoutMs }
  const outcome = await followRevision({ deploymentId, before, ...made }, request, quiet, own)
  return { outcome, revisionId: made.revisionId }
}
