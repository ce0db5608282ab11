import { limitTo, type Clock, type Limit } from '../clock.ts'
import { untilDone, type Ended } from '../http/exchange.ts'
import { NoWayError, UnusableAnswerError } from '../world.ts'
import {
  GitHubError,
  limitError,
  rateLimitIn,
  RefusalError,
  toGitHubError,
  type Permission,
  type RateLimit,
} from './errors.ts'

export interface RepeatOptions {
  signal: AbortSignal
  clock: Clock
  /** Monotonic milliseconds. A rate limit that ends later is not waited for. */
  deadline: () => number
  /** Called before a pause, with a sentence. */
  onNotice: (text: string) => void
  /** Per attempt, in milliseconds. */
  attemptMs?: number
}

export interface Attempted {
  /** A verb and its object, as in "write the comment", for error messages. */
  attempted: string
  permission: Permission
  /** Whether a second request after a lost response would repeat the effect. */
  once?: boolean
  /** Limit in milliseconds, pauses and retries included. */
  withinMs?: number
}

/**
 * Sends a request, and again where that may help.
 * @param send once; throws a GitHubError of status 200 for a response about something else
 * @throws GitHubError
 */
export type Repeat = <T>(request: Attempted, send: (signal: AbortSignal) => Promise<T>) => Promise<T>

const ATTEMPT_MS = 15_000

interface Failed {
  error: GitHubError
  retry: Retry
}

/** All requests of the returned function respect the rate limit that one of them meets. */
export function openRepeat({ signal, clock, deadline, onNotice, attemptMs = ATTEMPT_MS }: RepeatOptions): Repeat {
  const limits = new RateLimits(clock)
  return async (request, send) => {
    const { once = false, withinMs = Number.POSITIVE_INFINITY } = request
    const endsAt = clock.now() + withinMs
    using whole = withinMs < Number.POSITIVE_INFINITY ? limitTo(clock, withinMs, signal) : undefined
    const within = whole?.signal ?? signal
    const roomMs = (): number => Math.min(deadline(), endsAt) - clock.now()
    /** @param otherwise the error to throw in place of that of the abort */
    const sleep = async (ms: number, otherwise?: GitHubError): Promise<void> =>
      await clock.sleep(ms, within).catch((thrown: unknown) => {
        throw otherwise ?? toGitHubError(thrown, request, clock.wallTime())
      })
    return await untilDone({
      async turn() {
        const left = limits.left()
        if (left === undefined) return
        if (!isShortLimit(left.ms, roomMs())) throw limitError(request, left.limit)
        await sleep(left.ms)
      },
      attempt: async () => await attempt(request, send, limitTo(clock, attemptMs, within), clock),
      judge({ error, retry }: Failed, retries) {
        if (retry.kind === 'rate-limit') limits.note(retry)
        const again = { attempts: retries + 1, once, roomMs: roomMs(), wallTime: clock.wallTime() }
        const pauseMs = pauseBefore(retry, again)
        return pauseMs === undefined ? { kind: 'over', error } : { kind: 'again', pauseMs }
      },
      async pause(ms, { error, retry }) {
        if (retry.kind === 'rate-limit')
          onNotice(`GitHub limits the rate of requests: trying again in ${Math.ceil(ms / 1000)} s.`)
        await sleep(ms, retry.kind === 'wrong-answer' ? error : undefined)
      },
    })
  }
}

async function attempt<T>(
  request: Attempted,
  send: (signal: AbortSignal) => Promise<T>,
  limit: Limit,
  clock: Clock,
): Promise<Ended<T, Failed>> {
  using ended = limit
  const { signal } = ended
  try {
    signal.throwIfAborted()
    return { kind: 'done', value: await send(signal) }
  } catch (thrown) {
    const error = toGitHubError(thrown, request, clock.wallTime())
    return { kind: 'failed', failure: { error, retry: retryAfter(thrown, signal.aborted, clock.wallTime()) } }
  }
}

type Retry =
  | { kind: 'never' }
  /** GitHub did not answer, or with a failure of its own. */
  | { kind: 'failure' }
  /** A cache may answer about something else. */
  | { kind: 'wrong-answer' }
  /** GitHub refused it until then, in milliseconds since the epoch: it had no effect. */
  | { kind: 'rate-limit'; until: number }

