import type { Deployment, Field, Revision, Settings, Source } from '../../control-plane/model.ts'
import { phaseOf } from '../outcome.ts'
import { differenceOf } from './diff.ts'
import type { Difference } from './reasons.ts'
import { fieldsOf, REPORTED_BY_REVISION, setFields } from './settings.ts'
import type { PlanFacts } from './types.ts'

/** What a revision is compared with. */
export interface Wanted {
  settings: Settings
  source: Source
  /** The commit that would be built, if known. */
  commit: string | undefined
  /** Fields that this service may not report. */
  unreported: readonly Field[]
}

type Revisions = Pick<PlanFacts, 'active' | 'latest'> & { current: Deployment }

/** Whatever is unknown counts as a difference: an unnecessary revision does no harm, a missing one does. */
export function compareWithActive(
  wanted: Wanted,
  { current, active, latest }: Revisions,
): { kind: 'same'; active: Revision } | Difference {
  const { settings, source, commit } = wanted
  if (active === undefined) return { kind: 'no-active-revision' }
  if (source === 'internal_source') return { kind: 'uploaded-source' }
  if (latest !== undefined && latest.id !== active.id) {
    if (isUnfinished(latest)) return { kind: 'newer-unfinished', revisionId: latest.id }
    const [field] = setFields(settings, fieldsOf('revision')).filter((one) => !REPORTED_BY_REVISION.includes(one))
    if (field !== undefined) return { kind: 'field-of-latest-only', field }
  }
  const difference = firstDifference(wanted, current, active)
  if (difference !== undefined) return difference
  if (source !== 'git_host') return { kind: 'same', active }
  if (commit === undefined) return { kind: 'commit-unknown' }
  if (active.repoCommitSha === undefined) return { kind: 'active-commit-not-reported' }
  return sameCommit(active.repoCommitSha, commit) ? { kind: 'same', active } : { kind: 'other-commit' }
}

/**
 * Returns the latest revision if it has not ended and matches the request: it can be watched in place of a new one. An
 * unknown commit does not count as a difference: the build takes the ref as it is when the build begins.
 */
export function matchingUnfinished(wanted: Wanted, { current, latest }: Revisions): Revision | undefined {
  const { source, commit } = wanted
  if (latest === undefined || !isUnfinished(latest) || source === 'internal_source') return undefined
  if (firstDifference(wanted, current, latest) !== undefined) return undefined
  const { repoCommitSha: built } = latest
  const isOtherCommit = built !== undefined && commit !== undefined && !sameCommit(built, commit)
  return isOtherCommit ? undefined : latest
}

export function sameCommit(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function isUnfinished({ status }: Revision): boolean {
  return phaseOf(status) !== 'terminal'
}

function firstDifference(
  { settings: wanted, unreported }: Wanted,
  { settings: current }: Deployment,
  revision: Revision,
): Difference | undefined {
  // A revision may report the commit in place of the branch, which the deployment then reports.
  const ofRevision = { ...revision.settings, repoRef: revision.settings.repoRef ?? current.repoRef }
  for (const field of setFields(wanted, [...fieldsOf('config'), ...fieldsOf('revision')])) {
    const reported = REPORTED_BY_REVISION.includes(field) ? ofRevision : current
    const difference = differenceOf(field, reported, wanted, unreported)
    if (difference === 'unknown') return { kind: 'field-not-reported', field }
    if (difference !== 'same') return { kind: 'field-differs', field }
  }
  return undefined
}
