import type { Deployment, Field, Revision, Settings, Source } from '../../control-plane/model.ts'
import { inputName } from './field-rules.ts'
import { differenceOf } from './diff.ts'
import { phaseOf } from '../outcome.ts'
import { fieldsOf, REPORTED_BY_REVISION } from './settings.ts'

export type Comparison =
  | { kind: 'same'; revision: Revision }
  /** `because`: as the end of a sentence, "a revision follows, as …". */
  | { kind: 'differs'; because: string }

export interface Standing {
  current: Deployment
  active: Revision | undefined
  latest: Revision | undefined
}

/**
 * Whether the active revision is what is wanted already. Whatever is not known counts as a difference: a revision too
 * many does no harm, one too few does.
 * @param commit what would be built, where it is known
 */
export function compareWithActive(
  wanted: Settings,
  source: Source,
  { current, active, latest }: Standing,
  commit: string | undefined,
): Comparison {
  if (active === undefined) return differs('no revision is active')
  if (source === 'internal_source') return differs(UPLOADS_DIFFER)
  const isNewest = latest === undefined || latest.id === active.id
  if (!isNewest && phaseOf(latest.status) !== 'terminal')
    return differs(`a newer revision (${latest.id}) is on its way`)
  const hidden = isNewest ? undefined : hiddenField(wanted)
  if (hidden !== undefined)
    return differs(`the latest revision is not the active one, whose ${inputName(hidden)} is not told`)
  const difference = firstDifference(wanted, current, active)
  if (difference !== undefined) return differs(difference)
  if (source !== 'git_host') return { kind: 'same', revision: active }
  if (commit === undefined) return differs('the commit to roll out is not known')
  if (active.repoCommitSha === undefined) return differs('the commit of the active revision is not told')
  if (!sameCommit(active.repoCommitSha, commit))
    return differs('the active revision was built from another commit')
  return { kind: 'same', revision: active }
}

/**
 * Whether the latest revision has not ended yet and is what is wanted, so that it can be watched instead of making
 * another. A commit that is not known yet does not count: what is built is the ref as it is when the build begins.
 */
export function compareWithUnfinished(
  wanted: Settings,
  source: Source,
  { current, latest }: Standing,
  commit: string | undefined,
): Comparison {
  if (latest === undefined || phaseOf(latest.status) === 'terminal')
    return differs('no revision is on its way')
  if (source === 'internal_source') return differs(UPLOADS_DIFFER)
  const difference = firstDifference(wanted, current, latest)
  if (difference !== undefined) return differs(difference)
  const { repoCommitSha: built } = latest
  if (built !== undefined && commit !== undefined && !sameCommit(built, commit))
    return differs('the revision that is on its way is of another commit')
  return { kind: 'same', revision: latest }
}

const UPLOADS_DIFFER = 'an uploaded source cannot be compared with an earlier one'

export function sameCommit(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function asked(wanted: Settings): Field[] {
  return [...fieldsOf('config'), ...fieldsOf('revision')].filter((field) => wanted[field] !== undefined)
}

/** A field that the deployment tells of its latest revision only, which is not the one to compare with. */
function hiddenField(wanted: Settings): Field | undefined {
  return fieldsOf('revision').find(
    (field) => wanted[field] !== undefined && !REPORTED_BY_REVISION.includes(field),
  )
}

function firstDifference(wanted: Settings, current: Deployment, revision: Revision): string | undefined {
  for (const field of asked(wanted)) {
    const told = REPORTED_BY_REVISION.includes(field) ? revision.settings : current.settings
    switch (differenceOf(field, told, wanted)) {
      case 'same':
        continue
      case 'unknown':
        return `the value of ${inputName(field)} is not told and cannot be compared`
      case 'new':
      case 'changed':
        return `${inputName(field)} differs`
    }
  }
  return undefined
}

function differs(because: string): Comparison {
  return { kind: 'differs', because }
}
