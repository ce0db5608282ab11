import { FORMS } from '../control-plane/forms.ts'
import { codeLink } from './escape.ts'
import type { RolloutRecord } from './record.ts'
import type { Redact } from '../secrets/redact.ts'

/** As many characters of a commit as GitHub shows. */
const SHORT = 7

/**
 * `ref@commit` as a link to the commit in this repository; as far as they are known, and without a link for another one.
 * Empty for a deployment that is not built from git.
 */
export function commitLink(record: RolloutRecord, redact: Redact): string {
  const { ref, otherRepository, repositoryUrl } = record
  const commit = record.revision?.repoCommitSha ?? (ref === undefined ? undefined : record.commit)
  const name = ref?.replace(/^refs\/(heads|tags)\//, '')
  const text = redact([name, commit?.slice(0, SHORT)].filter((part) => part !== undefined).join('@'))
  const isHere = repositoryUrl !== undefined && otherRepository === undefined
  const isShown = commit !== undefined && FORMS.commit.test(commit) && redact(commit) === commit
  return codeLink(text, isHere && isShown ? `${repositoryUrl}/commit/${commit}` : '')
}
