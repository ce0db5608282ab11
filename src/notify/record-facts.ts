import type { Phase } from '../rollout/outcome.ts'
import type { ConcludedRecord, Removal, RolloutRecord } from '../report/record.ts'

interface RevisionFacts {
  /** Address of the deployment. */
  url: string | undefined
  revisionId: string | undefined
  /** The commit that the control plane builds, or else the commit of the run. */
  commit: string | undefined
}

export function revisionFacts({ url, revisionId, revision, commit }: RolloutRecord): RevisionFacts {
  return { url, revisionId, commit: revision?.repoCommitSha ?? commit }
}

export function latestStatus({ timeline }: RolloutRecord): { status: string; phase: Phase } | undefined {
  return timeline.at(-1)
}

/**
 * The commit that is built, or the ref.
 * @throws Error if this repository has none
 */
export function refOf(record: RolloutRecord): string {
  const { elsewhere, ref } = record
  if (elsewhere !== undefined)
    throw new Error(
      `the deployment is built from ${elsewhere}, and GitHub accepts only commits of this repository`,
    )
  const known = revisionFacts(record).commit ?? ref
  if (known === undefined) throw new Error('the commit of this run is unknown')
  return known
}

/** The names of the deployments that no longer exist. */
export function goneNames({ gone }: ConcludedRecord): readonly string[] {
  return gone
}

export function deletedPreviews({ removals }: ConcludedRecord): Removal[] {
  return removals.filter(({ result }) => result === 'removed')
}
