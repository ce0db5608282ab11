import type { Deployment } from '../control-plane/model.ts'
import { applyPlan, type Applied } from './apply/apply.ts'
import { noteBuilt } from './plan/built-ref.ts'
import { sameCommit } from './plan/unchanged.ts'
import { commitOf } from './plan/revise.ts'
import type { Outcome } from './outcome.ts'
import { planRollout } from './plan/plan.ts'
import { describePlan } from './plan/document.ts'
import { noteDeployment, noteRevision, type RolloutRecord } from '../report/record.ts'
import type { RolloutRequest } from './rollout-request.ts'
import type { ResumePlan, RolloutPlan } from './plan/types.ts'
import { surveyControlPlane, type Survey } from './read/current-state.ts'
import { planLines } from '../report/plan-lines.ts'
import { InputError } from '../problem.ts'
import type { Doors } from './dependencies.ts'
import { attachTo, followRevision, type Followed } from './watch/follow.ts'
import { openSourceUpload, type SourceUpload } from './apply/source-upload.ts'
import { warnOnce } from './warn-once.ts'

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
    const ended = await followRevision(begun.followed, request, doors, record)
    const { lookAfter } = await import('./finish/finish.ts')
    return await lookAfter(ended, { ...request, changed: request.settings }, doors, record)
  } finally {
    await source.dispose()
  }
}

type Begun = { kind: 'ended'; outcome: Outcome } | { kind: 'followed'; followed: Followed }

async function begin(
  request: RolloutRequest,
  source: SourceUpload,
  doors: Doors,
  record: RolloutRecord,
): Promise<Begun> {
  // Before the first request, when it is known by then: a source that cannot be packed is the user's to correct.
  if (request.source === 'internal_source') await source.pack()
  const warn = warnOnce(doors.log)
  // A name that somebody else takes between our look and our create: plan again, now against what is there.
  for (;;) {
    const survey = await surveyControlPlane(request, doors)
    noteCurrent(record, survey.current)
    noteBuilt(record, request, survey.current)
    const { plan, warnings } = await makePlan(request, survey, source)
    record.plan = describePlan(plan, request.wait)
    doors.log.info(planLines(record.plan, doors.log.redact).join('\n'))
    if (request.dryRun) return { kind: 'ended', outcome: { kind: 'planned' } }
    warn(warnings)
    if (plan.kind === 'unchanged') {
      noteRevision(record, plan.active, doors.clock.wallTime())
      return { kind: 'ended', outcome: { kind: 'unchanged' } }
    }
    if (plan.kind === 'resume') return resume(plan, doors, record)
    const newer = await newerCommit(request, plan, survey, doors)
    if (newer !== undefined) return { kind: 'ended', outcome: newer }
    doors.onProgress(record)
    const applied = await applyPlan(plan, {
      ...doors,
      upload: source.send,
      onRecovery: doors.log.info,
      onWritten: (change, deployment, revisionId) => {
        record.change = change
        record.revisionId = revisionId
        noteDeployment(record, deployment)
      },
    })
    if (applied.kind === 'applied') {
      noteApplied(applied, doors, record)
      const { revisionId, revision, deployment } = applied
      const followed = { deploymentId: deployment.id, revisionId, revision, before: survey.current }
      return { kind: 'followed', followed }
    }
    doors.log.info('A deployment of that name exists by now: planning again.')
  }
}

function resume({ deployment, latest }: ResumePlan, doors: Doors, record: RolloutRecord): Begun {
  record.change = 'resumed'
  noteRevision(record, latest, doors.clock.wallTime())
  doors.log.info(`Re-attached to revision ${latest.id}.`)
  doors.onProgress(record)
  return { kind: 'followed', followed: attachTo(deployment, latest) }
}

/**
 * Whether the commit that is deployed is a later one than ours: then ours must not take its place. Only when both are
 * known; when GitHub does not tell, the rollout goes on.
 */
async function newerCommit(
  request: RolloutRequest,
  plan: RolloutPlan,
  { active, latest }: Survey,
  doors: Doors,
): Promise<Outcome | undefined> {
  if (!request.protectNewer || plan.kind !== 'revise') return undefined
  const { deployment, revision } = plan
  const ours = commitOf(request, revision.settings, deployment)
  const isNewest = deployment.latestRevisionId === deployment.activeRevisionId
  const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha
  if (ours === undefined || deployed === undefined || sameCommit(deployed, ours)) return undefined
  const comparison = await doors.compareCommits(deployed, ours)
  if (comparison !== 'behind') return undefined
  doors.log.info(`The deployed commit ${deployed} is a later one than ${ours}.`)
  return { kind: 'superseded', by: deployment.activeRevisionId ?? latest?.id ?? deployed }
}

/** The plan, with its warnings among its notes. */
async function makePlan(
  request: RolloutRequest,
  survey: Survey,
  source: SourceUpload,
): Promise<{ plan: RolloutPlan; warnings: string[] }> {
  const kind = survey.current === undefined ? request.source : survey.current.source
  const packed = kind === 'internal_source' ? await source.pack() : undefined
  const warnings = [...request.warnings, ...(packed?.warnings ?? [])]
  const notes = [...request.notes, ...warnings]
  const planning = planRollout({ ...request, notes }, { ...survey, packed: packed?.source })
  if (planning.kind === 'refused') throw new InputError(planning.problems)
  return { plan: planning.plan, warnings }
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
