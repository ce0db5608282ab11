import { z } from 'zod'
import { toError, type Clock } from '../clock.ts'
import { GitHubError, type Permission } from './errors.ts'
import { toGitHubError } from './explain.ts'

export interface GitHubClientOptions {
  token: string
  /** As in GITHUB_API_URL; GitHub Enterprise Server has one of its own. */
  apiUrl: string
  owner: string
  repo: string
  /** Reaches every request and every pause. */
  signal: AbortSignal
  clock: Clock
  /** Monotonic milliseconds after which no rate limit is waited for. */
  deadline: () => number
  /** Told of a pause, as a sentence. */
  onNotice: (text: string) => void
  /** Per attempt, in milliseconds. */
  attemptMs?: number
}

export interface GitHubRequest {
  /** As GitHub's documentation writes it: `POST /repos/{owner}/{repo}/deployments`. */
  route: string
  /** Fills in the route; what is left goes into the query, or the body. Owner and repository are filled in already. */
  parameters?: Readonly<Record<string, unknown>>
  /** As in "write the comment": every error about it begins so. */
  attempted: string
  /** What a job needs for it. */
  permission: Permission
  /** It would be done twice if it were sent again after its answer was lost. */
  once?: boolean
  /** It may take so many milliseconds, its pauses and repetitions included. */
  withinMs?: number
}

/** GitHub's REST API, as far as a rollout needs it: one request, or all pages of a list. */
export interface GitHub {
  /** @throws GitHubError for whatever goes wrong */
  request: <T>(request: GitHubRequest, schema: z.ZodType<T>) => Promise<T>
  /** Page after page, as long as somebody reads on. Each page is parsed as a list. */
  pages: <T>(request: GitHubRequest, schema: z.ZodType<T[]>) => AsyncGenerator<T, void>
  /** Who the token writes as, an app's `name[bot]` included, by GraphQL: no REST route tells that of a job's token. */
  whoAmI: () => Promise<string>
}

const ATTEMPT_MS = 15_000
const PAGE_SIZE = 100
/** A rate limit that lasts longer than this is not waited for: telling GitHub is not worth holding up a job. */
const LONGEST_WAIT_S = 60

const viewer = z.object({ viewer: z.object({ login: z.string() }) })

/** Loads octokit, with its own plugins for rate limits and retries. */
export async function createGitHub(options: GitHubClientOptions): Promise<GitHub> {
  const { owner, repo, signal, clock } = options
  const octokit = await createOctokit(options)
  const send = async (request: GitHubRequest, extra: object): Promise<unknown> => {
    try {
      signal.throwIfAborted()
      const repository = request.route.includes('{owner}') ? { owner, repo } : {}
      const parameters = { ...repository, ...request.parameters, ...extra }
      const { once = false, withinMs } = request
      const within =
        withinMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
      const sending = octokit.request(request.route, {
        ...parameters,
        request: { within, ...(once ? { retries: 0 } : {}) },
      })
      const { data } = await untilAborted<{ data: unknown }>(sending, within)
      return data
    } catch (thrown) {
      throw toGitHubError(thrown, request, clock.wallTime())
    }
  }
  const parse = <T>(request: GitHubRequest, data: unknown, schema: z.ZodType<T>): T => {
    const parsed = schema.safeParse(data)
    if (parsed.success) return parsed.data
    const message = `could not ${request.attempted}: GitHub's answer is not what its documentation says.`
    throw new GitHubError(message, undefined, { cause: parsed.error })
  }
  return {
    async request(request, schema) {
      return parse(request, await send(request, {}), schema)
    },
    async *pages(request, schema) {
      for (let page = 1; ; page++) {
        const items = parse(request, await send(request, { per_page: PAGE_SIZE, page }), schema)
        yield* items
        if (items.length < PAGE_SIZE) return
      }
    },
    async whoAmI() {
      const request = { attempted: 'ask whose github-token it is', permission: 'contents: read' as const }
      try {
        const asking = octokit.graphql('{ viewer { login } }')
        return viewer.parse(await untilAborted<unknown>(asking, signal)).viewer.login
      } catch (thrown) {
        throw toGitHubError(thrown, request, clock.wallTime())
      }
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
      userAgent: 'deployment-rollout',
      log: { debug: silent, info: silent, warn: silent, error: silent },
      throttle: { onRateLimit: mayWait, onSecondaryRateLimit: mayWait },
      retry: { retries: 2, doNotRetry: [400, 401, 403, 404, 405, 410, 422, 429, 451] },
    },
    // The innermost of the plugins: the pauses of the others are no part of an attempt.
    ({ hook }) => {
      hook.wrap('request', async (send, request) => {
        const within = z.instanceof(AbortSignal).catch(signal).parse(request.request['within'])
        const attempt = AbortSignal.any([within, AbortSignal.timeout(attemptMs)])
        attempt.throwIfAborted()
        // What is handed on is this very object, whatever is given to send.
        request.request.signal = attempt
        try {
          return await send(request)
        } catch (thrown) {
          // Who did not answer in time would hardly do so now, and who was told to stop must not try again.
          if (attempt.aborted) request.request['retries'] = 0
          throw thrown
        }
      })
    },
    throttling,
    retry,
  )
}

/** The pauses of octokit's plugins know no signal. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => {
    aborted.reject(toError(signal.reason))
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
