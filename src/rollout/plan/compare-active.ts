import {
  type Deployment,
  type Field,
  FORMS,
  type Revision,
  type RevisionDraft,
  sameId,
  type Settings,
  withBranch,
} from '../../control-plane/model.ts'
import { compareSetting, compareWithDeployment, contradicts } from '../fields/compare.ts'
import { COMPARED } from '../fields/compared.ts'
import { phaseOf } from '../outcome.ts'
import type { CurrentState } from '../read/current-state.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { splitField } from './diff.ts'
import type {
  CommitObstacle,
  Difference,
  FieldObstacle,
  NotResumed,
  OutdatedPlan,
  PlanNote,
  ResumeObstacle,
  RevisePlan,
} from './plan.ts'
import { commitOf, sameCommit } from './repository.ts'
import { fieldsOf, omit, pick, REPORTED_BY_REVISION, setFields } from './settings.ts'

export interface Wanted extends RevisionDraft {
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

type Known = CurrentState & LatestSigns & { current: Deployment }

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
      .flatMap((one) => splitField(one, current.settings, settings))
    if (field !== undefined) return { kind: 'field-of-latest-only', field: field.name }
  }
  const ofCommit = source === 'git_host' ? differenceOfCommit(commit, active.repoCommitSha) : undefined
  return firstDifference(wanted, current, active) ?? ofCommit ?? { kind: 'same', active }
}

function differenceOfCommit(ours: string | undefined, built: string | undefined): CommitObstacle | undefined {
  if (ours === undefined) return { kind: 'commit-unknown' }
  if (built === undefined) return { kind: 'commit-not-reported' }
  return sameCommit(built, ours) ? undefined : { kind: 'other-commit' }
}

/** Finds a value that contradicts the note of this run about its revision. One in the service's own form does not. */
function contradictionOfNote(
  { settings: wanted, commit }: Wanted,
  current: Deployment,
  revision: Revision,
): FieldObstacle | CommitObstacle | undefined {
  const reported = reportedBy(revision, current, wanted)
  const field = setFields(wanted, COMPARED.revisionWithRequest).find((one) => contradicts(one, reported, wanted))
  if (field !== undefined) return { kind: 'field-differs', field }
  const ofCommit = differenceOfCommit(commit, revision.repoCommitSha)
  return ofCommit?.kind === 'other-commit' ? ofCommit : undefined
}

/** The settings of the revision, with those that only its deployment reports. */
function reportedBy(revision: Revision, current: Deployment, wanted: Settings): Settings {
  const isPinned = FORMS.fullCommit.test(wanted.repoRef ?? '')
  const ofRevision = isPinned ? revision.settings : withBranch(revision.settings, current.branch)
  return { ...omit(current.settings, REPORTED_BY_REVISION), ...pick(ofRevision, REPORTED_BY_REVISION) }
}

export function isUnfinished({ status }: Revision): boolean {
  return phaseOf(status) !== 'terminal'
}

function firstDifference(
  { settings: wanted, unreported }: Wanted,
  current: Deployment,
  revision: Revision,
): FieldObstacle | undefined {
  const reported = reportedBy(revision, current, wanted)
  for (const field of setFields(wanted, COMPARED.revisionWithRequest)) {
    for (const part of splitField(field, reported, wanted)) {
      const comparison = compareWithDeployment(field, part.current, part.wanted, unreported)
      if (comparison === 'not-reported') return { kind: 'field-not-reported', field: part.name }
      if (comparison === 'other') return { kind: 'field-differs', field: part.name }
    }
  }
  return undefined
}

/**
 * With `protect-newer`: the plan if GitHub reports that our commit is behind the deployed one; undefined if the same one
 * is deployed, or one of the two is unknown. Who sets another ref than that of the event has decided, also for an older
 * commit: that is only noted.
 */
export function checkNewer(
  { revision, deployment, matchesActive, changes, notes, promotion }: RevisePlan,
  { protectNewer, repository }: RolloutRequest,
  { active, latest }: CurrentState,
): OutdatedPlan | Extract<PlanNote, { kind: 'newer-not-compared' }> | undefined {
  if (!protectNewer || revision.source !== 'git_host' || matchesActive) return undefined
  const { latestRevisionId: newest, activeRevisionId: serving } = deployment
  const ours = commitOf(repository, revision.settings, deployment)
  if (ours === undefined) {
    const { repoRef: ref } = revision.settings
    const isServing = serving !== null && ref !== undefined && repository.commit !== undefined
    return isServing ? { kind: 'newer-not-compared', ref } : undefined
  }
  const isNewest = newest === undefined || sameId(newest, serving)
  const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha
  if (deployed === undefined || sameCommit(deployed, ours)) return undefined
  const by = serving ?? latest?.id ?? deployed
  const unsent = changes.map((change) => ({ ...change, via: undefined }))
  return { kind: 'outdated', deployment, deployed, ours, by, changes: unsent, notes, promotion }
}

/**
 * Decides whether to watch the latest revision in place of a new one; undefined if it has ended. It must be noted, or
 * proved, that it is what the request would create: another run may have created it, from another commit or another
 * image of the same tag.
 */
export function decideResume(
  wanted: Wanted,
  { current, latest, isCommitAwaited, isNoted }: Known,
): { kind: 'resume'; latest: Revision; commit: string | undefined } | NotResumed | undefined {
  if (latest === undefined) return undefined
  const findObstacle = isNoted === true ? contradictionOfNote : obstacleByProof
  const obstacle = findObstacle(wanted, current, latest)
  // It may have ended while the run waited.
  const isOpen = isUnfinished(latest) || isCommitAwaited === true
  if (!isOpen && (obstacle !== undefined || !isNotActiveYet(latest, current))) return undefined
  if (obstacle !== undefined) return { kind: 'not-resumed', revisionId: latest.id, because: obstacle }
  const buildsCommit = isNoted === true || wanted.source === 'git_host'
  return { kind: 'resume', latest, commit: buildsCommit ? wanted.commit : undefined }
}

export function needsNote({ ifUnchanged, resume }: RolloutRequest, current: Deployment, latest: Revision): boolean {
  if (sameId(current.activeRevisionId, latest.id)) return ifUnchanged === 'skip'
  return resume && (isUnfinished(latest) || isNotActiveYet(latest, current))
}

/** A deployment may report a revision as active some seconds after its end. */
function isNotActiveYet({ id, status }: Revision, { activeRevisionId: active }: Deployment): boolean {
  return status === 'DEPLOYED' && active !== undefined && !sameId(active, id)
}

function obstacleByProof(wanted: Wanted, current: Deployment, latest: Revision): ResumeObstacle | undefined {
  const difference = firstDifference(wanted, current, latest)
  if (difference !== undefined) return difference
  switch (wanted.source) {
    case 'git_host': {
      const { commit: ours } = wanted
      // A full commit as the ref needs no report.
      return differenceOfCommit(ours, latest.repoCommitSha ?? (latest.settings.repoRef === ours ? ours : undefined))
    }
    case 'external_container':
    case 'internal_container': {
      const image = wanted.settings.imageUri ?? current.settings.imageUri
      const isDigest = image !== undefined && /@sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/i.test(image)
      return isDigest && compareSetting('imageUri', latest.settings, { imageUri: image }) === 'same'
        ? undefined
        : { kind: 'image-tag' }
    }
    case 'internal_source':
      return { kind: 'uploaded-source' }
    case 'internal_template':
      return { kind: 'template' }
  }
}
