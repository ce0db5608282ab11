import { equalIgnoringCase, type GitHubConnection, type GitHubRequest } from './client.ts'
import type { CommitComparison, Comparison, PullRequest } from './schemas.ts'

export type { CommitComparison, PullRequest }

/** The limit of a question, and the permission that an error about it names. */
export type QuestionOptions = Required<Pick<GitHubRequest, 'withinMs' | 'permission'>>

/** @throws GitHubError, with status 404 if the repository has no such pull request */
export async function readPullRequest(
  gitHub: GitHubConnection,
  number: number,
  options: QuestionOptions,
): Promise<PullRequest> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  const request = { route, parameters: { pull_number: number }, attempted: `read pull request ${number}` }
  return await gitHub.ask({ ...request, ...options }, async () => {
    const { pullRequest, toPullRequest } = await import('./schemas.ts')
    const ours = pullRequest.refine(
      (found) => found.number === number && equalIgnoringCase(found.base.repo?.full_name, gitHub.repository),
      'is about another pull request or repository',
    )
    return ours.transform(toPullRequest)
  })
}

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

/** @throws GitHubError, with status 404 if GitHub does not know one of the commits */
export async function compareCommits(
  gitHub: GitHubConnection,
  base: string,
  head: string,
  withinMs: number,
): Promise<CommitComparison> {
  const request = {
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    parameters: { basehead: `${base}...${head}`, per_page: 1 },
    attempted: 'compare two commits',
    permission: 'contents: read',
    withinMs,
  } as const
  const { status } = await gitHub.ask(request, async () => {
    const { comparison } = await import('./schemas.ts')
    return comparison.refine((found) => isComparisonOf(found, base, head), 'is about other commits')
  })
  return status
}

function isComparisonOf(found: Comparison, base: string, head: string): boolean {
  const { status, base_commit: first, merge_base_commit: common } = found
  if (!isCommit(first.sha, base)) return false
  switch (status) {
    case 'behind':
      return isCommit(common.sha, head)
    case 'ahead':
    case 'identical':
      return isCommit(common.sha, base)
    case 'diverged':
      return true
  }
}

/** Only a full hash can be compared: GitHub also takes the start of one, or the name of a branch. */
function isCommit(sha: string, wanted: string): boolean {
  return !/^[0-9a-f]{40}$/i.test(wanted) || equalIgnoringCase(sha, wanted)
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
