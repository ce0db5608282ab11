import { toError, type Clock } from '../clock.ts'
import type { Network } from '../world.ts'
import { GitHubClient, type GitHub, type GitHubConnection } from './client.ts'
import { GitHubError } from './errors.ts'
import type { WorkflowEvent } from './event.ts'
import * as pulls from './pulls.ts'
import type { RefOfRepository } from './refs.ts'

interface GitHubQuestionsOptions {
  event: Pick<WorkflowEvent, 'repository' | 'apiUrl' | 'ref' | 'pullRequest'>
  token: string | undefined
  clock: Clock
  network: Network
  /** Monotonic milliseconds at which the run ends. */
  deadline: number
  /** Aborts when the run is cancelled. Not set where no question is asked. */
  signal?: AbortSignal
  /** Monotonic milliseconds at which the last update of GitHub ends, too; undefined: some seconds after the deadline. */
  endsAt?: number | undefined
  log: Record<'info' | 'warning', (text: string) => void>
  /** Whether the job writes comments: then one permission, to write, covers the questions about pull requests too. */
  writesComments?: boolean
}

/**
 * What a run may ask GitHub. A question throws only when the run is cancelled: then the signal's reason, at once. What a
 * cancelled run could not ask must not look like what GitHub refuses.
 */
export interface GitHubQuestions {
  /** Aborts every request and pause after so many milliseconds. Can only bring the end forward. */
  endWithin: (ms: number) => void
  /** Warns that something was not done, but only once about each missing permission, and about a rate limit. */
  warn: (text: string, thrown: unknown) => void
  /** Connects once; later calls return the same connection. Throws if there is no token. */
  connect: () => Promise<GitHub>
  /** Reads the current pull request. Returns `undefined`, with one warning, if GitHub does not return it. */
  readPullRequest: (pullRequest: number) => Promise<pulls.PullRequest | undefined>
  /**
   * Reads the states of pull requests. One that could not be read is missing from the map.
   * @param label that previews need; undefined if they need none
   */
  pullRequestStates: (
    numbers: readonly number[],
    label: string | undefined,
  ) => Promise<ReadonlyMap<number, pulls.PullRequestState>>
  /** Compares our commit with the deployed one. Returns `undefined`, with a warning, if GitHub does not compare them. */
  compareCommits: (deployed: string, ours: string) => Promise<pulls.CommitComparison | undefined>
  /** Reads the commit of a branch or a tag. Returns `undefined`, with a warning, if GitHub does not return it. Never throws. */
  readCommit: (of: RefOfRepository) => Promise<string | undefined>
}

/** Limit of a question, in milliseconds. */
export const QUESTION_MS = 15_000
/** The same where the event has answered the question already, as of its time. */
const SHORT_QUESTION_MS = 5_000
/** GitHub usually answers within this time, so no question gets less. */
export const SHORTEST_QUESTION_MS = 2_000

/** For GitHub after the end of the run's time, in milliseconds: the post step does what is left. */
export const AFTER_DEADLINE_MS = 4_000

export function openGitHub(options: GitHubQuestionsOptions): GitHubQuestions {
  const {
    event,
    token,
    log,
    clock,
    network,
    deadline,
    endsAt = Infinity,
    writesComments = false,
    signal = NEVER,
  } = options
  const ended = new AbortController()
  let end = Number.POSITIVE_INFINITY
  const open = (): GitHubConnection => {
    const [owner, repo] = event.repository?.split('/') ?? []
    if (token === undefined) throw new GitHubError('github-token is empty', 401, { lacks: 'github-token' })
    if (owner === undefined || repo === undefined) throw new Error('GITHUB_REPOSITORY does not name a repository')
    const access = { token, owner, repo, apiUrl: event.apiUrl, clock, network, signal: ended.signal }
    return new GitHubClient({ ...access, deadline: () => end, onNotice: log.info })
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
    // A question that a cancellation has ended may still fail.
    if (!hasWarned && !signal.aborted) warn('Could not read pull requests from GitHub', thrown)
    hasWarned = true
  }
  /** @param share of the remaining time of the run: a question that the run can do without must leave it some */
  const within = (atMostMs: number, share = 1): number =>
    Math.ceil(Math.max(SHORTEST_QUESTION_MS, Math.min(atMostMs, (deadline - clock.now()) * share)))
  const ask = async <T>(
    onFailure: (thrown: unknown) => void,
    question: (gitHub: GitHubConnection) => Promise<T>,
  ): Promise<T | undefined> => {
    signal.throwIfAborted()
    try {
      return await beforeAbort(question(connect()), signal)
    } catch (thrown) {
      signal.throwIfAborted()
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
      const wanted = Math.max(now, Math.min(now + ms, Math.max(deadline, now) + AFTER_DEADLINE_MS, endsAt))
      if (wanted >= end) return
      end = wanted
      const tooLate = new DOMException('the time for it is over', 'TimeoutError')
      clock.after(wanted - now, () => ended.abort(tooLate))
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
    async readCommit(of) {
      const onFailure = (thrown: unknown): void => warn(`Continuing without the commit of ${of.ref}`, thrown)
      return await ask(onFailure, async (gitHub) => {
        const { readRefCommit } = await import('./refs.ts')
        return await readRefCommit(gitHub, of, within(QUESTION_MS, 1 / 4))
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

const NEVER = new AbortController().signal

/** Returns the result of the work, or throws the signal's reason as soon as it aborts: the work ends by itself. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(toError(signal.reason))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
