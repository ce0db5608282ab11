import { z } from 'zod'
import { equalIgnoringCase } from './about.ts'
import type { GitHub, GitHubRequest } from './client.ts'
import { hasLabel } from './labels.ts'

const repository = z.object({ full_name: z.string() }).nullish()

const pullRequest = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  // Without them, the rest is still usable.
  labels: z
    .array(z.object({ name: z.string() }))
    .optional()
    .catch(undefined),
  head: z.object({ ref: z.string(), sha: z.string(), repo: repository }),
  base: z.object({ repo: repository }),
})

/** The current state of a pull request. */
export type PullRequest = ReturnType<typeof toPullRequest>

function toPullRequest({ number, state, labels, head, base }: z.infer<typeof pullRequest>) {
  return {
    number,
    state,
    /** Their names; undefined if not reported. */
    labels: labels?.map(({ name }) => name),
    headRef: head.ref,
    headSha: head.sha,
    /** `owner/name`; `undefined` if the repository was deleted. */
    headRepository: head.repo?.full_name,
    /** Whether head and base are branches of the same repository. */
    sameRepository: head.repo?.full_name.toLowerCase() === base.repo?.full_name.toLowerCase(),
  }
}

/** The limit of a question, and the permission that an error about it names. */
export type QuestionOptions = Required<Pick<GitHubRequest, 'withinMs' | 'permission'>>

/** @throws GitHubError, with status 404 if the repository has no such pull request */
export async function readPullRequest(gitHub: GitHub, number: number, options: QuestionOptions): Promise<PullRequest> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  const request = { route, parameters: { pull_number: number }, attempted: `read pull request ${number}` }
  const ours = pullRequest.refine(
    (found) => found.number === number && equalIgnoringCase(found.base.repo?.full_name, gitHub.repository),
    'is about another pull request or repository',
  )
  return await gitHub.request({ ...request, ...options }, ours.transform(toPullRequest))
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

const commit = z.object({ sha: z.string() })
const comparison = z.object({
  status: z.enum(['ahead', 'behind', 'identical', 'diverged']),
  base_commit: commit,
  merge_base_commit: commit,
})

/** The relation of the second commit to the first. */
export type CommitComparison = z.infer<typeof comparison>['status']

/** @throws GitHubError, with status 404 if GitHub does not know one of the commits */
export async function compareCommits(
  gitHub: GitHub,
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
  const ours = comparison.refine((found) => isComparisonOf(found, base, head), 'is about other commits')
  return (await gitHub.request(request, ours)).status
}

function isComparisonOf(found: z.infer<typeof comparison>, base: string, head: string): boolean {
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
