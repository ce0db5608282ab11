import { limitTo, wholeSeconds, type Clock } from '../clock.ts'
import { pauseBefore, repeat, type Backoff, type Tried } from '../http/retry.ts'
import { NoWayError, UnusableAnswerError } from '../world.ts'
import { GitHubError, type RateLimit, rateLimitIn, RefusalError, toGitHubError, type Attempted } from './errors.ts'
import { GitHubPace, isShortLimit } from './pace.ts'

export interface RepeatOptions {
  signal: AbortSignal
  clock: Clock
  /** Monotonic milliseconds. A rate limit that ends later is not waited for. */
  deadline: () => number
  /** Called before a pause, with a sentence. */
  onNotice: (text: string) => void
}

/** Limit of each attempt once it has its turn, in milliseconds. */
const ATTEMPT_MS = 15_000
const MAX_RETRIES = 2
/** Pauses of 1 s and 4 s. */
const BACKOFF: Backoff = { firstMs: 1_000, factor: 4, longestMs: 4_000 }
/** A cache that answers about something else may answer rightly at once. */
const WRONG_ANSWER_BACKOFF: Backoff = { firstMs: 500, factor: 1, longestMs: 500 }

/**
 * Returns a function that sends a request, and again where that may help. It throws a GitHubError, as `send` does with
 * status 200 for a response about something else. All its requests respect the rate limit that one of them meets.
 */
export function openRepeat({ signal, clock, deadline, onNotice }: RepeatOptions) {
  const pace = new GitHubPace(clock)
  return async <T>(request: Attempted & { route: string }, send: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const { isSentOnce = false, withinMs = Number.POSITIVE_INFINITY } = request
    const endsAt = clock.now() + withinMs
    using whole = withinMs < Number.POSITIVE_INFINITY ? limitTo(clock, withinMs, signal) : undefined
    const within = whole?.signal ?? signal
    const roomMs = (): number => Math.min(deadline(), endsAt) - clock.now()
    const toFailure = (thrown: unknown): GitHubError => toGitHubError(thrown, request, clock.wallTime())
    /** @param errorIfAborted thrown in place of the error of the abort */
    const sleep = async (ms: number, errorIfAborted?: GitHubError): Promise<void> =>
      await clock.sleep(ms, within).catch((aborted: unknown) => Promise.reject(errorIfAborted ?? toFailure(aborted)))

    const attempt = async (retry: number): Promise<Tried<T, GitHubError>> => {
      using limited = limitTo(clock, ATTEMPT_MS, within)
      try {
        limited.signal.throwIfAborted()
        return { kind: 'done', result: await send(limited.signal) }
      } catch (thrown) {
        const failure = toFailure(thrown)
        const limit = rateLimitIn(thrown, clock.wallTime())
        if (limit !== undefined) return holdBack(pace, limit, { failure, retry })
        // After a timeout a retry would hardly succeed; after an abort it must not happen.
        if (isSentOnce || limited.signal.aborted || !mayPass(thrown)) return { kind: 'final', error: failure }
        return { kind: 'retry', failure, pauseMs: pauseBefore(retry, undefined, backoffOf(failure)) }
      }
    }

    return await repeat(attempt, {
      maxRetries: MAX_RETRIES,
      turn: async () => await pace.turn(request, { roomMs: roomMs(), sleep }),
      isInTime: (pauseMs, { status }) => status !== 429 || isShortLimit(pauseMs, roomMs()),
      pause: async (pauseMs, failure) => {
        if (failure.status === 429) onNotice(limitNotice(pauseMs))
        await sleep(pauseMs, failure.status === 200 ? failure : undefined)
      },
      giveUp: (failure) => failure,
    })
  }
}

function backoffOf({ status }: GitHubError): Backoff {
  return status === 200 ? WRONG_ANSWER_BACKOFF : BACKOFF
}

function limitNotice(pauseMs: number): string {
  return `GitHub limits the rate of requests: trying again in ${wholeSeconds(pauseMs)} s.`
}

/** A rate limit delays the other requests, too. */
function holdBack(
  pace: GitHubPace,
  limit: RateLimit,
  { failure, retry }: { failure: GitHubError; retry: number },
): Tried<never, GitHubError> {
  const pauseMs = pauseBefore(retry, limit.askedMs, BACKOFF)
  pace.hold(limit, pauseMs)
  // Without a time, GitHub may refuse for an hour.
  return limit.askedMs === undefined ? { kind: 'final', error: failure } : { kind: 'retry', failure, pauseMs }
}

/** Whether another attempt may succeed after a failure that is no rate limit. */
function mayPass(thrown: unknown): boolean {
  if (thrown instanceof UnusableAnswerError || thrown instanceof NoWayError) return false
  // A cache may answer about something else.
  if (thrown instanceof GitHubError) return thrown.status === 200
  // Anything else is a broken connection.
  return !(thrown instanceof RefusalError && thrown.status < 500)
}
