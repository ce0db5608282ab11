import { toError, type Clock } from '../clock.ts'
import type { GitHub, GitHubClientOptions } from './client.ts'
import { GitHubError } from './errors.ts'
import type { WorkflowEvent } from './event.ts'
import type * as Pulls from './pulls.ts'
import type { CommitComparison, PullRequest, PullRequestState, QuestionOptions } from './pulls.ts'

export interface GitHubQuestionsOptions {
  event: WorkflowEvent
  token: string | undefined
  clock: Clock
  /** Monotonic milliseconds at which the run ends. */
  deadline: number
  log: Record<'info' | 'warning', (text: string) => void>
  /** Whether the job writes comments: then one permission, to write, covers the questions about pull requests too. */
  writesComments?: boolean
}

/** What a run may ask GitHub. Loads nothing before the first question. */
export interface GitHubQuestions {
  /** Aborts every request and pause after so many milliseconds. Can only bring the end forward. */
  endWithin: (ms: number) => void
  /** Warns that something was not done, but only once about each missing permission. */
  warn: (text: string, thrown: unknown) => void
  /** Connects once; later calls return the same connection. Throws if there is no token. */
  connect: () => Promise<GitHub>
  /** Reads the current pull request. Returns `undefined`, with one warning, if GitHub does not return it. */
  readPullRequest: (pullRequest: number) => Promise<PullRequest | undefined>
  /** A pull request that could not be read is missing from the map. */
  pullRequestStates: (numbers: readonly number[]) => Promise<ReadonlyMap<number, PullRequestState>>
  /** Compares our commit with the deployed one. Returns `undefined`, with a warning, if GitHub does not compare them. */
  compareCommits: (deployed: string, ours: string) => Promise<CommitComparison | undefined>
}

/** Limit of a question, in milliseconds. */
const QUESTION_MS = 15_000
/** The same where the event has answered the question already, as of its time. */
const SHORT_QUESTION_MS = 5_000
/** GitHub usually answers within this time, so no question gets less. */
const SHORTEST_QUESTION_MS = 2_000

export function openGitHub(options: GitHubQuestionsOptions): GitHubQuestions {
  const { log, clock } = options
  const ended = new AbortController()
  let end = Number.POSITIVE_INFINITY
  let connection: Promise<GitHub> | undefined
  const connect = async (): Promise<GitHub> =>
    await (connection ??= connectTo({ ...options, signal: ended.signal, deadline: () => end }))
  const named = new Set<string>()
  const warn = (text: string, thrown: unknown): void => {
    const lacks = thrown instanceof GitHubError ? thrown.lacks : undefined
    const isKnown = lacks !== undefined && named.has(lacks)
    log[isKnown ? 'info' : 'warning'](`${text}: ${toError(thrown).message}`)
    if (lacks !== undefined) named.add(lacks)
  }
  let hasWarned = false
  const warnOnce = (thrown: unknown): void => {
    if (!hasWarned) warn('Could not read pull requests from GitHub', thrown)
    hasWarned = true
  }
  /** @param share of the remaining time of the run: a question that the run can do without must leave it some */
  const within = (atMostMs: number, share: number): number =>
    Math.ceil(Math.max(SHORTEST_QUESTION_MS, Math.min(atMostMs, (options.deadline - clock.now()) * share)))
  const ask = async <T>(
    question: (pulls: typeof Pulls, gitHub: GitHub) => Promise<T>,
    onFailure: (thrown: unknown) => void,
  ): Promise<T | undefined> => {
    try {
      return await question(await import('./pulls.ts'), await connect())
    } catch (thrown) {
      onFailure(thrown)
      return undefined
    }
  }
  const { ref, pullRequest } = options.event
  const fromEvent = ref.kind === 'pull-request' ? pullRequest?.number : undefined
  const permission = options.writesComments === true ? 'pull-requests: write' : 'pull-requests: read'
  return {
    warn,
    connect,
    endWithin(ms) {
      if (clock.now() + ms >= end) return
      end = clock.now() + ms
      setTimeout(() => {
        ended.abort(new DOMException('the time for it is over', 'TimeoutError'))
      }, ms).unref()
    },
    async readPullRequest(number) {
      return await ask(async ({ readPullRequest }, gitHub) => {
        const withinMs = number === fromEvent ? within(SHORT_QUESTION_MS, 1 / 4) : within(QUESTION_MS, 1)
        return await readPullRequest(gitHub, number, { withinMs, permission })
      }, warnOnce)
    },
    async compareCommits(deployed, ours) {
      return await ask(
        async ({ compareCommits }, gitHub) =>
          await compareCommits(gitHub, deployed, ours, within(QUESTION_MS, 1 / 4)),
        (thrown) => {
          warn('Could not compare commits; continuing', thrown)
        },
      )
    },
    async pullRequestStates(numbers) {
      if (numbers.length === 0) return new Map()
      const question = (): QuestionOptions => ({ withinMs: within(QUESTION_MS, 1), permission })
      const states = await ask(
        async ({ readPullRequestStates }, gitHub) =>
          await readPullRequestStates(gitHub, numbers, question, warnOnce),
        warnOnce,
      )
      return states ?? new Map()
    },
  }
}

async function connectTo({
  event,
  token,
  log,
  ...rest
}: Pick<GitHubQuestionsOptions, 'event' | 'token' | 'log'> &
  Pick<GitHubClientOptions, 'signal' | 'deadline' | 'clock'>): Promise<GitHub> {
  const [owner, repo] = event.repository?.split('/') ?? []
  if (token === undefined) throw new GitHubError('github-token is empty', 401, { lacks: 'github-token' })
  if (owner === undefined || repo === undefined)
    throw new Error('GITHUB_REPOSITORY does not name a repository')
  const { createGitHub } = await import('./client.ts')
  return await createGitHub({ ...rest, token, owner, repo, apiUrl: event.apiUrl, onNotice: log.info })
}
