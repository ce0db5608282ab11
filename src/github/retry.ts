import { NoWayError, UnusableAnswerError } from '../world.ts'
import { RefusalError } from './errors.ts'
import { rateLimitIn } from './rate-limit.ts'

/** Why a request may be sent again. */
export type Retry =
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
export function retryAfter(thrown: unknown, isAborted: boolean, wallTime: number): Retry {
  const limit = rateLimitIn(thrown, wallTime)
  if (limit !== undefined)
    return limit.until === undefined ? { kind: 'never' } : { kind: 'rate-limit', until: limit.until }
  if (isAborted || thrown instanceof UnusableAnswerError || thrown instanceof NoWayError) return { kind: 'never' }
  // Anything else is a broken connection.
  return thrown instanceof RefusalError && thrown.status < 500 ? { kind: 'never' } : { kind: 'failure' }
}

export interface RetryState {
  /** Attempts so far. */
  attempts: number
  /** Whether a second request after a lost response would repeat the effect. */
  once: boolean
  /** Milliseconds that are left for the request. */
  roomMs: number
  /** Milliseconds since the epoch. */
  wallTime: number
}

const MAX_ATTEMPTS = 3
/** A longer rate limit is not waited for: a comment is not worth the delay of a job. */
const LONGEST_WAIT_MS = 60_000
const WRONG_ANSWER_PAUSE_MS = 500
const FAILURE_PAUSE_MS = 1_000

/** Whether a request waits for the end of a rate limit. Both in milliseconds. */
export function isShortLimit(pauseMs: number, roomMs: number): boolean {
  return pauseMs <= LONGEST_WAIT_MS && pauseMs < roomMs
}

/** The pause before the next attempt in milliseconds. `undefined`: there is none. */
export function pauseBefore(retry: Retry, { attempts, once, roomMs, wallTime }: RetryState): number | undefined {
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
