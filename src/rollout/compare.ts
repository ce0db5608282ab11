import {
  CHANGE_CLASS,
  type Deployment,
  type Field,
  type Revision,
  type Settings,
  type Source,
} from '../control-plane/model.ts'
import { inputName } from '../sources/matrix.ts'
import { differenceOf } from './changes.ts'
import { phaseOf } from './outcome.ts'
import { fieldsOf } from './settings.ts'

export type Comparison =
  | { kind: 'same'; active: Revision }
  /** `because`: as the end of a sentence, "a revision follows, as …". */
  | { kind: 'differs'; because: string }

export interface Standing {
  current: Deployment
  active: Revision | undefined
  latest: Revision | undefined
}

/** What a revision itself tells; everything else the deployment tells alone, and of its latest revision only. */
const TOLD_BY_REVISION: readonly Field[] = ['repoRef', 'appConfigPath', 'imageUri', 'sourceTarballPath']

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
  if (source === 'internal_source')
    return differs('an uploaded source cannot be compared with an earlier one')
  const isNewest = latest === undefined || latest.id === active.id
  if (!isNewest && phaseOf(latest.status) !== 'terminal')
    return differs(`a newer revision (${latest.id}) is on its way`)

  const asked = [...fieldsOf('config'), ...fieldsOf('revision')].filter(
    (field) => wanted[field] !== undefined,
  )
  for (const field of asked) {
    const ofRevision = TOLD_BY_REVISION.includes(field)
    if (!ofRevision && !isNewest && CHANGE_CLASS[field] === 'revision')
      return differs(`the latest revision is not the active one, whose ${inputName(field)} is not told`)
    const told = ofRevision ? active.settings : current.settings
    switch (differenceOf(field, told, wanted)) {
      case 'same':
        continue
      case 'unknown':
        return differs(`the value of ${inputName(field)} is not told and cannot be compared`)
      case 'new':
      case 'changed':
        return differs(`${inputName(field)} differs from that of the active revision`)
    }
  }
  return source === 'git_host' ? compareCommits(active, commit) : { kind: 'same', active }
}

function compareCommits(active: Revision, commit: string | undefined): Comparison {
  if (commit === undefined) return differs('the commit to roll out is not known')
  if (active.repoCommitSha === undefined) return differs('the commit of the active revision is not told')
  if (active.repoCommitSha.toLowerCase() !== commit.toLowerCase())
    return differs('the active revision was built from another commit')
  return { kind: 'same', active }
}

function differs(because: string): Comparison {
  return { kind: 'differs', because }
}
