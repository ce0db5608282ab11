import type { Clock } from '../clock.ts'
import { LongWork } from '../give-way.ts'
import { COMPRESSED } from '../http/body.ts'
import { textContent } from '../http/content.ts'
import { exchange, type Attempt } from '../http/exchange.ts'
import { withoutEnd } from '../without-end.ts'
import type { Network } from '../world.ts'
import { type ApiRequest, type ApiResponse, addressOf, fullPath, isRepeatable } from './api-request.ts'
import { authHeaders } from './credentials.ts'
import type { ExplainOptions } from './explain.ts'
import { ambiguous, busy, perhapsDeleted, tooLate, unreachable, type ControlPlaneError } from './errors.ts'
import { isRead } from './method.ts'
import type { Pace } from './pace.ts'
import { judgeFailure, parseRetryAfter, retryDelay, type AttemptFailure } from './retry.ts'

/** A retry that will follow after `delayMs` milliseconds. */
export interface RetryNotice {
  attempted: string
  cameBack: string
  delayMs: number
}

export interface TransportOptions extends ExplainOptions {
  /** It may have a path prefix. */
  baseUrl: URL
  /** For each attempt, in milliseconds. */
  requestTimeoutMs: number
  maxRetries: number
  /** Monotonic milliseconds of the clock; later no request begins, except one last attempt at that very moment. */
  deadline: number
  network: Network
  clock: Clock
  random: () => number
  signal: AbortSignal
  onRetry: (notice: RetryNotice) => void
  /** Receives a line about each exchange for debugging: method, path, result and duration; no header and no body. */
  onExchange: (line: string) => void
  /** Shared by all deadlines of the run; attempts wait for nothing if not set. */
  pace?: Pace | undefined
}

/** What messages print in place of the contract's names. */
interface Words {
  path: (path: string) => string
  /** @param place of a field in the response, as the contract names it */
  place: (request: ApiRequest, place: readonly PropertyKey[]) => readonly PropertyKey[]
}

export interface Transport {
  /** The path of base-url, which messages print: a wrong one is then visible. */
  prefix?: string
  /** The names of the service, for messages; those of the contract if not set. */
  words?: Words
  /**
   * Sends one request and returns the response, if its status is one of success.
   * @throws RefusedError for a final status; UnreachableError when retries did not help; AmbiguousWriteError when a
   * write may have been acted upon; BusyError when the server did not act and the caller looks first; BrokenContractError for a redirect
   * or an answer that cannot be used
   */
  send(request: ApiRequest): Promise<ApiResponse>
  /**
   * Returns a transport with another deadline. What decorates this one decorates that one, too.
   * @param deadline monotonic milliseconds of the clock
   */
  within(deadline: number): Transport
}

/** The time for an attempt at the very deadline, like the last read of a revision, in milliseconds. */
export const LAST_ATTEMPT_MS = 1_000

/** Creates the one transport of a run. Others follow from it by `within`. */
export function createTransport(options: TransportOptions): Transport {
  // The answers of a fleet may come in all at once.
  const work = new LongWork(options.clock)
  const within = (deadline: number): Transport => ({
    prefix: withoutEnd(options.baseUrl.pathname, '/'),
    send: async (request) => {
      const answer = await send(request, { ...options, deadline })
      await work.giveWay()
      return answer
    },
    within,
  })
  return within(options.deadline)
}

async function send(request: ApiRequest, options: TransportOptions): Promise<ApiResponse> {
  const { retries = options.maxRetries, accepts = isSuccess } = request
  if (options.clock.now() >= options.deadline + LAST_ATTEMPT_MS) throw tooLate(request.attempted)
  let mayHaveActed = false
  let last: ControlPlaneError | undefined
  for (let retry = 0; ; retry++) {
    const isInTime = request.looksFirst || (await options.pace?.turn(request, options.deadline + LAST_ATTEMPT_MS))
    if (isInTime === false) throw givenUp(last ?? tooLate(request.attempted), undefined, request, mayHaveActed)
    const attempt = await tryOnce(request, options)
    if (attempt.kind === 'answer' && attempt.unread === undefined && accepts(attempt.status)) return attempt
    const failure = failureOf(attempt, options)
    if (failure.kind === 'status') options.pace?.answered(failure.status, failure.retryAfterMs)
    const error = await explain(attempt, request, options)
    last = error
    const verdict = judgeFailure(failure, isRepeatable(request))
    if (verdict === 'final') throw mayHaveActed && request.method === 'DELETE' ? perhapsDeleted(error) : error
    const retryAfterMs = failure.kind === 'status' ? failure.retryAfterMs : undefined
    if (verdict === 'ambiguous') throw ambiguous(error, retryAfterMs)
    mayHaveActed ||= judgeFailure(failure, false) === 'ambiguous'
    if (request.looksFirst) throw mayHaveActed ? ambiguous(error, retryAfterMs) : busy(error, retryAfterMs)
    const delayMs = retryDelay(retry, retryAfterMs, options.random)
    if (retry >= retries || options.clock.now() + delayMs >= options.deadline)
      throw givenUp(error, retryAfterMs, request, mayHaveActed)
    options.onRetry({ attempted: request.attempted, cameBack: error.trouble.cameBack, delayMs })
    await options.clock.sleep(delayMs, options.signal)
  }
}

/** The error after the last attempt. */
function givenUp(
  error: ControlPlaneError,
  retryAfterMs: number | undefined,
  { method }: ApiRequest,
  mayHaveActed: boolean,
): ControlPlaneError {
  return mayHaveActed && !isRead(method) ? ambiguous(error) : unreachable(error, retryAfterMs)
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

async function tryOnce(request: ApiRequest, options: TransportOptions): Promise<Attempt> {
  options.signal.throwIfAborted()
  const startedAt = options.clock.now()
  const json = request.body && textContent('application/json', JSON.stringify(request.body))
  const untilDeadlineMs = Math.max(LAST_ATTEMPT_MS, options.deadline - startedAt)
  const attempt = await exchange(
    {
      method: request.method,
      url: addressOf(request, options),
      headers: {
        accept: 'application/json',
        ...(isRead(request.method) ? COMPRESSED : {}),
        ...request.headers,
        'user-agent': 'deployment-rollout',
        ...authHeaders(options.credentials),
      },
      content: request.content ?? json,
      receive: request.receive,
      onSent: request.onSent,
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
  options.onExchange(
    `${request.method} ${fullPath(request, options)} → ${came} (${Math.round(options.clock.now() - startedAt)} ms)`,
  )
  return attempt
}

function failureOf(attempt: Attempt, options: TransportOptions): AttemptFailure {
  if (attempt.kind === 'failure') return attempt.failure
  const { status, headers } = attempt
  const retryAfterMs = parseRetryAfter(headers['retry-after'], headers.date, options.clock.wallTime())
  return { kind: 'status', status, retryAfterMs }
}

async function explain(attempt: Attempt, request: ApiRequest, options: TransportOptions): Promise<ControlPlaneError> {
  const shown = { ...request, path: fullPath(request, options) }
  // Loaded when needed, as it brings zod along.
  const { explainFailure, explainStatus } = await import('./explain.ts')
  return attempt.kind === 'answer' ? explainStatus(shown, attempt, options) : explainFailure(shown, attempt)
}
