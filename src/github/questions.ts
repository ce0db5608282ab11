import { toError, type Clock } from '../clock.ts'
import { createGitHub, type GitHub, type GitHubConnection } from './client.ts'
import { GitHubError } from './errors.ts'
import type { WorkflowEvent } from './event.ts'
import * as pulls from './pulls.ts'

interface GitHubQuestionsOptions {
  event: Pick<WorkflowEvent, 'repository' | 'apiUrl' | 'ref' | 'pullRequest'>
  token: string | undefined
  clock: Clock
  /** Monotonic milliseconds at which the run ends. */
  deadline: number
  log: Record<'info' | 'warning', (text: string) => void>
  /** Whether the job writes comments: then one permission, to write, covers the questions about pull requests too. */
  writesComments?: boolean
}

/** What a run may ask GitHub. */
export interface GitHubQuestions {
  /** Aborts every request and pause after so many milliseconds. Can only bring the end forward. */
  endWithin: (ms: number) => void
  /** Warns that something was not done, but only once about each missing permission, and about a rate limit. */
  warn: (text: string, thrown: unknown) => void
  /** Connects once; later calls return the same connection. Throws if there is no token. */
  connect: () => Promise<GitHub>
  /** Reads the current pull request. Returns `undefined`, with one warning, if GitHub does not return it. Never throws. */
  readPullRequest: (pullRequest: number) => Promise<pulls.PullRequest | undefined>
  /**
   * Reads the states of pull requests. One that could not be read is missing from the map. Never throws.
   * @param label that previews need; undefined if they need none
   */
  pullRequestStates: (
    numbers: readonly number[],
    label: string | undefined,
  ) => Promise<ReadonlyMap<number, pulls.PullRequestState>>
  /** Compares our commit with the deployed one. Returns `undefined`, with a warning, if GitHub does not compare them. Never throws. */
  compareCommits: (deployed: string, ours: string) => Promise<pulls.CommitComparison | undefined>
}

/** Limit of a question, in milliseconds. */
export const QUESTION_MS = 15_000
/** The same where the event has answered the question already, as of its time. */
const SHORT_QUESTION_MS = 5_000
/** GitHub usually answers within this time, so no question gets less. */
const SHORTEST_QUESTION_MS = 2_000

/** For GitHub after the end of the run's time, in milliseconds: the post step does what is left. */
const AFTER_DEADLINE_MS = 4_000

export function openGitHub(options: GitHubQuestionsOptions): GitHubQuestions {
  const { event, token, log, clock, deadline, writesComments = false } = options
  const ended = new AbortController()
  let end = Number.POSITIVE_INFINITY
  const open = (): GitHubConnection => {
    const [owner, repo] = event.repository?.split('/') ?? []
    if (token === undefined) throw new GitHubError('github-token is empty', 401, { lacks: 'github-token' })
    if (owner === undefined || repo === undefined) throw new Error('GITHUB_REPOSITORY does not name a repository')
    const access = { token, owner, repo, apiUrl: event.apiUrl, clock, signal: ended.signal }
    return createGitHub({ ...access, deadline: () => end, onNotice: log.info })
  }
  let connection: GitHubConnection | undefined
  const connect = (): GitHubConnection => (connection ??= open())
  const named = new Set<string>()
  const warn = (text: string, thrown: unknown): void => {
    const { lacks, status } = thrown instanceof GitHubError ? thrown : {}
    const reason = lacks ?? (status === 429 ? 'a rate limit' : undefined)
    const isKnown = reason !== undefined && named.has(reason)
    log[isKnown ? 'info' : 'warning'](`${text}: ${toError(thrown).message}`)
    if (reason !== undefined) named.add(reason)
  }
  let hasWarned = false
  const warnOnce = (thrown: unknown): void => {
    if (!hasWarned) warn('Could not read pull requests from GitHub', thrown)
    hasWarned = true
  }
  /** @param share of the remaining time of the run: a question that the run can do without must leave it some */
  const within = (atMostMs: number, share = 1): number =>
    Math.ceil(Math.max(SHORTEST_QUESTION_MS, Math.min(atMostMs, (deadline - clock.now()) * share)))
  const ask = async <T>(
    onFailure: (thrown: unknown) => void,
    question: (gitHub: GitHubConnection) => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await question(connect())
    } catch (thrown) {
      onFailure(thrown)
      return undefined
    }
  }
  const fromEvent = event.ref.kind === 'pull-request' ? event.pullRequest?.number : undefined
  const permission = writesComments ? 'pull-requests: write' : 'pull-requests: read'
  const limitsFor = (number: number): pulls.QuestionOptions => {
    const withinMs = number === fromEvent ? within(SHORT_QUESTION_MS, 1 / 4) : within(QUESTION_MS)
    return { withinMs, permission }
  }
  return {
    warn,
    connect: async () => await Promise.resolve(connect()),
    endWithin(ms) {
      const now = clock.now()
      const wanted = Math.min(now + ms, Math.max(deadline, now) + AFTER_DEADLINE_MS)
      if (wanted >= end) return
      end = wanted
      const tooLate = new DOMException('the time for it is over', 'TimeoutError')
      setTimeout(() => ended.abort(tooLate), wanted - now).unref()
    },
    async readPullRequest(number) {
      return await ask(warnOnce, async (gitHub) => await pulls.readPullRequest(gitHub, number, limitsFor(number)))
    },
    async compareCommits(deployed, ours) {
      const onFailure = (thrown: unknown): void => warn('Continuing without comparing commits (protect-newer)', thrown)
      return await ask(onFailure, async (gitHub) => {
        return await pulls.compareCommits(gitHub, deployed, ours, within(QUESTION_MS, 1 / 4))
      })
    },
    async pullRequestStates(numbers, label) {
      if (numbers.length === 0) return new Map()
      const states = await ask(warnOnce, async (gitHub) => {
        const { readPullRequestStates } = await import('./pull-questions.ts')
        return await readPullRequestStates(gitHub, numbers, limitsFor, warnOnce, label)
      })
      return states ?? new Map()
    },
  }
}
