import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import { MAX_ENTRIES } from '../http/limits.ts'
import { GitHubError, type Permission } from './errors.ts'
import { limitError, toGitHubError } from './explain.ts'
import { openFetch } from './fetch.ts'
import { createPace } from './pace.ts'
import type { RateLimit } from './rate-limit.ts'
import { GRAPHQL, openRest, type Rest } from './rest.ts'
import { isShortLimit, pauseBefore, retryAfter, type Retry } from './retry.ts'

export interface GitHubClientOptions {
  token: string
  /** As in GITHUB_API_URL; GitHub Enterprise Server has its own. */
  apiUrl: string
  owner: string
  repo: string
  /** Aborts every request and every pause. */
  signal: AbortSignal
  clock: Clock
  /** Monotonic milliseconds. A rate limit that ends later is not waited for. */
  deadline: () => number
  /** Called before a pause, with a sentence. */
  onNotice: (text: string) => void
  /** Per attempt, in milliseconds. */
  attemptMs?: number
}

export interface GitHubRequest {
  /** As GitHub's documentation writes it: `POST /repos/{owner}/{repo}/deployments`. */
  route: string
  /** Fill the route; the others form the query or the body. Owner and repository need not be given. */
  parameters?: Readonly<Record<string, unknown>>
  /** A verb and its object, as in "write the comment", for error messages. */
  attempted: string
  /** The permission that the job needs. */
  permission: Permission
  /** Whether a second request after a lost response would repeat the effect. */
  once?: boolean
  /** Limit in milliseconds, pauses and retries included. */
  withinMs?: number
  /** Entries of one page of a list, at most 100. */
  pageSize?: number
}

