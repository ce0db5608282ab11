import { limitTo, type Clock } from '../clock.ts'
import { NoWayError, UnusableAnswerError } from '../world.ts'
import {
  GitHubError,
  limitError,
  rateLimitIn,
  RefusalError,
  toGitHubError,
  type Attempted,
  type RateLimit,
} from './errors.ts'

export interface RepeatOptions {
  signal: AbortSignal
  clock: Clock
  /** Monotonic milliseconds. A rate limit that ends later is not waited for. */
  deadline: () => number
  /** Called before a pause, with a sentence. */
  onNotice: (text: string) => void
}

/**
 * Returns a function that sends a request, and again where that may help. It throws a GitHubError, as `send` does with
 * status 200 for a response about something else. All its requests respect the rate limit that one of them meets.
 */
export function openRepeat({ signal, clock, deadline, onNotice }: RepeatOptions) {
  const limits = new RateLimits(clock)
  return async <T>(request: Attempted, send: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const { once = false, withinMs = Number.POSITIVE_INFINITY } = request
    const endsAt = clock.now() + withinMs
    using whole = withinMs < Number.POSITIVE_INFINITY ? limitTo(clock, withinMs, signal) : undefined
    const within = whole?.signal ?? signal
    const roomMs = (): number => Math.min(deadline(), endsAt) - clock.now()
    const failed = (thrown: unknown): GitHubError => toGitHubError(thrown, request, clock.wallTime())
    /** @param otherwise the error to throw in place of that of the abort */
    const sleep = async (ms: number, otherwise?: GitHubError): Promise<void> =>
      await clock.sleep(ms, within).catch((aborted: unknown) => Promise.reject(otherwise ?? failed(aborted)))
    for (let attempts = 1; ; attempts++) {
      const left = limits.left()
      if (left !== undefined) {
        if (!isShortLimit(left.ms, roomMs())) throw limitError(request, left.limit)
        await sleep(left.ms)
      }
      let ofAttempt = within
      try {
        using attempt = limitTo(clock, ATTEMPT_MS, within)
        ofAttempt = attempt.signal
        ofAttempt.throwIfAborted()
        return await send(ofAttempt)
      } catch (thrown) {
        // After a timeout a retry would hardly succeed; after an abort it must not happen.
        const isLast = once || ofAttempt.aborted
        const error = failed(thrown)
        const limit = rateLimitIn(thrown, clock.wallTime())
        const pauseMs =
          limit === undefined
            ? pauseAfter(thrown, attempts, isLast)
            : limits.note(limit, { roomMs: roomMs(), ownMs: ownPause(attempts) })
        if (pauseMs === undefined || attempts >= MAX_ATTEMPTS) throw error
        if (error.status === 429)
          onNotice(`GitHub limits the rate of requests: trying again in ${Math.ceil(pauseMs / 1000)} s.`)
        await sleep(pauseMs, error.status === 200 ? error : undefined)
      }
    }
  }
}

/** For each attempt. */
const ATTEMPT_MS = 15_000
const MAX_ATTEMPTS = 3
/** A longer rate limit is not waited for: a comment is not worth the delay of a job. */
const LONGEST_WAIT_MS = 60_000
const WRONG_ANSWER_PAUSE_MS = 500
const FAILURE_PAUSE_MS = 1_000

function isShortLimit(pauseMs: number, roomMs: number): boolean {
  return pauseMs <= LONGEST_WAIT_MS && pauseMs < roomMs
}

/** The pause before the next attempt in milliseconds, if that may help: not of a rate limit. */
function pauseAfter(thrown: unknown, attempts: number, isLast: boolean): number | undefined {
  if (isLast || thrown instanceof UnusableAnswerError || thrown instanceof NoWayError) return undefined
  // A cache may answer about something else.
  if (thrown instanceof GitHubError) return thrown.status === 200 ? WRONG_ANSWER_PAUSE_MS : undefined
  // Anything else is a broken connection.
  const isRefused = thrown instanceof RefusalError && thrown.status < 500
  return isRefused ? undefined : ownPause(attempts)
}

function ownPause(attempts: number): number {
  return FAILURE_PAUSE_MS * attempts ** 2
}

/** The rate limit of a connection: a request before its end would prolong it. */
export class RateLimits {
  readonly #clock: Clock
  /** In monotonic milliseconds. */
  #longest: { endsAt: number; limit: RateLimit } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Returns the pause before another attempt, in milliseconds; undefined if there is none. A limit lasts for `ownMs` at
   * least, whatever GitHub names: the next update of a comment is not sent at once, either.
   */
  note({ until }: RateLimit, { roomMs, ownMs }: { roomMs: number; ownMs: number }): number | undefined {
    const ms = Math.max(typeof until === 'number' ? until - this.#clock.wallTime() : 0, ownMs)
    const endsAt = this.#clock.now() + ms
    if (endsAt > (this.#longest?.endsAt ?? 0)) this.#longest = { endsAt, limit: { until } }
    return until !== undefined && isShortLimit(ms, roomMs) ? ms : undefined
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
