import type { Outcome } from '../outcome.ts'
import { sameCommit } from '../plan/unchanged.ts'
import type { EndedRevision } from '../watch/watch.ts'

/**
 * Confirms that a revision has restored a commit.
 * @param wanted undefined: the revision's configuration alone names what it is built from
 */
export function confirmCommit(ended: EndedRevision, wanted: string | undefined): EndedRevision {
  const { outcome, revision } = ended
  if (outcome.kind !== 'deployed' || wanted === undefined) return ended
  const built = revision?.repoCommitSha
  if (built !== undefined && sameCommit(built, wanted)) return ended
  const failed: Outcome = { kind: 'failed', because: { kind: 'other-commit', wanted, built } }
  return { ...ended, outcome: failed }
}
