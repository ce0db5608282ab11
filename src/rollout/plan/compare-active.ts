import {
  type Deployment,
  type Field,
  FORMS,
  type Revision,
  sameId,
  type Settings,
  type Source,
  withBranch,
} from '../../control-plane/model.ts'
import { phaseOf } from '../outcome.ts'
import type { CurrentState } from '../read/current-state.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { contradicts, differenceOf, partsOf } from './diff.ts'
import type { Difference, FieldObstacle, LaterCommit, OutdatedPlan, ResumeObstacle, RevisePlan } from './plan.ts'
import { commitOf, sameCommit } from './repository.ts'
import { fieldsOf, REPORTED_BY_REVISION, setFields } from './settings.ts'

export interface Wanted {
  settings: Settings
  source: Source
  /** The commit that would be built, if known. */
  commit: string | undefined
  unreported: readonly Field[]
}

export interface LatestSigns {
  /** The run has waited for it to report its commit. */
  isCommitAwaited?: true
  /** An earlier attempt of this run has made it for the same request, as it noted on GitHub. */
  isNoted?: true
}

export interface Known extends LatestSigns {
  current: Deployment
  active?: Revision | undefined
  latest: Revision | undefined
}

/** Whatever is unknown counts as a difference: an unnecessary revision does no harm, a missing one does. */
export function compareWithActive(
  wanted: Wanted,
  { current, active, latest, isNoted }: Known,
): { kind: 'same'; active: Revision } | Difference {
  const { settings, source, commit } = wanted
  if (active === undefined) return { kind: 'no-active-revision' }
  if (isNoted && sameId(latest?.id, active.id))
    return contradictionOfNote(wanted, current, active) ?? { kind: 'same', active }
  if (source === 'internal_source') return { kind: 'uploaded-source' }
  if (latest !== undefined && !sameId(latest.id, active.id)) {
    if (isUnfinished(latest)) return { kind: 'newer-unfinished', revisionId: latest.id }
    const [field] = setFields(settings, fieldsOf('revision'))
      .filter((one) => !REPORTED_BY_REVISION.includes(one))
      .flatMap((one) => partsOf(one, current.settings, settings))
    if (field !== undefined) return { kind: 'field-of-latest-only', field: field.name }
  }
  const difference = firstDifference(wanted, current, active)
  if (difference !== undefined) return difference
  if (source !== 'git_host') return { kind: 'same', active }
  if (commit === undefined) return { kind: 'commit-unknown' }
  if (active.repoCommitSha === undefined) return { kind: 'active-commit-not-reported' }
  return sameCommit(active.repoCommitSha, commit) ? { kind: 'same', active } : { kind: 'other-commit' }
}

/** What contradicts the note that this run has made the revision. A value in the service's own form does not. */
function contradictionOfNote(
  { settings: wanted, commit }: Wanted,
  current: Deployment,
  revision: Revision,
): Extract<Difference, { kind: 'field-differs' | 'other-commit' }> | undefined {
  const ofRevision = withBranch(revision.settings, current.branch)
  const field = setFields(wanted, [...fieldsOf('config'), ...fieldsOf('revision')]).find((one) =>
    contradicts(one, REPORTED_BY_REVISION.includes(one) ? ofRevision : current.settings, wanted),
  )
  if (field !== undefined) return { kind: 'field-differs', field }
  const { repoCommitSha: built } = revision
  const isOther = built !== undefined && commit !== undefined && !sameCommit(built, commit)
  return isOther ? { kind: 'other-commit' } : undefined
}

export function isUnfinished({ status }: Revision): boolean {
  return phaseOf(status) !== 'terminal'
}

function firstDifference(
  { settings: wanted, unreported }: Wanted,
  current: Deployment,
  revision: Revision,
): FieldObstacle | undefined {
  const isPinned = FORMS.fullCommit.test(wanted.repoRef ?? '')
  const ofRevision = isPinned ? revision.settings : withBranch(revision.settings, current.branch)
  for (const field of setFields(wanted, [...fieldsOf('config'), ...fieldsOf('revision')])) {
    const reported = REPORTED_BY_REVISION.includes(field) ? ofRevision : current.settings
    for (const part of partsOf(field, reported, wanted)) {
      const difference = differenceOf(field, part.current, part.wanted, unreported)
      if (difference === 'unknown') return { kind: 'field-not-reported', field: part.name }
      if (difference !== 'same') return { kind: 'field-differs', field: part.name }
    }
  }
  return undefined
}

export type NewerCheck =
  | ({ kind: 'compare' } & LaterCommit)
  /** The ref to build is not that of the event: who sets it has decided, also for an older commit. */
  | { kind: 'other-ref'; ref: string }
  /** It is off, the same commit is deployed, or one of the two is unknown. */
  | { kind: 'none' }

