import { type Deployment, type Revision, sameId } from '../../control-plane/model.ts'
import type { ResumeObstacle } from './plan.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { contradictionOfNote, firstDifference, isUnfinished, type Known, type Wanted } from './compare-active.ts'
import { sameCommit } from './repository.ts'

export type ResumeDecision =
  /** `commit`: what the revision must turn out to build, if that can be known. */
  | { kind: 'resume'; latest: Revision; commit: string | undefined }
  | { kind: 'no'; latest: Revision; because: ResumeObstacle }
  | { kind: 'none' }

/**
 * Decides whether to watch the latest revision in place of a new one. It must be noted, or proved, that it is what the
 * request would create: another run may have created it, from another commit or another image of the same tag.
 */
export function decideResume(wanted: Wanted, { current, latest, isCommitAwaited, isNoted }: Known): ResumeDecision {
  if (latest === undefined) return { kind: 'none' }
  const decide = isNoted === true ? decideByNote : decideByProof
  // It may have ended while the run waited.
  if (isUnfinished(latest) || isCommitAwaited === true) return decide(wanted, current, latest)
  const decision = isNotActiveYet(latest, current) ? decide(wanted, current, latest) : undefined
  return decision?.kind === 'resume' ? decision : { kind: 'none' }
}

/** Whether a note about the latest revision would change a plan that creates another one. */
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

function decideByNote(wanted: Wanted, current: Deployment, latest: Revision): ResumeDecision {
  const contradiction = contradictionOfNote(wanted, current, latest)
  if (contradiction === undefined) return { kind: 'resume', latest, commit: wanted.commit }
  const because = contradiction.kind === 'other-commit' ? ({ kind: 'builds-another' } as const) : contradiction
  return { kind: 'no', latest, because }
}

function decideByProof(wanted: Wanted, current: Deployment, latest: Revision): ResumeDecision {
  const difference = firstDifference(wanted, current, latest)
  if (difference !== undefined) return { kind: 'no', latest, because: difference }
  switch (wanted.source) {
    case 'git_host':
      return decideByCommit(wanted, latest)
    case 'external_container':
    case 'internal_container': {
      const image = wanted.settings.imageUri ?? current.settings.imageUri
      const isDigest = image !== undefined && /@sha256:[0-9a-f]{64}$/i.test(image)
      if (!isDigest || latest.settings.imageUri !== image) return { kind: 'no', latest, because: { kind: 'image-tag' } }
      return { kind: 'resume', latest, commit: undefined }
    }
    case 'internal_source':
      return { kind: 'no', latest, because: { kind: 'uploaded-source' } }
    case 'internal_template':
      return { kind: 'no', latest, because: { kind: 'template' } }
  }
}

function decideByCommit({ commit: ours }: Wanted, latest: Revision): ResumeDecision {
  const { repoCommitSha: built, settings } = latest
  if (ours === undefined) return { kind: 'no', latest, because: { kind: 'commit-unknown' } }
  if (built !== undefined && !sameCommit(built, ours))
    return { kind: 'no', latest, because: { kind: 'builds-another' } }
  // A full commit as the ref needs no report.
  if (built !== undefined || settings.repoRef === ours) return { kind: 'resume', latest, commit: ours }
  return { kind: 'no', latest, because: { kind: 'commit-not-reported' } }
}