/** The part of GitHub's API that a rollout uses. */
export interface GitHub {
  /** `owner/name`: all routes are about this repository. */
  repository: string
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

/** Loads the schema of an answer. */
export type LoadSchema<T> = () => Promise<z.ZodType<T>>

/** A connection whose requests need not wait until the schemas of their answers are loaded. */
export interface GitHubConnection extends GitHub {
  /** As `request`. Loads the schema while the answer is on its way. */
  ask: <T>(request: GitHubRequest, load: LoadSchema<T>) => Promise<T>
}

const ATTEMPT_MS = 15_000
const MAX_PAGE_SIZE = 100

/** Sends a request once. */
type Ask = (signal: AbortSignal, onSent: () => void) => Promise<unknown>

type Attempted = Pick<GitHubRequest, 'attempted' | 'permission' | 'once' | 'withinMs'>

type Attempt<T> = { isDone: true; value: T } | { isDone: false; error: GitHubError; retry: Retry }

/** Sends nothing before the first request. */
export function createGitHub(options: GitHubClientOptions): GitHubConnection {
  const { owner, repo, signal, clock, deadline, onNotice, attemptMs = ATTEMPT_MS } = options
  const access = { ...options, fetch: openFetch() }
  const questions = openRest(access)
  let octokit: Promise<Rest> | undefined
  const openLater = async (): Promise<Rest> => (await import('./octokit.ts')).openOctokit(access)
  const paceBefore = createPace()
  /** What GitHub has refused until a moment, in monotonic milliseconds: a request before that would prolong it. */
  let limited: { endsAt: number; limit: RateLimit } | undefined

  const attempt = async <T>(
    request: Attempted,
    ask: Ask,
    load: LoadSchema<T>,
    within: AbortSignal,
  ): Promise<Attempt<T>> => {
    const ended = AbortSignal.any([within, AbortSignal.timeout(attemptMs)])
    let data: unknown
    let schema: z.ZodType<T>
    try {
      ended.throwIfAborted()
      // What fails to load here fails again below.
      data = await ask(ended, () => void load().catch(ignore))
      schema = await load()
    } catch (thrown) {
      const error = toGitHubError(thrown, request, clock.wallTime())
      return { isDone: false, error, retry: retryAfter(thrown, ended.aborted, clock.wallTime()) }
    }
    const parsed = schema.safeParse(data)
    if (parsed.success) return { isDone: true, value: parsed.data }
    const isAbout = parsed.error.issues.find(({ code }) => code === 'custom')?.message
    const message = `could not ${request.attempted}: GitHub's response ${isAbout ?? 'does not match its documentation'}.`
    const error = new GitHubError(message, isAbout === undefined ? undefined : 200, { cause: parsed.error })
    return { isDone: false, error, retry: { kind: isAbout === undefined ? 'never' : 'wrong-answer' } }
  }
  const repeat = async <T>(request: Attempted, ask: Ask, load: LoadSchema<T>): Promise<T> => {
    const { once = false, withinMs = Number.POSITIVE_INFINITY } = request
    const endsAt = clock.now() + withinMs
    const within =
      withinMs < Number.POSITIVE_INFINITY ? AbortSignal.any([signal, AbortSignal.timeout(withinMs)]) : signal
    const rest = (ms: number): Promise<void> =>
      clock.sleep(ms, within).catch((thrown: unknown) => {
        throw toGitHubError(thrown, request, clock.wallTime())
      })
    const roomMs = (): number => Math.min(deadline(), endsAt) - clock.now()
    for (let attempts = 1; ; attempts++) {
      const limitedMs = (limited?.endsAt ?? 0) - clock.now()
      if (limited !== undefined && limitedMs > 0) {
        if (!isShortLimit(limitedMs, roomMs())) throw limitError(request, limited.limit)
        await rest(limitedMs)
      }
      const result = await attempt(request, ask, load, within)
      if (result.isDone) return result.value
      const { error, retry } = result
      if (retry.kind === 'rate-limit') {
        const ends = clock.now() + retry.until - clock.wallTime()
        if (ends > (limited?.endsAt ?? 0)) limited = { endsAt: ends, limit: retry }
      }
      const pauseMs = pauseBefore(retry, { attempts, once, roomMs: roomMs(), wallTime: clock.wallTime() })
      if (pauseMs === undefined) throw error
      if (retry.kind === 'rate-limit')
        onNotice(`GitHub limits the rate of requests: trying again in ${Math.ceil(pauseMs / 1000)} s.`)
      await clock.sleep(pauseMs, within).catch((thrown: unknown) => {
        throw retry.kind === 'wrong-answer' ? error : toGitHubError(thrown, request, clock.wallTime())
      })
    }
  }
  const send = async <T>(
    rest: () => Promise<Rest>,
    request: GitHubRequest,
    load: LoadSchema<T>,
    page = {},
  ): Promise<T> => {
    const { route } = request
    const repository = route.includes('{owner}') ? { owner, repo } : {}
    const parameters = { ...repository, ...request.parameters, ...page }
    const ask: Ask = async (ended, onSent) => {
      // GraphQL only reads here.
      const pauseMs = route.startsWith('GET ') || route === GRAPHQL ? 0 : paceBefore(clock.now())
      if (pauseMs > 0) await clock.sleep(pauseMs, ended)
      return await (
        await rest()
      )(route, parameters, { signal: ended, onSent })
    }
    return await repeat(request, ask, load)
  }
  const tell = async (): Promise<Rest> => await (octokit ??= openLater())
  return {
    repository: `${owner}/${repo}`,
    ask: async (request, load) => await send(async () => await Promise.resolve(questions), request, load),
    request: async (request, schema) => await send(tell, request, loaded(schema)),
    async *pages(request, schema) {
      const { attempted, pageSize = MAX_PAGE_SIZE } = request
      for (let page = 1; (page - 1) * pageSize < MAX_ENTRIES; page++) {
        const items = await send(tell, request, loaded(schema), { per_page: pageSize, page })
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
      const { data } = await send(tell, request, async () => (await import('./schemas.ts')).viewer)
      return data.viewer.login
    },
  }
}

const loaded =
  <T>(schema: z.ZodType<T>): LoadSchema<T> =>
  async () =>
    await Promise.resolve(schema)
const ignore = (): void => undefined
