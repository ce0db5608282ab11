import { z } from 'zod'
import { toError, type Clock } from '../clock.ts'
import { MAX_ENTRIES } from '../http/limits.ts'
import { UnusableAnswerError } from '../http/unusable.ts'
import { GitHubError, type Permission } from './errors.ts'
import { toGitHubError } from './explain.ts'
import { openFetch } from './fetch.ts'

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

const ATTEMPT_MS = 15_000
const MAX_PAGE_SIZE = 100
/** A cache may answer about something else: such a response is requested again so often, after a pause. */
const WRONG_ANSWERS = 2
const WRONG_ANSWER_PAUSE_MS = 500
/** A longer rate limit is not waited for: a comment is not worth the delay of a job. */
const LONGEST_WAIT_S = 60

const viewer = z.object({ viewer: z.object({ login: z.string() }) })

/** Loads octokit with its plugins for rate limits and retries. */
export async function createGitHub(options: GitHubClientOptions): Promise<GitHub> {
  const { owner, repo, signal, clock } = options
  const octokit = await createOctokit(options)
  const attempt = async <T>(
    request: Pick<GitHubRequest, 'attempted' | 'permission' | 'once'>,
    send: () => Promise<unknown>,
    schema: z.ZodType<T>,
    within = signal,
  ): Promise<T> => {
    for (let left = request.once === true ? 0 : WRONG_ANSWERS; ; left--) {
      let data: unknown
      try {
        signal.throwIfAborted()
        data = await untilAborted(send(), within)
      } catch (thrown) {
        throw toGitHubError(thrown, request, clock.wallTime())
      }
      const parsed = schema.safeParse(data)
      if (parsed.success) return parsed.data
      const isAbout = parsed.error.issues.find(({ code }) => code === 'custom')?.message
      const message = `could not ${request.attempted}: GitHub's response ${isAbout ?? 'does not match its documentation'}.`
      const error = new GitHubError(message, isAbout === undefined ? undefined : 200, { cause: parsed.error })
      if (isAbout === undefined || left === 0) throw error
      await untilAborted(clock.sleep(WRONG_ANSWER_PAUSE_MS, signal), within).catch(() => {
        throw error
      })
    }
  }
  const send = async <T>(request: GitHubRequest, schema: z.ZodType<T>, page = {}): Promise<T> => {
    const { route, once = false, withinMs } = request
    const repository = route.includes('{owner}') ? { owner, repo } : {}
    const parameters = { ...repository, ...request.parameters, ...page }
    const within = withinMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    const limits = { within, ...(once ? { retries: 0 } : {}) }
    const ask = async (): Promise<unknown> => (await octokit.request(route, { ...parameters, request: limits })).data
    return await attempt(request, ask, schema, within)
  }
  return {
    repository: `${owner}/${repo}`,
    request: send,
    async *pages(request, schema) {
      const { attempted, pageSize = MAX_PAGE_SIZE } = request
      for (let page = 1; (page - 1) * pageSize < MAX_ENTRIES; page++) {
        const items = await send(request, schema, { per_page: pageSize, page })
        yield* items
        if (items.length < pageSize) return
      }
      throw new GitHubError(`could not ${attempted}: the list has more than ${MAX_ENTRIES} entries.`, undefined)
    },
    async whoAmI() {
      const request = { attempted: 'read the login of github-token', permission: 'contents: read' } as const
      const ask = async (): Promise<unknown> => await octokit.graphql('{ viewer { login } }')
      return (await attempt(request, ask, viewer)).viewer.login
    },
  }
}

async function createOctokit(options: GitHubClientOptions) {
  const { token, apiUrl, clock, deadline, onNotice, signal, attemptMs = ATTEMPT_MS } = options
  const [{ getOctokit }, { throttling }, { retry }] = await Promise.all([
    import('@actions/github'),
    import('@octokit/plugin-throttling'),
    import('@octokit/plugin-retry'),
  ])
  const mayWait = (seconds: number, _request: object, _octokit: object, retries: number): boolean => {
    const fits = retries < 2 && seconds <= LONGEST_WAIT_S && clock.now() + seconds * 1000 < deadline()
    if (fits) onNotice(`GitHub limits the rate of requests: trying again in ${Math.ceil(seconds)} s.`)
    return fits
  }
  const silent = (): void => undefined
  return getOctokit(
    token,
    {
      baseUrl: apiUrl,
      request: { fetch: openFetch() },
      userAgent: 'deployment-rollout',
      log: { debug: silent, info: silent, warn: silent, error: silent },
      throttle: { onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
      retry: { retries: 2, doNotRetry: [400, 401, 403, 404, 405, 410, 422, 429, 451] },
    },
    // The innermost plugin: the pauses of the others do not count as part of an attempt.
    ({ hook }) => {
      hook.wrap('request', async (send, request) => {
        const within = z.instanceof(AbortSignal).catch(signal).parse(request.request['within'])
        const attempt = AbortSignal.any([within, AbortSignal.timeout(attemptMs)])
        attempt.throwIfAborted()
        // octokit sends this object, not the argument of send().
        request.request.signal = attempt
        try {
          return await send(request)
        } catch (thrown) {
          // After a timeout a retry would hardly succeed; after an abort it must not happen.
          if (attempt.aborted || toError(thrown).cause instanceof UnusableAnswerError) request.request['retries'] = 0
          throw thrown
        }
      })
    },
    throttling,
    retry,
  )
}

/** The pauses of octokit's plugins do not listen to a signal. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(toError(signal.reason))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
