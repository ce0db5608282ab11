import type { Deployment } from '../control-plane/model.ts'
import { applyPlan, type Applied } from '../rollout/apply.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { planRollout } from '../rollout/plan.ts'
import { describePlan } from '../rollout/plan-document.ts'
import { noteDeployment, noteRevision, type RolloutRecord } from '../rollout/record.ts'
import type { RolloutRequest } from '../rollout/request.ts'
import type { RolloutPlan } from '../rollout/rollout-plan.ts'
import { surveyControlPlane, type Survey } from '../rollout/survey.ts'
import { planLines } from '../report/plan-lines.ts'
import { InputError } from '../sources/problem.ts'
import type { Doors } from './doors.ts'
import { followRevision } from './follow.ts'
import { openSourceUpload, type SourceUpload } from './source-upload.ts'

/**
 * Rolls out one deployment: looks at what there is, plans, tells the plan, writes, watches the revision, and says what
 * became of it. What it learns on the way goes into the record at once, so that the record is true whenever the run ends.
 * @throws InputError for what the user must correct, ControlPlaneError when it could not go on
 */
export async function rollout(
  request: RolloutRequest,
  doors: Doors,
  record: RolloutRecord,
): Promise<Outcome> {
  const source = openSourceUpload(request, doors)
  try {
    const begun = await begin(request, source, doors, record)
    if (begun.kind === 'ended') return begun.outcome
    if (!request.wait) return { kind: 'started' }
    const { before, applied } = begun
    const followed = { ...applied, deploymentId: applied.deployment.id, before }
    return await followRevision(followed, request.pollInterval, doors, record)
  } finally {
    await source.dispose()
  }
}

type Begun =
  | { kind: 'ended'; outcome: Outcome }
  | {
      kind: 'applied'
      /** The deployment as it was before; nothing on a create. */
      before: Deployment | undefined
      applied: Extract<Applied, { kind: 'applied' }>
    }

async function begin(
  request: RolloutRequest,
  source: SourceUpload,
  doors: Doors,
  record: RolloutRecord,
): Promise<Begun> {
  // Before the first request, when it is known by then: a source that cannot be packed is the user's to correct.
  if (request.source === 'internal_source') await source.pack()
  // A name that somebody else takes between our look and our create: plan again, now against what is there.
  for (;;) {
    const survey = await surveyControlPlane(request, doors.controlPlane)
    noteCurrent(record, survey.current)
    const plan = await makePlan(request, survey, source)
    record.plan = describePlan(plan, request.wait)
    doors.log.info(planLines(record.plan, doors.log.redact).join('\n'))
    if (request.dryRun) return { kind: 'ended', outcome: { kind: 'planned' } }
    if (plan.kind === 'unchanged') {
      noteRevision(record, plan.active, doors.clock.wallTime())
      return { kind: 'ended', outcome: { kind: 'unchanged' } }
    }
    doors.onProgress(record)
    const applied = await applyPlan(plan, {
      ...doors,
      upload: source.send,
      onRecovery: doors.log.info,
      onWritten: (change, deployment) => {
        record.change = change
        noteDeployment(record, deployment)
        if (change === 'created') record.revisionId = deployment.latestRevisionId
      },
    })
    if (applied.kind === 'applied') {
      noteApplied(applied, doors, record)
      return { kind: 'applied', before: survey.current, applied }
    }
    doors.log.info('A deployment of that name exists by now: planning again.')
  }
}

async function makePlan(request: RolloutRequest, survey: Survey, source: SourceUpload): Promise<RolloutPlan> {
  const kind = survey.current === undefined ? request.source : survey.current.source
  const packed = kind === 'internal_source' ? await source.pack() : undefined
  const notes = [...request.notes, ...(packed?.notes ?? [])]
  const planning = planRollout({ ...request, notes }, { ...survey, packed: packed?.source })
  if (planning.kind === 'refused') throw new InputError(planning.problems)
  return planning.plan
}

function noteCurrent(record: RolloutRecord, current: Deployment | undefined): void {
  if (current === undefined) return
  noteDeployment(record, current)
  // null: the deployment says that none is active; left out: it does not say.
  const { activeRevisionId: active, latestRevisionId: latest } = current
  record.previousRevisionId = active === undefined ? latest : (active ?? undefined)
  record.wasActive = active ?? undefined
}

function noteApplied(
  applied: Extract<Applied, { kind: 'applied' }>,
  doors: Doors,
  record: RolloutRecord,
): void {
  record.change = applied.change
  noteDeployment(record, applied.deployment)
  record.revisionId = applied.revisionId
  if (applied.revision !== undefined) noteRevision(record, applied.revision, doors.clock.wallTime())
  const { name, id } = applied.deployment
  const what = applied.change === 'created' ? `Created ${name} (${id})` : `Wrote to ${name}`
  doors.log.info(`${what}: revision ${applied.revisionId}.`)
}
