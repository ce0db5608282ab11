import type { z } from 'zod'
import { MAX_ENTRIES } from '../http/limits.ts'
import { timeOf } from '../http/retry-after.ts'
import type { Network } from '../world.ts'
import { GitHubError, type Attempted } from './errors.ts'
import { openRest, readPages, type OctokitOptions, type RepeatPage, type Rest } from './octokit.ts'
import { openRepeat, type RepeatOptions } from './retry.ts'

export interface GitHubClientOptions extends RepeatOptions {
  network: Network
  token: string
  /** The base address of the REST API, as in GITHUB_API_URL; GitHub Enterprise Server has its own. */
  apiUrl: string
  owner: string
  repo: string
}

export interface GitHubRequest extends Attempted {
  /** As GitHub's documentation writes it: `POST /repos/{owner}/{repo}/deployments`. */
  route: string
  /** The values in the route; the others form the query or the body. Owner and repository are filled in. */
  parameters?: Readonly<Record<string, unknown>>
  /** Entries of one page of a list, at most 100. */
  pageSize?: number
  /** The number of entries of the longest list that is read. */
  mostEntries?: number
}

interface Learned {
  /** The login of the token, in lower case. */
  login?: string
  /** A question by GraphQL had no usable answer. */
  isWithoutGraphQl?: boolean
  /** By how much GitHub's clock is ahead of the runner's, in milliseconds, as the Date of its last answer shows. */
  aheadMs?: number
}

export type GitHub = { -readonly [Name in keyof GitHubClient]: GitHubClient[Name] }

const MAX_PAGE_SIZE = 100

/** The part of GitHub's API that a rollout uses. It sends nothing before the first request. */
export class GitHubClient {
  /** `owner/name`: all routes are about this repository. */
  readonly repository: string
  readonly learned: Learned = {}
  readonly #options: GitHubClientOptions
  readonly #repeat: ReturnType<typeof openRepeat>
  readonly #octokit: OctokitOptions
  readonly #rest: Rest

  constructor(options: GitHubClientOptions) {
    this.repository = `${options.owner}/${options.repo}`
    this.#options = options
    this.#repeat = openRepeat(options)
    const { network } = options
    const send: Network['send'] = async (sent) => {
      const answer = await network.send(sent)
      const wallTime = options.clock.wallTime()
      this.learned.aheadMs = timeOf(answer.headers, wallTime) - wallTime
      return answer
    }
    this.#octokit = { ...options, network: { send, hasProxy: (url) => network.hasProxy(url) } }
    this.#rest = openRest(this.#octokit)
  }

  /** How long ago something was, in milliseconds. `at`: by GitHub's clock, in milliseconds since the epoch. */
  ageOf(at: number): number {
    return this.#options.clock.wallTime() + (this.learned.aheadMs ?? 0) - at
  }

  /**
   * @param schema a refinement of it rejects a response about something else; its message completes "GitHub's response"
   * @throws GitHubError for every failure
   */
  async request<T>(request: GitHubRequest, schema: z.ZodType<T>): Promise<T> {
    const { route } = request
    const parameters = this.#parametersOf(request)
    return await this.#repeat(request, async (signal) =>
      parse(request, schema, await this.#rest(route, parameters, signal)),
    )
  }

  /** Yields the entries of a list, and requests its next page only when needed. Throws GitHubError for one too long. */
  async *pages<T>(request: GitHubRequest, schema: z.ZodType<T[]>): AsyncGenerator<T, void> {
    const { route, attempted, pageSize = MAX_PAGE_SIZE, mostEntries = MAX_ENTRIES } = request
    const parameters = { ...this.#parametersOf(request), per_page: pageSize }
    let entries: T[] = []
    const repeat: RepeatPage = async (send) =>
      await this.#repeat(request, async (signal) => {
        const page = await send(signal)
        entries = parse(request, schema, page.data)
        return page
      })
    let room = mostEntries
    for await (const { hasNext } of readPages({ route, parameters }, repeat, this.#octokit)) {
      yield* entries
      room -= pageSize
      // GitHub cuts a list that is too long, and names no next page of it.
      const isWhole = !hasNext && entries.length < pageSize
      if (room <= 0 && !isWhole)
        throw new GitHubError(`could not ${attempted}: the list has more than ${mostEntries} entries.`, undefined)
    }
  }

  #parametersOf({ route, parameters }: GitHubRequest): Readonly<Record<string, unknown>> {
    const { owner, repo } = this.#options
    return { ...(route.includes('{owner}') && { owner, repo }), ...parameters }
  }
}

function parse<T>({ attempted }: GitHubRequest, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const isAbout = parsed.error.issues.find(({ code }) => code === 'custom')?.message
  const message = `could not ${attempted}: GitHub's response ${isAbout ?? 'does not match its documentation'}.`
  throw new GitHubError(message, isAbout === undefined ? undefined : 200, { cause: parsed.error })
}
