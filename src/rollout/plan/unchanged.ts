import type { Deployment, Field, Revision, Settings, Source } from '../../control-plane/model.ts'
import { phaseOf } from '../outcome.ts'
import { differenceOf } from './diff.ts'
import type { Difference } from './reasons.ts'
import { fieldsOf, REPORTED_BY_REVISION } from './settings.ts'
import type { PlanFacts } from './types.ts'

/** What a revision is compared with. */
export interface Wanted {
  settings: Settings
  source: Source
  /** The commit that would be built, if known. */
  commit: string | undefined
}

export type Comparison = { kind: 'same'; revision: Revision } | { kind: 'differs'; because: Difference }

type Revisions = Pick<PlanFacts, 'active' | 'latest'> & { current: Deployment }

/**
 * Compares the active revision with what the request asks for. Whatever is unknown counts as a difference: an
 * unnecessary revision does no harm, a missing one does.
 */
export function compareWithActive(
  { settings, source, commit }: Wanted,
  { current, active, latest }: Revisions,
): Comparison {
  if (active === undefined) return differs({ kind: 'no-active-revision' })
  if (source === 'internal_source') return differs({ kind: 'uploaded-source' })
  const isNewest = latest === undefined || latest.id === active.id
  if (!isNewest && phaseOf(latest.status) !== 'terminal')
    return differs({ kind: 'newer-unfinished', revisionId: latest.id })
  const hidden = isNewest ? undefined : fieldOfLatestOnly(settings)
  if (hidden !== undefined) return differs({ kind: 'field-of-latest-only', field: hidden })
  const difference = firstDifference(settings, current, active)
  if (difference !== undefined) return differs(difference)
  if (source !== 'git_host') return { kind: 'same', revision: active }
  if (commit === undefined) return differs({ kind: 'commit-unknown' })
  if (active.repoCommitSha === undefined) return differs({ kind: 'active-commit-not-reported' })
  if (!sameCommit(active.repoCommitSha, commit)) return differs({ kind: 'other-commit' })
  return { kind: 'same', revision: active }
}

/**
 * The latest revision, if it has not ended and is what the request asks for: it can be watched in place of a new one.
 * An unknown commit does not count as a difference: the build takes the ref as it is when the build begins.
 */
export function matchingUnfinished(
  { settings, source, commit }: Wanted,
  { current, latest }: Revisions,
): Revision | undefined {
  if (latest === undefined || phaseOf(latest.status) === 'terminal') return undefined
  if (source === 'internal_source') return undefined
  if (firstDifference(settings, current, latest) !== undefined) return undefined
  const { repoCommitSha: built } = latest
  const isOtherCommit = built !== undefined && commit !== undefined && !sameCommit(built, commit)
  return isOtherCommit ? undefined : latest
}

export function sameCommit(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function comparedFields(wanted: Settings): Field[] {
  return [...fieldsOf('config'), ...fieldsOf('revision')].filter((field) => wanted[field] !== undefined)
}

function fieldOfLatestOnly(wanted: Settings): Field | undefined {
  return fieldsOf('revision').find(
    (field) => wanted[field] !== undefined && !REPORTED_BY_REVISION.includes(field),
  )
}

function firstDifference(wanted: Settings, current: Deployment, revision: Revision): Difference | undefined {
  for (const field of comparedFields(wanted)) {
    const reported = REPORTED_BY_REVISION.includes(field) ? revision.settings : current.settings
    switch (differenceOf(field, reported, wanted)) {
      case 'same':
        continue
      case 'unknown':
        return { kind: 'field-not-reported', field }
      case 'new':
      case 'changed':
        return { kind: 'field-differs', field }
    }
  }
  return undefined
}

function differs(because: Difference): Comparison {
  return { kind: 'differs', because }
}
