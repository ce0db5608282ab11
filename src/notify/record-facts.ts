import type { Removal, RunRecord, TimelineEntry } from '../report/record.ts'

interface RevisionFacts {
  /** Address of the deployment. */
  url: string | undefined
  revisionId: string | undefined
  /** The commit that the control plane builds, or else the commit of the run. */
  commit: string | undefined
}

export function revisionFacts(record: RunRecord): RevisionFacts {
  const { commit } = record
  switch (record.operation) {
    case 'rollout':
    case 'wait': {
      const { url, revisionId, revision } = record
      return { url, revisionId, commit: revision?.repoCommitSha ?? commit }
    }
    case 'teardown':
      return { url: record.url, revisionId: undefined, commit }
    case 'request':
      return { url: undefined, revisionId: undefined, commit }
  }
}

export function latestStatus(record: RunRecord): TimelineEntry | undefined {
  return 'timeline' in record ? record.timeline.at(-1) : undefined
}

/**
 * The commit that is built, or the ref.
 * @throws Error if this repository has none
 */
export function refOf(record: RunRecord): string {
  const { ref, otherRepository } = 'ref' in record ? record : {}
  if (otherRepository !== undefined)
    throw new Error(
      `the deployment is built from ${otherRepository}, and GitHub accepts only commits of this repository`,
    )
  const known = revisionFacts(record).commit ?? ref
  if (known === undefined) throw new Error('the commit of this run is unknown')
  return known
}

/** The names of the deployments that no longer exist. */
export function goneNames(record: RunRecord): readonly string[] {
  return 'gone' in record ? record.gone : []
}

export function deletedPreviews(record: RunRecord): Removal[] {
  return 'removals' in record ? record.removals.filter(({ result }) => result === 'removed') : []
}
