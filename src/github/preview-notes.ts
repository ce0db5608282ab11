import type { GitHub } from './client.ts'
import { findOwnComments, markerOf, notesOf } from './comment.ts'
import { findDeploymentNotes } from './deployment-search.ts'

export interface PreviewsNoted {
  pullRequest: number
  commentName: string
  /** That of the GitHub Deployments; undefined if the step keeps none. */
  environment: string | undefined
  /** The names of the deployments whose notes are read. */
  names: readonly string[]
}

export interface NotesOfPreviews {
  /** Ids of deployments, in the comment. Only who may write to the repository can change it. */
  deployments: readonly string[]
  /** The notes in GitHub Deployments, by the names of their deployments. */
  texts: ReadonlyMap<string, readonly string[]>
}

/** Throws GitHubError. */
export async function readPreviewNotes(
  gitHub: GitHub,
  { pullRequest, commentName, environment, names }: PreviewsNoted,
): Promise<NotesOfPreviews> {
  const comments = await findOwnComments(gitHub, pullRequest, markerOf(commentName))
  const deployments = comments.flatMap(({ body }) => notesOf(body ?? '').previews.split(' '))
  const texts = new Map(names.map((name): [string, string[]] => [name, []]))
  const isRead = (name = ''): boolean => texts.has(name)
  const onNote = (text: string, name = ''): unknown => texts.get(name)?.push(text)
  if (environment !== undefined) await findDeploymentNotes(gitHub, { environment, of: 'previews' }, isRead, onNote)
  return { deployments, texts }
}
