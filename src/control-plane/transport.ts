import type { Clock } from '../clock.ts'
import { LongWork } from '../async.ts'
import { COMPRESSED } from '../http/body.ts'
import { exchange, textContent, type Attempt, type ExchangeFailure } from '../http/exchange.ts'
import { retryAfterOf } from '../http/retry-after.ts'
import type { Network } from '../world.ts'
import {
  addressOf,
  fullPath,
  isRepeatable,
  isSuccess,
  isRead,
  authHeaders,
  type ApiRequest,
  type ApiResponse,
} from './api-request.ts'
import {
  explainFailure,
  explainStatus,
  type ExplainOptions,
  ambiguous,
  busy,
  perhapsDeleted,
  tooLate,
  unreachable,
  type ControlPlaneError,
  type Trouble,
} from './errors.ts'

/** Sent again after `delayMs` milliseconds. */
export interface RequestRetried {
  kind: 'request-retried'
  attempted: string
  cameBack: string
  delayMs: number
}

/** The means and the limits of requests and of uploads. */
export interface Sending {
  /** For each attempt of a request, in milliseconds. An upload may take longer, but not without progress. */
  requestTimeoutMs: number
  maxRetries: number
  /** Monotonic milliseconds, for a request that has none of its own. */
  deadline: number
  network: Network
  clock: Clock
  /** A number from 0 to 1. */
  random: () => number
  signal: AbortSignal
  emit: (event: RequestRetried) => void
}

export interface TransportOptions extends ExplainOptions, Sending {
  baseUrl: URL
  /** Receives a line about each exchange for debugging: method, path, result and duration; no header and no body. */
  onExchange: (line: string) => void
}

export interface Transport {
  /**
   * Sends one request and returns the response, if its status is one of success.
   * @throws RefusedError for a final status; UnreachableError when retries did not help; AmbiguousWriteError when a
   * write may have been acted upon; BusyError when the server did not act and the caller looks first;
   * BrokenContractError for a redirect or an answer that cannot be used
   */
  send(request: ApiRequest): Promise<ApiResponse>
}

/** The time for an attempt at the very deadline, like the last read of a revision, in milliseconds. */
export const LAST_ATTEMPT_MS = 1_000

export function createTransport(options: TransportOptions): Transport {
  // The answers of a fleet may come in all at once.
  const work = new LongWork(options.clock)
  return {
    send: async (request) => {
      const { deadline = options.deadline, retries: maxRetries = options.maxRetries } = request
      if (options.clock.now() >= deadline + LAST_ATTEMPT_MS) throw tooLate(request.attempted)
      const answer = await sendUntilDone(request, { ...options, deadline, maxRetries })
      await work.giveWay()
      return answer
    },
  }
}

/** Sends a request until its answer counts. Throws as soon as another attempt is not safe, or would be in vain. */
async function sendUntilDone(request: ApiRequest, options: TransportOptions): Promise<ApiResponse> {
  const { looksFirst, method, attempted, pace, accepts = isSuccess } = request
  const { clock, deadline } = options
  let mayHaveActed = false
  let last: ControlPlaneError | undefined
  const givenUp = (error: ControlPlaneError, retryAfterMs?: number): ControlPlaneError =>
    mayHaveActed && !isRead(method) ? ambiguous(error, retryAfterMs) : unreachable(error, retryAfterMs)
  for (let retry = 0; ; retry++) {
    const hasTurn = (await pace?.turn(request, deadline + LAST_ATTEMPT_MS)) !== false
    if (!hasTurn) throw givenUp(last ?? tooLate(attempted))
    const sentAt = clock.now()
    const attempt = await tryOnce(request, options)
    if (attempt.kind === 'answer' && attempt.unread === undefined && accepts(attempt.status))
      return { ...attempt, moments: { sentAt, cameAt: clock.now() } }
    const { failure, retryAfterMs, error } = explained(attempt, request, options)
    const verdict = judgeFailure(failure, isRepeatable(request))
    if (verdict === 'final') throw mayHaveActed && method === 'DELETE' ? perhapsDeleted(error) : error
    if (verdict === 'ambiguous') throw ambiguous(error, retryAfterMs)
    mayHaveActed ||= judgeFailure(failure, false) === 'ambiguous'
    if (looksFirst) throw (mayHaveActed ? ambiguous : busy)(error, retryAfterMs)
    const follows = await pauseToRepeat({ trouble: error.trouble, retryAfterMs }, retry, options)
    if (!follows) throw givenUp(error, retryAfterMs)
    last = error
  }
}

