import { toError, type Clock } from '../clock.ts'
import type { GitHub, GitHubOptions } from './client.ts'
import { GitHubError } from './errors.ts'
import type { WorkflowEvent } from './event.ts'
import type { CommitComparison, PullRequest, QuestionOptions } from './pulls.ts'
import type { Log } from '../report/log.ts'
import type { PullRequestState } from '../previews/choose.ts'

export interface GitHubDoorsOptions {
  event: WorkflowEvent
  token: string | undefined
  clock: Clock
  /** Monotonic milliseconds at which the run is over. */
  deadline: number
  log: Log
  /** A job that may write comments may ask about pull requests, too: then that is the permission to name. */
  writesComments?: boolean
}

/** What a run may ask GitHub. Nothing is loaded before the first question. */
export interface GitHubDoors {
  /** Ends every request and pause in so many milliseconds; a later end than the one that is set changes nothing. */
  endWithin: (ms: number) => void
  /** Warns that something was not done; but once of each thing that the job has to be given for it. */
  warn: (text: string, thrown: unknown) => void
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
  const named = new Set<string>()
  const warn = (text: string, thrown: unknown): void => {
    const lacks = thrown instanceof GitHubError ? thrown.lacks : undefined
    const isKnown = lacks !== undefined && named.has(lacks)
    log[isKnown ? 'info' : 'warning'](`${text}: ${toError(thrown).message}`)
    if (lacks !== undefined) named.add(lacks)
  }
  let hasWarned = false
  const warnOnce = (thrown: unknown): void => {
    if (!hasWarned) warn('GitHub does not tell about pull requests', thrown)
    hasWarned = true
  }
  /** @param share of the time that the run has left: what it can do without must leave it some */
  const within = (atMostMs: number, share: number): number =>
    Math.ceil(Math.max(SHORTEST_QUESTION_MS, Math.min(atMostMs, (options.deadline - clock.now()) * share)))
  const { ref, pullRequest } = options.event
  const told = ref.kind === 'pull-request' ? pullRequest?.number : undefined
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
    async lookAt(number) {
      try {
        const { readPullRequest } = await import('./pulls.ts')
        const withinMs = number === told ? within(SHORT_QUESTION_MS, 1 / 4) : within(QUESTION_MS, 1)
        return await readPullRequest(await connect(), number, { withinMs, permission })
      } catch (thrown) {
        warnOnce(thrown)
        return undefined
      }
    },
    async compareCommits(deployed, ours) {
      try {
        const { compareCommits } = await import('./pulls.ts')
        return await compareCommits(await connect(), deployed, ours, within(QUESTION_MS, 1 / 4))
      } catch (thrown) {
        warn('Whether a later commit is deployed already is not known, the rollout goes on', thrown)
        return undefined
      }
    },
    async pullRequestStates(numbers) {
      if (numbers.length === 0) return new Map()
      try {
        const { readPullRequestStates } = await import('./pulls.ts')
        const question = (): QuestionOptions => ({ withinMs: within(QUESTION_MS, 1), permission })
        return await readPullRequestStates(await connect(), numbers, question, warnOnce)
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
  if (token === undefined) throw new GitHubError('github-token is empty', 401, { lacks: 'github-token' })
  if (owner === undefined || repo === undefined)
    throw new Error('GITHUB_REPOSITORY does not name a repository')
  const { createGitHub } = await import('./client.ts')
  return await createGitHub({ ...rest, token, owner, repo, apiUrl: event.apiUrl, onNotice: log.info })
}
