import type { RolloutOutcome } from '../outcome.ts'
import type { Restoration } from '../plan/plan.ts'
import { sameCommit } from '../plan/repository.ts'
import type { EndedRevision } from '../watch/watched.ts'

/** Confirms that a revision has restored the commit. A tag may have been moved; a branch has moved. */
export function confirmCommit(
  ended: EndedRevision,
  { draft, commit: wanted }: Pick<Restoration, 'draft' | 'commit'>,
): EndedRevision {
  const { outcome, revision } = ended
  if (outcome.kind !== 'deployed' || wanted === undefined) return ended
  const built = revision?.repoCommitSha
  const isRestored = built === undefined ? draft !== undefined : sameCommit(built, wanted)
  if (isRestored) return ended
  const failed: RolloutOutcome = { kind: 'failed', because: { kind: 'other-commit', wanted, built } }
  return { ...ended, outcome: failed }
}
