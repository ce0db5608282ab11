import { addAbortListener } from 'node:events'
import { takeTurn } from '../async.ts'
import { toError, type Clock } from '../clock.ts'
import type { Network } from '../world.ts'
import type { GitHub } from './client.ts'
import { GitHubError } from './errors.ts'
import type { WorkflowEvent } from './event.ts'
import type * as queries from './github.ts'
import type { PullRequestState, RefOfRepository } from './pulls.ts'
import type { NotesOfPreviews, PreviewsNoted, readPreviewNotes } from './deployment-search.ts'
import type { FilesSince } from './changed-files.ts'
import type { CommitComparison, PullRequest, PullRequestFiles, QuestionOptions } from './read.ts'

export interface GitHubQuestionsOptions {
  github: () => Promise<typeof queries>
  loadRest: () => Promise<{ readPreviewNotes: typeof readPreviewNotes }>
  event: WorkflowEvent
  token: string | undefined
  clock: Clock
  network: Network
  /** Monotonic milliseconds at which the run ends. */
  deadline: number
  /** Aborts when the run is cancelled. */
  signal: AbortSignal
  /** Monotonic milliseconds at which the last update of GitHub ends, too; undefined: some seconds after the deadline. */
  endsAt?: number | undefined
  log: Record<'info' | 'warning', (text: string) => void>
  /** Whether the job writes comments: then one permission, to write, covers the questions about pull requests too. */
  writesComments?: boolean
}

/** Limit of a question, in milliseconds. */
export const QUESTION_MS = 15_000
/** Limit of a question that the event has already answered, perhaps with an older state. In milliseconds. */
const SHORT_QUESTION_MS = 5_000
/** GitHub usually answers within this time, so no question gets less. */
export const SHORTEST_QUESTION_MS = 2_000

/** The time for updates of GitHub after the run's deadline, in milliseconds. The post step does the rest. */
export const AFTER_DEADLINE_MS = 4_000

/** An answer, or a sentence that says why there is none, with GitHub's status. */
export type Answered<T extends object> = T | { failure: string; status: number | undefined }

/** The members of `GitHubOfRun`: each may be called alone. */
export type GitHubQuestions = { readonly [Name in keyof GitHubOfRun]: GitHubOfRun[Name] }

/**
 * The questions of a run to GitHub. A question throws only when the run is cancelled: then the signal's reason, at once. A
 * cancelled question must not look like a refusal by GitHub.
 */
export class GitHubOfRun {
  readonly #options: GitHubQuestionsOptions
  readonly #ended = new AbortController()
  /** When all requests end, in monotonic milliseconds. */
  #end = Number.POSITIVE_INFINITY
  #connection: Promise<GitHub> | undefined
  readonly #named = new Set<string>()
  #hasWarnedOfPulls = false

  constructor(options: GitHubQuestionsOptions) {
    this.#options = options
  }