interface Failed {
  failure: number | ExchangeFailure
  retryAfterMs: number | undefined
  error: ControlPlaneError
}

function explained(attempt: Attempt, request: ApiRequest, options: TransportOptions): Failed {
  const { clock, baseUrl } = options
  const shown = { ...request, path: fullPath(request.path, baseUrl) }
  if (attempt.kind === 'failure')
    return { failure: attempt.failure, retryAfterMs: undefined, error: explainFailure(shown, attempt) }
  const { status, headers } = attempt
  // A header that names no time to come asks for a pause nevertheless: the own one.
  const noTime = headers['retry-after'] === undefined ? undefined : 0
  const retryAfterMs = retryAfterOf(headers, clock.wallTime()) ?? noTime
  request.pace?.answered(status, retryAfterMs === 0 ? undefined : retryAfterMs)
  return { failure: status, retryAfterMs, error: explainStatus(shown, attempt, options) }
}

async function tryOnce(request: ApiRequest, options: TransportOptions): Promise<Attempt> {
  options.signal.throwIfAborted()
  const startedAt = options.clock.now()
  const json = request.body && textContent('application/json', JSON.stringify(request.body))
  const untilDeadlineMs = Math.max(LAST_ATTEMPT_MS, options.deadline - startedAt)
  const attempt = await exchange(
    {
      method: request.method,
      url: addressOf(request.path, options.baseUrl),
      headers: {
        accept: 'application/json',
        ...(isRead(request.method) ? COMPRESSED : {}),
        ...request.headers,
        'user-agent': 'deployment-rollout',
        ...authHeaders(options.credentials),
      },
      content: request.content ?? json,
      receive: request.receive,
      timeoutMs: Math.min(options.requestTimeoutMs, untilDeadlineMs),
      limitMs: untilDeadlineMs,
      signal: options.signal,
      attempted: request.attempted,
    },
    options,
  )
  // A cancelled run is no failed attempt.
  options.signal.throwIfAborted()
  const came = attempt.kind === 'answer' ? attempt.status : attempt.cameBack
  const path = fullPath(request.path, options.baseUrl)
  options.onExchange(`${request.method} ${path} → ${came} (${Math.round(options.clock.now() - startedAt)} ms)`)
  return attempt
}

export type Verdict = 'final' | 'retry' | 'ambiguous'

/** Statuses after which a later attempt may succeed (rule 11 of the contract notes). */
export const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Decides what follows a failed attempt. A repeatable request, like a read, is sent again after a temporary failure, a
 * write only when the server says that it did not act (no connection, 425 or 429). Every other temporary failure of a
 * write is ambiguous, as is each status from 500 on, even with Retry-After: a gateway may send it after a success.
 */
export function judgeFailure(failure: number | ExchangeFailure, repeatable: boolean): Verdict {
  if (typeof failure === 'number') {
    if (!repeatable && (failure === 408 || failure >= 500)) return 'ambiguous'
    return TEMPORARY.has(failure) ? 'retry' : 'final'
  }
  if (failure === 'not-connected') return 'retry'
  if (failure !== 'answer-lost' && failure !== 'unusable') return 'final'
  return repeatable ? 'retry' : 'ambiguous'
}

/** Waits before another attempt, and emits that it follows; false if it would come too often or too late. */
export async function pauseToRepeat(
  { trouble, retryAfterMs }: { trouble: Trouble; retryAfterMs?: number | undefined },
  retry: number,
  { clock, random, signal, deadline, maxRetries, emit }: Omit<Sending, 'network' | 'requestTimeoutMs'>,
): Promise<boolean> {
  const delayMs = retryDelay(retry, retryAfterMs, random)
  if (retry >= maxRetries || clock.now() + delayMs >= deadline) return false
  emit({ kind: 'request-retried', attempted: trouble.attempted, cameBack: trouble.cameBack, delayMs })
  await clock.sleep(delayMs, signal)
  return true
}

const BASE_MS = 500
const CAP_MS = 20_000

/**
 * The pause in milliseconds before retry `retry` (from 0): exponential with full jitter. Where the server asks to wait, it
 * is no shorter than that, and no shorter than half of its longest.
 */
export function retryDelay(retry: number, retryAfterMs: number | undefined, random: () => number): number {
  const longestMs = Math.min(CAP_MS, BASE_MS * 2 ** retry)
  if (retryAfterMs === undefined) return Math.round(random() * longestMs)
  return Math.max(retryAfterMs, Math.round(((1 + random()) / 2) * longestMs))
}