export function checkNewer(
  { revision, deployment, matchesActive }: RevisePlan,
  { protectNewer, repository }: RolloutRequest,
  { active, latest }: CurrentState,
): NewerCheck {
  if (!protectNewer || revision.source !== 'git_host' || matchesActive) return { kind: 'none' }
  const { latestRevisionId: newest, activeRevisionId: serving } = deployment
  const ours = commitOf(repository, revision.settings, deployment)
  if (ours === undefined) {
    const { repoRef: ref } = revision.settings
    const isServing = serving !== null && ref !== undefined && repository.commit !== undefined
    return isServing ? { kind: 'other-ref', ref } : { kind: 'none' }
  }
  const isNewest = newest === undefined || sameId(newest, serving)
  const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha
  if (deployed === undefined || sameCommit(deployed, ours)) return { kind: 'none' }
  return { kind: 'compare', deployed, ours, by: serving ?? latest?.id ?? deployed }
}

export function outdated(
  { deployment, fields, notes, promotion }: RevisePlan,
  { deployed, ours, by }: LaterCommit,
): OutdatedPlan {
  const unsent = fields.map(({ input, current, wanted, difference }) => {
    return { input, ...(current !== undefined && { current }), wanted, difference }
  })
  return { kind: 'outdated', deployment, deployed, ours, by, fields: unsent, notes, promotion }
}

export type ResumeDecision =
  | { kind: 'resume'; latest: Revision; commit: string | undefined }
  | { kind: 'no'; latest: Revision; because: ResumeObstacle }
  | { kind: 'none' }

/**
 * Decides whether to watch the latest revision in place of a new one. It must be noted, or proved, that it is what the
 * request would create: another run may have created it, from another commit or another image of the same tag.
 */
export function decideResume(wanted: Wanted, { current, latest, isCommitAwaited, isNoted }: Known): ResumeDecision {
  if (latest === undefined) return { kind: 'none' }
  const obstacle = isNoted === true ? obstacleByNote(wanted, current, latest) : obstacleByProof(wanted, current, latest)
  // It may have ended while the run waited.
  const isOpen = isUnfinished(latest) || isCommitAwaited === true
  if (!isOpen && (obstacle !== undefined || !isNotActiveYet(latest, current))) return { kind: 'none' }
  if (obstacle !== undefined) return { kind: 'no', latest, because: obstacle }
  const buildsCommit = isNoted === true || wanted.source === 'git_host'
  return { kind: 'resume', latest, commit: buildsCommit ? wanted.commit : undefined }
}

export function needsNote(
  { ifUnchanged, resume }: RolloutRequest,
  { current, latest }: { current: Deployment | undefined; latest: Revision | undefined },
): boolean {
  if (latest === undefined || current === undefined) return false
  if (sameId(current.activeRevisionId, latest.id)) return ifUnchanged === 'skip'
  return resume && (isUnfinished(latest) || isNotActiveYet(latest, current))
}

/** A deployment may report a revision as active some seconds after its end. */
function isNotActiveYet({ id, status }: Revision, { activeRevisionId: active }: Deployment): boolean {
  return status === 'DEPLOYED' && active !== undefined && !sameId(active, id)
}

function obstacleByNote(wanted: Wanted, current: Deployment, latest: Revision): ResumeObstacle | undefined {
  const contradiction = contradictionOfNote(wanted, current, latest)
  return contradiction?.kind === 'other-commit' ? { kind: 'builds-another' } : contradiction
}

function obstacleByProof(wanted: Wanted, current: Deployment, latest: Revision): ResumeObstacle | undefined {
  const difference = firstDifference(wanted, current, latest)
  if (difference !== undefined) return difference
  switch (wanted.source) {
    case 'git_host':
      return obstacleByCommit(wanted, latest)
    case 'external_container':
    case 'internal_container': {
      const image = wanted.settings.imageUri ?? current.settings.imageUri
      const isDigest = image !== undefined && /@sha256:[0-9a-f]{64}$/i.test(image)
      return isDigest && latest.settings.imageUri === image ? undefined : { kind: 'image-tag' }
    }
    case 'internal_source':
      return { kind: 'uploaded-source' }
    case 'internal_template':
      return { kind: 'template' }
  }
}

function obstacleByCommit({ commit: ours }: Wanted, latest: Revision): ResumeObstacle | undefined {
  const { repoCommitSha: built, settings } = latest
  if (ours === undefined) return { kind: 'commit-unknown' }
  if (built !== undefined) return sameCommit(built, ours) ? undefined : { kind: 'builds-another' }
  // A full commit as the ref needs no report.
  return settings.repoRef === ours ? undefined : { kind: 'commit-not-reported' }
}