  /** Aborts every request and pause after `ms` milliseconds. Can only bring the end forward. */
  readonly endWithin = (ms: number): void => {
    const { clock, deadline, endsAt = Infinity } = this.#options
    const now = clock.now()
    const wanted = Math.max(now, Math.min(now + ms, Math.max(deadline, now) + AFTER_DEADLINE_MS, endsAt))
    if (wanted >= this.#end) return
    this.#end = wanted
    const tooLate = new DOMException('the time for it is over', 'TimeoutError')
    clock.after(wanted - now, () => this.#ended.abort(tooLate))
  }

  /** Warns that something was not done, but only once about each missing permission, and about a rate limit. */
  readonly warn = (text: string, thrown: unknown): void => {
    const { lacks, status } = thrown instanceof GitHubError ? thrown : {}
    const reason = lacks ?? (status === 429 ? 'a rate limit' : undefined)
    const isKnown = reason !== undefined && this.#named.has(reason)
    this.#options.log[isKnown ? 'info' : 'warning'](`${text}: ${toError(thrown).message}`)
    if (reason !== undefined) this.#named.add(reason)
  }

  /** Connects once; later calls return the same connection. Throws if there is no token. */
  readonly connect = async (): Promise<GitHub> => await (this.#connection ??= this.#open())

  /** Returns the pull request; `undefined`, with one warning, if GitHub does not return it. */
  readonly readPullRequest = async (number: number): Promise<PullRequest | undefined> =>
    await this.#ask(
      this.#warnOfPulls,
      async (gitHub, queries) => await queries.readPullRequest(gitHub, number, this.#limitsFor(number)),
    )

  /** Returns the states that could be read. `label`: the one that previews need; undefined if they need none. */
  readonly pullRequestStates = async (
    numbers: readonly number[],
    label: string | undefined,
  ): Promise<ReadonlyMap<number, PullRequestState>> => {
    if (numbers.length === 0) return new Map()
    const options = (number: number): QuestionOptions => this.#limitsFor(number)
    const how = { options, onFailure: this.#warnOfPulls, label }
    const states = await this.#ask(
      this.#warnOfPulls,
      async (gitHub, queries) => await queries.readPullRequestStates(gitHub, numbers, how),
    )
    return states ?? new Map()
  }

  /**
   * The paths of the files that it changes, with a warning if GitHub does not return all of them; `undefined` if it returns
   * none. `consequence`: the end of the warning's first clause.
   */
  readonly pullRequestFiles = async (number: number, consequence: string): Promise<PullRequestFiles | undefined> => {
    const limits = { ...this.#limitsFor(number), withinMs: this.#within(QUESTION_MS, 1 / 4) }
    const without = `Continuing without the files of the pull request, ${consequence}`
    const files = await this.#ask(
      without,
      async (gitHub, queries) => await queries.readPullRequestFiles(gitHub, number, limits),
    )
    if (files?.isWhole === false)
      this.warn(without, new Error(`GitHub lists only some of them (${files.paths.length}).`))
    return files
  }

  /** The notes of runs about the previews of a pull request; `undefined`, with a warning, if GitHub does not return them. */
  readonly previewNotes = async (previews: PreviewsNoted): Promise<NotesOfPreviews | undefined> =>
    await this.#ask(
      'Continuing without the notes of earlier runs about previews',
      async (gitHub) => await (await this.#options.loadRest()).readPreviewNotes(gitHub, previews),
    )

  /** Compares two commits. Returns `undefined`, with a warning, if GitHub does not compare them. */
  readonly compareCommits = async (deployed: string, ours: string): Promise<CommitComparison | undefined> =>
    await this.#ask(
      'Continuing without comparing commits (protect-newer)',
      async (gitHub, queries) => await queries.compareCommits(gitHub, deployed, ours, this.#within(QUESTION_MS, 1 / 4)),
    )

  /** The files that have changed from one commit to another. */
  readonly filesSince = async (base: string, head: string): Promise<Answered<FilesSince>> =>
    await this.#answered(
      async (gitHub, queries) => await queries.readFilesSince(gitHub, base, head, this.#within(QUESTION_MS, 1 / 4)),
    )

  /** The text of a file of the repository at a commit. */
  readonly fileAt = async (commit: string, path: string): Promise<Answered<{ text: string }>> =>
    await this.#answered(async (gitHub, queries) => ({
      text: await queries.readFileAt(gitHub, commit, path, this.#within(QUESTION_MS, 1 / 4)),
    }))

  /** The commit of a branch, a tag or the start of a commit. */
  readonly resolveCommit = async (ref: string): Promise<Answered<{ commit: string }>> =>
    await this.#answered(async (gitHub, queries) => ({
      commit: await queries.resolveCommit(gitHub, ref, this.#within(QUESTION_MS, 1 / 4)),
    }))

  /** By the names of deployments: see `findDeployedCommits`. */
  readonly deployedCommits = async (
    environment: string,
    active: ReadonlyMap<string, string>,
  ): Promise<Answered<{ commits: ReadonlyMap<string, string> }>> =>
    await this.#answered(async (gitHub, queries) => ({
      commits: await queries.findDeployedCommits(gitHub, environment, active, this.#within(QUESTION_MS, 1 / 4)),
    }))

  /** Reads the commit of a branch or a tag; `undefined`, with a warning, if GitHub does not return it. */
  readonly readCommit = async (branchOrTag: RefOfRepository): Promise<string | undefined> =>
    await this.#ask(
      `Continuing without the commit of ${branchOrTag.ref}`,
      async (gitHub, queries) => await queries.readRefCommit(gitHub, branchOrTag, this.#within(QUESTION_MS, 1 / 4)),
    )

  /** Returns the age of this workflow run in milliseconds; `undefined`, with a warning, if it is unknown. */
  readonly readRunAge = async (): Promise<number | undefined> => {
    const { attempt } = this.#options.event
    if (attempt === undefined) return undefined
    return await this.#ask(
      'Continuing without the age of this workflow run',
      async (gitHub, queries) => await queries.readRunAge(gitHub, attempt.run, this.#within(QUESTION_MS, 1 / 4)),
    )
  }

  async #open(): Promise<GitHub> {
    const { event, token, clock, network, log } = this.#options
    const [owner, repo] = event.repository?.split('/') ?? []
    if (token === undefined) throw new GitHubError('github-token is empty', 401, { lacks: 'github-token' })
    if (owner === undefined || repo === undefined) throw new Error('GITHUB_REPOSITORY does not name a repository')
    const access = { token, owner, repo, apiUrl: event.apiUrl, clock, network, signal: this.#ended.signal }
    // Loading it would delay a request that is about to be sent: it needs some turns.
    for (let turns = 0; turns < TURNS; turns++) await takeTurn()
    const { GitHubClient } = await this.#options.github()
    return new GitHubClient({ ...access, deadline: () => this.#end, onNotice: log.info })
  }

  /** Asks what the caller can do without, and says so itself. */
  async #answered<T extends object>(
    question: (gitHub: GitHub, github: typeof queries) => Promise<T>,
  ): Promise<Answered<T>> {
    let failure: unknown
    const answer = await this.#ask((thrown) => {
      failure = thrown
    }, question)
    if (answer !== undefined) return answer
    const status = failure instanceof GitHubError ? failure.status : undefined
    return { failure: toError(failure).message, status }
  }

  /** @param onFailure the beginning of a warning */
  async #ask<T>(
    onFailure: string | ((thrown: unknown) => void),
    question: (gitHub: GitHub, github: typeof queries) => Promise<T>,
  ): Promise<T | undefined> {
    const { github, signal } = this.#options
    signal.throwIfAborted()
    const cancelled = Promise.withResolvers<never>()
    using _listening = addAbortListener(signal, () => cancelled.reject(toError(signal.reason)))
    try {
      const reply = this.connect().then(async (gitHub) => await question(gitHub, await github()))
      return await Promise.race([reply, cancelled.promise])
    } catch (thrown) {
      signal.throwIfAborted()
      if (typeof onFailure === 'string') this.warn(onFailure, thrown)
      else onFailure(thrown)
      return undefined
    }
  }

  readonly #warnOfPulls = (thrown: unknown): void => {
    // A question that a cancellation has ended may still fail.
    const isNew = !this.#hasWarnedOfPulls && !this.#options.signal.aborted
    if (isNew) this.warn('Could not read pull requests from GitHub', thrown)
    this.#hasWarnedOfPulls = true
  }

  #limitsFor(number: number): QuestionOptions {
    const { event, writesComments = false } = this.#options
    const fromEvent = event.head === undefined ? undefined : event.pullRequest?.number
    const withinMs = number === fromEvent ? this.#within(SHORT_QUESTION_MS, 1 / 4) : this.#within(QUESTION_MS)
    return { withinMs, permission: writesComments ? 'pull-requests: write' : 'pull-requests: read' }
  }

  /** @param share of the remaining time of the run: a question that the run can do without must leave it some */
  #within(atMostMs: number, share = 1): number {
    const { clock, deadline } = this.#options
    return Math.ceil(Math.max(SHORTEST_QUESTION_MS, Math.min(atMostMs, (deadline - clock.now()) * share)))
  }
}

const TURNS = 4
