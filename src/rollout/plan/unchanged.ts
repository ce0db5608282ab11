import { FORMS } from '../../control-plane/forms.ts'
import {
  withBranch,
  sameId,
  type Deployment,
  type Field,
  type Revision,
  type Settings,
  type Source,
} from '../../control-plane/model.ts'
import { phaseOf } from '../outcome.ts'
import { contradicts } from './contradiction.ts'
import { differenceOf } from './diff.ts'
import { partsOf } from './environment.ts'
import type { Difference, FieldObstacle } from './reasons.ts'
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

type Revisions = Pick<PlanFacts, 'active' | 'latest' | 'isNoted'> & { current: Deployment }

/** Whatever is unknown counts as a difference: an unnecessary revision does no harm, a missing one does. */
export function compareWithActive(
  wanted: Wanted,
  { current, active, latest, isNoted }: Revisions,
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

/**
 * What the service reports of a revision that contradicts the note that this run has made it. A service may write a value
 * in its own way; what it does not report contradicts nothing.
 */
export function contradictionOfNote(
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

export function sameCommit(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

export function isUnfinished({ status }: Revision): boolean {
  return phaseOf(status) !== 'terminal'
}

/** The first setting of the request that the revision, or its deployment, does not show with the same value. */
export function firstDifference(
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
