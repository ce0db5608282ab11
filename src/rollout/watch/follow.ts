import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { ControlPlaneError, ifReadable, isNotFound } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import { phaseOf, type Outcome } from '../outcome.ts'
import { noteDeployment, noteRevision, type RolloutRecord } from '../../report/record.ts'
import { supersededBy } from './superseded.ts'
import type { FollowRequest } from '../rollout-request.ts'
import { confirmationTime, confirmOutcome } from './confirm.ts'
import { watchRevision, type WatchEnd } from './watch.ts'
import { watchLine } from '../../report/log-lines.ts'
import type { Log } from '../../report/log.ts'
import type { Doors } from '../dependencies.ts'

/** A revision to be followed to its end. */
export interface Followed {
  deploymentId: string
  revisionId: string
  /** As the answer that created it told it. */
  revision: Revision | undefined
  /** The deployment as it was before our revision; nothing on a create. */
  before: Deployment | undefined
}

/**
 * A revision that an earlier run has begun. What was active before it is known as long as it has not ended; by then
 * whatever else is active has taken its place. What the settings were nobody tells any more.
 */
export function attachTo(deployment: Deployment, revision: Revision): Followed {
  const { id: deploymentId, activeRevisionId } = deployment
  const hasEnded = phaseOf(revision.status) === 'terminal'
  const before = hasEnded
    ? undefined
    : { ...deployment, activeRevisionId, latestRevisionId: undefined, settings: {} }
  return { deploymentId, revisionId: revision.id, revision, before }
}

/** A revision that was followed, as last seen, and what became of it. */
export interface Ended extends Followed {
  outcome: Outcome
}

/** Watches a revision until it has ended or the wait is over, and says what became of it. */
export async function followRevision(
  followed: Followed,
  pace: Pick<FollowRequest, 'pollInterval' | 'phaseLimits'>,
  doors: Doors,
  record: RolloutRecord,
): Promise<Ended> {
  const end = await watch(followed, pace, doors, record)
  if (end.kind !== 'terminal') return { ...followed, outcome: end }
  const { revision } = end
  // The revision has ended within its time; whether it is the active one may take a moment longer.
  const settling = doors.extended(confirmationTime(doors))
  const controlPlane = readsNoted(settling.controlPlane, record)
  const outcome = await confirmOutcome(revision, { ...settling, ...followed, controlPlane })
  return { ...followed, revision, outcome }
}

async function watch(
  { deploymentId, revisionId, revision, before }: Followed,
  { pollInterval: interval, phaseLimits }: Pick<FollowRequest, 'pollInterval' | 'phaseLimits'>,
  doors: Doors,
  record: RolloutRecord,
): Promise<WatchEnd> {
  const { clock, log, controlPlane } = doors
  const readDeployment = readsNoted(controlPlane, record).getDeployment
  const poll = async (): Promise<Revision> => {
    record.polls += 1
    return await doors.controlPlane.getRevision(deploymentId, revisionId, { retries: 0 })
  }
  // It is only a look: the polls will tell whether the control plane is gone.
  const overtaken = async (ours: Revision): Promise<string | undefined> =>
    await ifReadable(async () => {
      const deployment = await readDeployment(deploymentId)
      return await supersededBy(ours, deployment, { controlPlane, before, unreadable: 'older' })
    })
  const watching = watchRevision({
    ...doors,
    poll,
    initial: revision,
    interval,
    phaseLimits,
    overtakenBy: overtaken,
    deploymentIsGone: async () => await isGone(deploymentId, controlPlane),
  })
  for (;;) {
    const step = await watching.next()
    if (step.done === true) return step.value
    const event = step.value
    if (event.kind === 'status') {
      noteRevision(record, event.revision, event.wallTime)
      warnOfUnknown(event.revision.status, record, log)
      doors.onProgress(record)
    }
    const line = watchLine(event, clock.wallTime() - record.startedAt, log.redact)
    if (line !== undefined) log.info(line)
  }
}

/** Only where the control plane says so. */
async function isGone(deploymentId: string, controlPlane: ControlPlane): Promise<boolean> {
  try {
    await controlPlane.getDeployment(deploymentId)
    return false
  } catch (thrown) {
    if (!(thrown instanceof ControlPlaneError)) throw thrown
    return isNotFound(thrown)
  }
}

function warnOfUnknown(status: string, record: RolloutRecord, log: Log): void {
  const isFirst = record.timeline.filter(({ phase }) => phase === 'unknown').length === 1
  if (phaseOf(status) === 'unknown' && isFirst) {
    log.warning(
      `The control plane tells a status that this action does not know: ${status}. It counts as in progress.`,
    )
  }
}

/** Every read of the deployment may tell its address, which a new deployment only gets on the way. */
function readsNoted(
  controlPlane: ControlPlane,
  record: RolloutRecord,
): Pick<ControlPlane, 'getDeployment' | 'getRevision'> {
  return {
    getRevision: async (...asked) => await controlPlane.getRevision(...asked),
    async getDeployment(id) {
      const deployment = await controlPlane.getDeployment(id)
      noteDeployment(record, deployment)
      return deployment
    },
  }
}
