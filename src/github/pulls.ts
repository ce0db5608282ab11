import { z } from 'zod'
import type { GitHub, GitHubRequest } from './client.ts'
import { GitHubError } from './errors.ts'

/** A pull request as it is now. */
export interface PullRequest {
  number: number
  state: 'open' | 'closed'
  headRef: string
  headSha: string
  /** `owner/name`; nothing when it is gone. */
  headRepository: string | undefined
  /** Whether the head is a branch of the repository that it is merged into. */
  sameRepository: boolean
}

const pullRequest = z.object({
  number: z.number(),
  state: z.enum(['open', 'closed']),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
  base: z.object({ repo: z.object({ full_name: z.string() }).nullish() }),
})

/** How long GitHub has for it, and what a job that may not ask is to be granted. */
export type QuestionOptions = Required<Pick<GitHubRequest, 'withinMs' | 'permission'>>

/** @throws GitHubError, with status 404 when there is no pull request of that number */
export async function readPullRequest(
  gitHub: GitHub,
  number: number,
  options: QuestionOptions,
): Promise<PullRequest> {
  const { state, head, base } = await gitHub.request(
    {
      route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
      parameters: { pull_number: number },
      attempted: `read pull request ${number}`,
      ...options,
    },
    pullRequest,
  )
  const headRepository = head.repo?.full_name
  const sameRepository = headRepository?.toLowerCase() === base.repo?.full_name.toLowerCase()
  return { number, state, headRef: head.ref, headSha: head.sha, headRepository, sameRepository }
}

/** `missing`: there is no pull request of that number. */
export type KnownState = 'open' | 'closed' | 'missing'

/**
 * The states of many pull requests, one request each. Those that cannot be read are left out and told.
 * @throws GitHubError when none of them can be read, as without the permission
 */
export async function readPullRequestStates(
  gitHub: GitHub,
  numbers: readonly number[],
  options: () => QuestionOptions,
  onTrouble: (trouble: GitHubError) => void,
): Promise<ReadonlyMap<number, KnownState>> {
  const states = new Map<number, KnownState>()
  for (const number of new Set(numbers)) {
    try {
      states.set(number, (await readPullRequest(gitHub, number, options())).state)
    } catch (thrown) {
      if (!(thrown instanceof GitHubError)) throw thrown
      if (thrown.status === 401 || thrown.status === 403) throw thrown
      if (thrown.status === 404) states.set(number, 'missing')
      else onTrouble(thrown)
      // It would not answer about the others, either, and each would take its time.
      if (thrown.status === undefined) return states
    }
  }
  return states
}

/** How the second commit stands to the first. */
export type CommitComparison = 'ahead' | 'behind' | 'identical' | 'diverged'

/** @throws GitHubError, with status 404 when one of the commits is not known */
export async function compareCommits(
  gitHub: GitHub,
  base: string,
  head: string,
  withinMs: number,
): Promise<CommitComparison> {
  const { status } = await gitHub.request(
    {
      route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
      parameters: { basehead: `${base}...${head}`, per_page: 1 },
      attempted: 'compare two commits',
      permission: 'contents: read',
      withinMs,
    },
    z.object({ status: z.enum(['ahead', 'behind', 'identical', 'diverged']) }),
  )
  return status
}
