import { toError, type Clock } from '../clock.ts'
import type { GitHub, GitHubOptions } from '../github/client.ts'
import type { WorkflowEvent } from '../github/event.ts'
import type { CommitComparison, PullRequest } from '../github/pulls.ts'
import type { Log } from '../report/log.ts'
import type { PullRequestState } from '../teardown/choose.ts'

export interface GitHubDoorsOptions {
  event: WorkflowEvent
  token: string | undefined
  clock: Clock
  /** Monotonic milliseconds at which the run is over. */
  deadline: number
  log: Log
}

/** What a run may ask GitHub. Nothing is loaded before the first question. */
export interface GitHubDoors {
  /** Ends every request and pause in so many milliseconds; a later end than the one that is set changes nothing. */
  endWithin: (ms: number) => void
  /** Once; later calls get the same. Throws when there is no token. */
  connect: () => Promise<GitHub>
  /** The pull request as it is now; nothing when GitHub does not tell, with one warning. */
  lookAt: (pullRequest: number) => Promise<PullRequest | undefined>
  pullRequestStates: (numbers: readonly number[]) => Promise<ReadonlyMap<number, PullRequestState>>
  /** How our commit stands to the one that is deployed; nothing when GitHub does not tell, with a warning. */
  compareCommits: (deployed: string, ours: string) => Promise<CommitComparison | undefined>
}

/** A question may take so long, in milliseconds; and so long when the event has told the answer as of its time. */
const QUESTION_MS = 15_000
const SHORT_QUESTION_MS = 5_000
/** GitHub usually answers in this time: so long is always waited. */
const SHORTEST_QUESTION_MS = 2_000

export function openGitHub(options: GitHubDoorsOptions): GitHubDoors {
  const { log, clock } = options
  const ended = new AbortController()
  let end = Number.POSITIVE_INFINITY
  let connection: Promise<GitHub> | undefined
  const connect = async (): Promise<GitHub> =>
    await (connection ??= connectTo({ ...options, signal: ended.signal, deadline: () => end }))
  let hasWarned = false
  const warnOnce = (thrown: unknown): void => {
    if (!hasWarned) log.warning(`GitHub does not tell about pull requests: ${toError(thrown).message}`)
    hasWarned = true
  }
  /** @param share of the time that the run has left: what it can do without must leave it some */
  const within = (atMostMs: number, share: number): number =>
    Math.ceil(Math.max(SHORTEST_QUESTION_MS, Math.min(atMostMs, (options.deadline - clock.now()) * share)))
  const { ref, pullRequest } = options.event
  const told = ref.kind === 'pull-request' ? pullRequest?.number : undefined
  return {
    connect,
    endWithin(ms) {
      if (clock.now() + ms >= end) return
      end = clock.now() + ms
      setTimeout(() => {
        ended.abort(new DOMException('the time for it is over', 'TimeoutError'))
      }, ms).unref()
    },
    async lookAt(number) {
      try {
        const { readPullRequest } = await import('../github/pulls.ts')
        const withinMs = number === told ? within(SHORT_QUESTION_MS, 1 / 4) : within(QUESTION_MS, 1)
        return await readPullRequest(await connect(), number, withinMs)
      } catch (thrown) {
        warnOnce(thrown)
        return undefined
      }
    },
    async compareCommits(deployed, ours) {
      try {
        const { compareCommits } = await import('../github/pulls.ts')
        return await compareCommits(await connect(), deployed, ours, within(QUESTION_MS, 1 / 4))
      } catch (thrown) {
        log.warning(
          `Whether a later commit is deployed already is not known, the rollout goes on: ${toError(thrown).message}`,
        )
        return undefined
      }
    },
    async pullRequestStates(numbers) {
      if (numbers.length === 0) return new Map()
      try {
        const { readPullRequestStates } = await import('../github/pulls.ts')
        return await readPullRequestStates(await connect(), numbers, () => within(QUESTION_MS, 1), warnOnce)
      } catch (thrown) {
        warnOnce(thrown)
        return new Map()
      }
    },
  }
}

async function connectTo({
  event,
  token,
  log,
  ...rest
}: Omit<GitHubDoorsOptions, 'deadline'> & Pick<GitHubOptions, 'signal' | 'deadline'>): Promise<GitHub> {
  const [owner, repo] = event.repository?.split('/') ?? []
  if (token === undefined) throw new Error('github-token is empty')
  if (owner === undefined || repo === undefined)
    throw new Error('GITHUB_REPOSITORY does not name a repository')
  const { createGitHub } = await import('../github/client.ts')
  return await createGitHub({ ...rest, token, owner, repo, apiUrl: event.apiUrl, onNotice: log.info })
}
