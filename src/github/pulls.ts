import type { GitHubRequest } from './client.ts'
import type { CommitComparison, PullRequest } from './schemas.ts'

export type { CommitComparison, PullRequest }

/** The limit of a question, and the permission that an error about it names. */
export type QuestionOptions = Required<Pick<GitHubRequest, 'withinMs' | 'permission'>>

/**
 * `unlabeled`: open, and without the label that its preview needs; `missing`: the repository has no such pull request;
 * `unknown`: GitHub did not return its state.
 */
export type PullRequestState = 'open' | 'closed' | 'unlabeled' | 'missing' | 'unknown'

/**
 * Whether the pull request may keep its preview. Labels that are not reported count as there.
 * @param label that its preview needs; undefined if it needs none
 */
export function previewStateOf(
  { state, labels }: Pick<PullRequest, 'state' | 'labels'>,
  label: string | undefined,
): 'open' | 'closed' | 'unlabeled' {
  if (state === 'closed' || label === undefined || labels === undefined) return state
  return hasLabel(labels, label) ? 'open' : 'unlabeled'
}

/** Names of labels have no case on GitHub. One character may be written in two ways in Unicode. */
export function sameLabel(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other)
}

export function hasLabel(labels: readonly string[], label: string): boolean {
  return labels.some((one) => sameLabel(one, label))
}

function keyOf(label: string): string {
  return label.normalize().trim().toLowerCase()
}
