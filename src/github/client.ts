import type { z } from 'zod'
import { MAX_ENTRIES } from '../http/limits.ts'
import { GitHubError } from './errors.ts'
import { openFetch } from './fetch.ts'
import type { Rest } from './octokit.ts'
import { createPace, GRAPHQL, isWrite } from './pace.ts'
import { openRepeat, type Attempted, type LoadSchema, type RepeatOptions, type Send } from './repeat.ts'
import type { Network } from '../world.ts'

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
export function createGitHub(options: GitHubClientOptions): GitHubConnection {
  const { owner, repo, clock } = options
  const access = { ...options, fetch: openFetch(options.network) }
  const open = async (): Promise<Rest> => (await import('./octokit.ts')).openOctokit(access)
  let opened: Promise<Rest> | undefined
  const repeat = openRepeat(options)
  const paceBefore = createPace()

  const send = async <T>(request: GitHubRequest, load: LoadSchema<T>, page = {}): Promise<T> => {
    const { route } = request
    const repository = route.includes('{owner}') ? { owner, repo } : {}
    const parameters = { ...repository, ...request.parameters, ...page }
    const sendOnce: Send = async (signal, onSent) => {
      const pauseMs = isWrite(route) ? paceBefore(clock.now()) : 0
      if (pauseMs > 0)
        await clock.sleep(pauseMs, signal).catch(() => {
          const why = 'GitHub takes 80 writes a minute, and the time for this one was over before its turn'
          throw new GitHubError(`could not ${request.attempted}: ${why}.`, 429)
        })
      const rest = await (opened ??= open())
      return await rest(route, parameters, { signal, onSent })
    }
    return await repeat(request, sendOnce, load)
  }
  return {
    repository: `${owner}/${repo}`,
    learned: {},
    ask: async (request, load) => await send(request, load),
    request: async (request, schema) => await send(request, loaded(schema)),
    async *pages(request, schema) {
      const { attempted, pageSize = MAX_PAGE_SIZE } = request
      for (let page = 1; (page - 1) * pageSize < MAX_ENTRIES; page++) {
        const items = await send(request, loaded(schema), { per_page: pageSize, page })
        yield* items
        if (items.length < pageSize) return
      }
      throw new GitHubError(`could not ${attempted}: the list has more than ${MAX_ENTRIES} entries.`, undefined)
    },
    async whoAmI() {
      const request = {
        route: GRAPHQL,
        parameters: { query: '{ viewer { login } }' },
        attempted: 'read the login of github-token',
        permission: 'contents: read',
      } as const
      const { data } = await send(request, async () => (await import('./schemas.ts')).viewer)
      return data.viewer.login
    },
  }
}

const loaded =
  <T>(schema: z.ZodType<T>): LoadSchema<T> =>
  async () =>
    await Promise.resolve(schema)
