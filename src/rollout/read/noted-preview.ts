import { type Deployment, sameId } from '../../control-plane/model.ts'
import type { NotesOfPreviews, PreviewsNoted } from '../../github/deployment-search.ts'
import type { Run } from '../dependencies.ts'

/**
 * Whether a run has noted the deployment as a preview of the pull request. Undefined if GitHub does not return the notes.
 * The comment is read first: the GitHub Deployments cost many requests.
 */
export async function isNotedPreview(
  deployment: Deployment,
  { environment, ...noted }: PreviewsNoted,
  { gitHub }: Pick<Run, 'gitHub'>,
): Promise<boolean | undefined> {
  for (const place of environment === undefined ? [undefined] : [undefined, environment]) {
    const notes = await gitHub.previewNotes({ ...noted, environment: place })
    if (notes === undefined) return undefined
    if (notes.deployments.some((id) => sameId(id, deployment.id)) || hasNotedRevision(deployment, notes.revisions))
      return true
  }
  return false
}

/** Whether a note of the deployment's name is about its latest or its active revision. */
export function hasNotedRevision(
  { name, latestRevisionId, activeRevisionId }: Deployment,
  notes: NotesOfPreviews['revisions'],
): boolean {
  return (notes.get(name) ?? []).some(
    ({ revisionId }) => sameId(revisionId, latestRevisionId) || sameId(revisionId, activeRevisionId),
  )
}
