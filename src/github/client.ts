import type { z } from 'zod'
import { MAX_ENTRIES } from '../http/limits.ts'
import type { Network } from '../world.ts'
import { GitHubError } from './errors.ts'
import type { Rest } from './octokit.ts'
import {
  GRAPHQL,
  isWrite,
  openRepeat,
  WritePace,
  type Attempted,
  type LoadSchema,
  type Repeat,
  type RepeatOptions,
  type Send,
} from './retry.ts'

export interface GitHubClientOptions extends RepeatOptions {
  network: Network
  token: string
  /** As in GITHUB_API_URL; GitHub Enterprise Server has its own. */
  apiUrl: string
  owner: string
  repo: string
}

export interface GitHubRequest extends Attempted {
  /** As GitHub's documentation writes it: `POST /repos/{owner}/{repo}/deployments`. */
  route: string
  /** Fill the route; the others form the query or the body. Owner and repository need not be given. */
  parameters?: Readonly<Record<string, unknown>>
  /** Entries of one page of a list, at most 100. */
  pageSize?: number
}

/** What answers have shown about a connection: a run asks for it once. */
interface Learned {
  /** The login of the token, in lower case. */
  login?: string
  /** A question by GraphQL had no usable answer. */
  isWithoutGraphQl?: boolean
}

/** The part of GitHub's API that a rollout uses. */
export interface GitHub {
  /** `owner/name`: all routes are about this repository. */
  repository: string
  learned: Learned
  /**
   * @param schema a refinement of it rejects a response about something else; its message completes "GitHub's response"
   * @throws GitHubError for every failure
   */
  request: <T>(request: GitHubRequest, schema: z.ZodType<T>) => Promise<T>
  /** Yields the entries of a list. Requests the next page only when it is needed. Throws GitHubError for a list that is too long. */
  pages: <T>(request: GitHubRequest, schema: z.ZodType<T[]>) => AsyncGenerator<T, void>
  /** The login of the token, such as an app's `name[bot]`, by GraphQL: no REST route returns that of a job's token. */
  whoAmI: () => Promise<string>
}

/** A connection whose requests need not wait until the schemas of their answers are loaded. */
export interface GitHubConnection extends GitHub {
  /** As `request`. Loads the schema while the answer is on its way. */
  ask: <T>(request: GitHubRequest, load: LoadSchema<T>) => Promise<T>
}

const MAX_PAGE_SIZE = 100

/** Sends nothing before the first request. */
export class GitHubClient implements GitHubConnection {
  readonly repository: string
  readonly learned: Learned = {}
  readonly #options: GitHubClientOptions
  readonly #repeat: Repeat
  readonly #pace = new WritePace()
  #opened: Promise<Rest> | undefined

  constructor(options: GitHubClientOptions) {
    this.repository = `${options.owner}/${options.repo}`
    this.#options = options
    this.#repeat = openRepeat(options)
  }

  async ask<T>(request: GitHubRequest, load: LoadSchema<T>): Promise<T> {
    return await this.#send(request, load)
  }

  async request<T>(request: GitHubRequest, schema: z.ZodType<T>): Promise<T> {
    return await this.#send(request, loaded(schema))
  }

  async *pages<T>(request: GitHubRequest, schema: z.ZodType<T[]>): AsyncGenerator<T, void> {
    const { attempted, pageSize = MAX_PAGE_SIZE } = request
    for (let page = 1; (page - 1) * pageSize < MAX_ENTRIES; page++) {
      const items = await this.#send(request, loaded(schema), { per_page: pageSize, page })
      yield* items
      if (items.length < pageSize) return
    }
    throw new GitHubError(`could not ${attempted}: the list has more than ${MAX_ENTRIES} entries.`, undefined)
  }

  async whoAmI(): Promise<string> {
    const request = {
      route: GRAPHQL,
      parameters: { query: '{ viewer { login } }' },
      attempted: 'read the login of github-token',
      permission: 'contents: read',
    } as const
    const { data } = await this.ask(request, async () => (await import('./schemas.ts')).viewer)
    return data.viewer.login
  }

  async #send<T>(request: GitHubRequest, load: LoadSchema<T>, page = {}): Promise<T> {
    const { route } = request
    const { owner, repo } = this.#options
    const repository = route.includes('{owner}') ? { owner, repo } : {}
    const parameters = { ...repository, ...request.parameters, ...page }
    const sendOnce: Send = async (signal, onSent) => {
      if (isWrite(route)) await this.#pauseBeforeWrite(request, signal)
      const rest = await (this.#opened ??= this.#open())
      return await rest(route, parameters, { signal, onSent })
    }
    return await this.#repeat(request, sendOnce, load)
  }

  async #open(): Promise<Rest> {
    const { openFetch, openOctokit } = await import('./octokit.ts')
    const { apiUrl, token, network } = this.#options
    return openOctokit({ apiUrl, token, fetch: openFetch(network) })
  }

  async #pauseBeforeWrite({ attempted }: GitHubRequest, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const pauseMs = this.#pace.pauseBefore(clock.now())
    if (pauseMs === 0) return
    await clock.sleep(pauseMs, signal).catch(() => {
      const why = 'GitHub takes 80 writes a minute, and the time for this one was over before its turn'
      throw new GitHubError(`could not ${attempted}: ${why}.`, 429)
    })
  }
}

const loaded =
  <T>(schema: z.ZodType<T>): LoadSchema<T> =>
  async () =>
    await Promise.resolve(schema)

/**
 * Whether the address of a resource, as a response reports it, names this resource of our repository. An address that
 * is not reported shows nothing else.
 * @param path below the repository, as in `/issues/7`; the empty text for the repository itself
 */
export function isOurs(address: string | null | undefined, { repository }: { repository: string }, path = ''): boolean {
  return !address || address.toLowerCase().endsWith(`/repos/${repository}${path}`.toLowerCase())
}

/** Names of repositories and environments, and commits, have no case. An unknown text equals none. */
export function equalIgnoringCase(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