/**
 * Whether what an attempt threw is worth another one.
 * @param isAborted after a timeout a retry would hardly succeed; after an abort it must not happen
 * @param wallTime milliseconds since the epoch
 */
function retryAfter(thrown: unknown, isAborted: boolean, wallTime: number): Retry {
  const limit = rateLimitIn(thrown, wallTime)
  if (limit !== undefined)
    return limit.until === undefined ? { kind: 'never' } : { kind: 'rate-limit', until: limit.until }
  if (thrown instanceof GitHubError) return { kind: thrown.status === 200 ? 'wrong-answer' : 'never' }
  if (isAborted || thrown instanceof UnusableAnswerError || thrown instanceof NoWayError) return { kind: 'never' }
  // Anything else is a broken connection.
  return thrown instanceof RefusalError && thrown.status < 500 ? { kind: 'never' } : { kind: 'failure' }
}

const MAX_ATTEMPTS = 3
/** A longer rate limit is not waited for: a comment is not worth the delay of a job. */
const LONGEST_WAIT_MS = 60_000
const WRONG_ANSWER_PAUSE_MS = 500
const FAILURE_PAUSE_MS = 1_000

/** Whether a request waits for the end of a rate limit. Both in milliseconds. */
function isShortLimit(pauseMs: number, roomMs: number): boolean {
  return pauseMs <= LONGEST_WAIT_MS && pauseMs < roomMs
}

/** The pause before the next attempt, after so many; `undefined`: there is none. Times are in milliseconds. */
function pauseBefore(
  retry: Retry,
  { attempts, once, roomMs, wallTime }: { attempts: number; once: boolean; roomMs: number; wallTime: number },
): number | undefined {
  if (attempts >= MAX_ATTEMPTS) return undefined
  switch (retry.kind) {
    case 'never':
      return undefined
    case 'rate-limit': {
      const pauseMs = Math.max(0, retry.until - wallTime)
      return isShortLimit(pauseMs, roomMs) ? pauseMs : undefined
    }
    case 'failure':
      return once ? undefined : FAILURE_PAUSE_MS * attempts ** 2
    case 'wrong-answer':
      return once ? undefined : WRONG_ANSWER_PAUSE_MS
  }
}

/** The rate limit of a connection: a request before its end would prolong it. */
export class RateLimits {
  readonly #clock: Pick<Clock, 'now' | 'wallTime'>
  /** In monotonic milliseconds. */
  #longest: { endsAt: number; limit: RateLimit } | undefined

  constructor(clock: Pick<Clock, 'now' | 'wallTime'>) {
    this.#clock = clock
  }

  /** @param limit until when GitHub refuses requests, in milliseconds since the epoch */
  note(limit: { until: number }): void {
    const endsAt = this.#clock.now() + limit.until - this.#clock.wallTime()
    if (endsAt > (this.#longest?.endsAt ?? 0)) this.#longest = { endsAt, limit }
  }

  /** What is left of the longest limit, in milliseconds; undefined if it is over. */
  left(): { ms: number; limit: RateLimit } | undefined {
    if (this.#longest === undefined) return undefined
    const { endsAt, limit } = this.#longest
    const ms = endsAt - this.#clock.now()
    return ms <= 0 ? undefined : { ms, limit }
  }
}

export const GRAPHQL = 'POST /graphql'

/** @param route as GitHub's documentation writes it; GraphQL only reads here */
export function isWrite(route: string): boolean {
  return !route.startsWith('GET ') && route !== GRAPHQL
}

/** So many writes of a run need no pause: a rollout sends about ten. */
const FREE_WRITES = 20
/** GitHub asks those who write much for a pause of a second, and takes 80 writes a minute: 20 and then 60. */
const PAUSE_MS = 1_000

/** Spaces the writes of a run that writes much, such as a cleanup of many previews. */
export class WritePace {
  #next = Number.NEGATIVE_INFINITY

  /** Counts a write at a monotonic time, and returns the pause before it. Both in milliseconds. */
  pauseBefore(now: number): number {
    this.#next = Math.max(this.#next + PAUSE_MS, now - (FREE_WRITES - 1) * PAUSE_MS)
    return Math.max(0, this.#next - now)
  }
}
