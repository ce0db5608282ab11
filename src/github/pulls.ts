import { equalIgnoringCase } from './about.ts'
import type { GitHubConnection, GitHubRequest } from './client.ts'
import { GitHubError } from './errors.ts'
import { hasLabel } from './labels.ts'
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

/**
 * Reads the states of many pull requests, one request each. The map lacks those that cannot be read.
 * @param onFailure called for each pull request that cannot be read
 * @param label see {@link previewStateOf}
 * @throws GitHubError if none of them can be read, as without the permission
 */
export async function readPullRequestStates(
  gitHub: GitHubConnection,
  numbers: readonly number[],
  options: (number: number) => QuestionOptions,
  onFailure: (error: GitHubError) => void,
  label: string | undefined,
): Promise<ReadonlyMap<number, PullRequestState>> {
  const states = new Map<number, PullRequestState>()
  for (const number of new Set(numbers)) {
    try {
      states.set(number, previewStateOf(await readPullRequest(gitHub, number, options(number)), label))
    } catch (thrown) {
      if (!(thrown instanceof GitHubError)) throw thrown
      if (thrown.status === 401 || thrown.status === 403) throw thrown
      if (thrown.status === 404) states.set(number, 'missing')
      else onFailure(thrown)
      // A GitHub that did not answer would delay the run again for each of the others.
      if (thrown.status === undefined) return states
    }
  }
  return states
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
