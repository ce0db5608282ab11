import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/client.ts'
import type { Deployment, Revision } from '../control-plane/model.ts'
import { applyPlan, type Applied } from '../rollout/apply.ts'
import { findDeployment } from '../rollout/find.ts'
import { phaseOf, type Outcome } from '../rollout/outcome.ts'
import { planRollout, type RolloutPlan } from '../rollout/plan.ts'
import { noteDeployment, noteRevision, type RolloutRecord } from '../rollout/record.ts'
import type { RolloutRequest } from '../rollout/request.ts'
import { settleOutcome } from '../rollout/settle.ts'
import { watchRevision, type WatchEnd } from '../rollout/watch.ts'
import { planLines, watchLine } from '../report/narrate.ts'
import type { Log } from '../report/log.ts'
import { InputError } from '../sources/problem.ts'

export interface RolloutDoors {
  controlPlane: ControlPlane
  clock: Clock
  random: () => number
  signal: AbortSignal
  log: Log
  maxRetries: number
  /** Monotonic milliseconds at which the wait is over. */
  deadline: number
}

/**
 * Rolls out one deployment: finds it, plans, writes, watches the revision, and says what became of it. What it learns
 * on the way goes into the record at once, so that the record is true whenever the run ends.
 * @throws InputError for what the user must correct, ControlPlaneError when it could not go on
 */
export async function rollout(
  request: RolloutRequest,
  doors: RolloutDoors,
  record: RolloutRecord,
): Promise<Outcome> {
  const { before, applied } = await planAndApply(request, doors, record)
  if (!request.wait) return { kind: 'started' }

  const end = await watch(request, applied, doors, record)
  if (end.kind === 'timed-out') return end
  const outcome = await settleOutcome(end.revision, {
    controlPlane: readsNoted(doors.controlPlane, record),
    deploymentId: applied.deployment.id,
    before,
    clock: doors.clock,
    signal: doors.signal,
  })
  return outcome
}

interface Begun {
  /** The deployment as it was before; nothing on a create. */
  before: Deployment | undefined
  applied: Extract<Applied, { kind: 'applied' }>
}

async function planAndApply(
  request: RolloutRequest,
  doors: RolloutDoors,
  record: RolloutRecord,
): Promise<Begun> {
  let current = await findDeployment(request.target, doors.controlPlane)
  // A name that somebody else takes between our look and our create: plan again, now against what is there.
  for (;;) {
    const plan = makePlan(request, current, doors, record)
    const applied = await applyPlan(plan, {
      ...doors,
      onRecovery: doors.log.info,
      onWritten: (change, deployment) => {
        record.change = change
        noteDeployment(record, deployment)
        if (change === 'created') record.revisionId = deployment.latestRevisionId
      },
    })
    if (applied.kind === 'applied') {
      noteApplied(applied, doors, record)
      return { before: current, applied }
    }
    doors.log.info('A deployment of that name exists by now: planning again.')
    current = applied.deployment
  }
}

function makePlan(
  request: RolloutRequest,
  current: Deployment | undefined,
  doors: RolloutDoors,
  record: RolloutRecord,
): RolloutPlan {
  if (current !== undefined) {
    noteDeployment(record, current)
    // null: the deployment says that none is active; left out: it does not say.
    const { activeRevisionId: active, latestRevisionId: latest } = current
    record.previousRevisionId = active === undefined ? latest : (active ?? undefined)
  }
  const planning = planRollout(request, current)
  if (planning.kind === 'refused') throw new InputError(planning.problems)
  record.plan = planning.plan
  doors.log.info(planLines(planning.plan, doors.log.redact).join('\n'))
  return planning.plan
}

function noteApplied(applied: Begun['applied'], doors: RolloutDoors, record: RolloutRecord): void {
  record.change = applied.change
  noteDeployment(record, applied.deployment)
  record.revisionId = applied.revisionId
  if (applied.revision !== undefined) noteRevision(record, applied.revision, doors.clock.wallTime())
  const { name, id } = applied.deployment
  const what = applied.change === 'created' ? `Created ${name} (${id})` : `Wrote to ${name}`
  doors.log.info(`${what}: revision ${applied.revisionId}.`)
}

async function watch(
  request: RolloutRequest,
  applied: Begun['applied'],
  doors: RolloutDoors,
  record: RolloutRecord,
): Promise<WatchEnd> {
  const { clock, log } = doors
  const poll = async (): Promise<Revision> => {
    record.polls += 1
    return await doors.controlPlane.getRevision(applied.deployment.id, applied.revisionId, { retries: 0 })
  }
  const watching = watchRevision({
    ...doors,
    poll,
    initial: applied.revision,
    interval: request.pollInterval,
  })
  for (;;) {
    const step = await watching.next()
    if (step.done === true) return step.value
    const event = step.value
    if (event.kind === 'status') {
      noteRevision(record, event.revision, event.wallTime)
      warnOfUnknown(event.revision.status, record, log)
    }
    const line = watchLine(event, clock.wallTime() - record.startedAt, log.redact)
    if (line !== undefined) log.info(line)
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
function readsNoted(controlPlane: ControlPlane, record: RolloutRecord): Pick<ControlPlane, 'getDeployment'> {
  return {
    async getDeployment(id) {
      const deployment = await controlPlane.getDeployment(id)
      noteDeployment(record, deployment)
      return deployment
    },
  }
}
