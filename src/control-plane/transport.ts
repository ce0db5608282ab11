import type { Clock } from '../clock.ts'
import { LongWork } from '../async.ts'
import { COMPRESSED } from '../http/body.ts'
import { exchange, textContent, type Attempt, type ExchangeFailure } from '../http/exchange.ts'
import { pauseBefore, pauseToRetry, repeat, type Pauses, type Tried } from '../http/retry.ts'
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
  UnreachableError,
  type ControlPlaneError,
  type Trouble,
} from './errors.ts'
import { ServerPauses } from './server-pauses.ts'

/** Sent, most often again, after `delayMs` milliseconds. */
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
  const serverPauses = new ServerPauses()
  return {
    send: async (request) => {
      const { deadline = options.deadline, retries: maxRetries = options.maxRetries } = request
      if (options.clock.now() >= deadline + LAST_ATTEMPT_MS) throw tooLate(request.attempted)
      const answer = await sendUntilDone(request, { ...options, deadline, maxRetries, serverPauses })
      await work.giveWay()
      return answer
    },
  }
}

interface RequestOptions extends TransportOptions {
  /** Those of all requests of the transport. */
  serverPauses: ServerPauses
}

/** Sends a request until its answer counts. Throws as soon as another attempt is not safe, or would be in vain. */
async function sendUntilDone(request: ApiRequest, options: RequestOptions): Promise<ApiResponse> {
  const { callerLooksFirst, method, attempted, pace, accepts = isSuccess } = request
  const { clock, deadline, random, serverPauses } = options
  let mayHaveActed = false
  const givenUp: GiveUp = (error, retryAfterMs) =>
    mayHaveActed && !isRead(method) ? ambiguous(error, retryAfterMs) : unreachable(error, retryAfterMs)
  const attempt = async (retry: number): Promise<Tried<ApiResponse, Temporary>> => {
    const sentAt = clock.now()
    const answer = await tryOnce(request, options)
    if (answer.kind === 'answer' && answer.unread === undefined && accepts(answer.status))
      return { kind: 'done', result: { ...answer, moments: { sentAt, cameAt: clock.now() } } }
    const { failure, retryAfterMs, error } = explained(answer, request, options)
    const final = (thrown: ControlPlaneError): Tried<never, Temporary> => ({ kind: 'final', error: thrown })
    const verdict = judgeFailure(failure, isRepeatable(request))
    if (verdict === 'final') return final(mayHaveActed && method === 'DELETE' ? perhapsDeleted(error) : error)
    if (retryAfterMs !== undefined)
      // Another reader keeps the shortest pause of a retry.
      serverPauses.note(request, { until: clock.now() + retryPause(0, retryAfterMs, 0), error })
    if (verdict === 'ambiguous') return final(ambiguous(error, retryAfterMs))
    mayHaveActed ||= judgeFailure(failure, false) === 'ambiguous'
    if (callerLooksFirst) return final((mayHaveActed ? ambiguous : busy)(error, retryAfterMs))
    const pauseMs = retryPause(retry, retryAfterMs, random())
    return { kind: 'retry', failure: { error, trouble: error.trouble, retryAfterMs }, pauseMs }
  }
  const turn = async (last: Temporary | undefined): Promise<void> => {
    // A caller that looks first keeps the pause itself: a pause between its look and the write would make the look old.
    if (!callerLooksFirst) await keepServerPauses(request, options, givenUp)
    const hasTurn = (await pace?.turn(request, deadline + LAST_ATTEMPT_MS)) !== false
    if (!hasTurn) throw givenUp(last?.error ?? tooLate(attempted))
  }
  const giveUp = ({ error, retryAfterMs }: Temporary): ControlPlaneError => givenUp(error, retryAfterMs)
  return await repeat(attempt, { ...pausesOf(options), turn, giveUp })
}

type GiveUp = (error: ControlPlaneError, retryAfterMs?: number) => ControlPlaneError

/** Waits until no answer to the same request asks to wait. Throws at once if that would be too late. */
async function keepServerPauses(request: ApiRequest, options: RequestOptions, givenUp: GiveUp): Promise<void> {
  const { clock, serverPauses } = options
  const { isInTime, pause } = pausesOf(options)
  for (;;) {
    const remaining = serverPauses.remaining(request, clock.now())
    if (remaining === undefined) return
    const { pauseMs, error: cause } = remaining
    const error = new UnreachableError({ ...cause.trouble, attempted: request.attempted }, { cause })
    if (request.isDispensable === true || !isInTime(pauseMs, error)) throw givenUp(error, pauseMs)
    await pause(pauseMs, error)
  }
}

interface Failed {
  failure: number | ExchangeFailure
  retryAfterMs: number | undefined
  error: ControlPlaneError
}

/** A failure after which another attempt may succeed. */
interface Temporary {
  error: ControlPlaneError
  trouble: Trouble
  retryAfterMs: number | undefined
}

function explained(attempt: Attempt, request: ApiRequest, options: TransportOptions): Failed {
  const { clock, baseUrl } = options
  const shownRequest = { ...request, path: fullPath(request.path, baseUrl) }
  if (attempt.kind === 'failure')
    return { failure: attempt.failure, retryAfterMs: undefined, error: explainFailure(shownRequest, attempt) }
  const { status, headers } = attempt
  // A header that names no time to come asks for a pause nevertheless: the own one.
  const noTime = headers['retry-after'] === undefined ? undefined : 0
  const retryAfterMs = retryAfterOf(headers, clock.wallTime()) ?? noTime
  request.pace?.answered(status, retryAfterMs === 0 ? undefined : retryAfterMs)
  return { failure: status, retryAfterMs, error: explainStatus(shownRequest, attempt, options) }
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
  failure: { trouble: Trouble; retryAfterMs?: number | undefined },
  retry: number,
  options: Pausing,
): Promise<boolean> {
  const pauseMs = retryPause(retry, failure.retryAfterMs, options.random())
  return await pauseToRetry({ retry, pauseMs, failure }, pausesOf(options))
}

type Pausing = Omit<Sending, 'network' | 'requestTimeoutMs'>

/** Retries of the control plane, and of its object store, are shown, and begin before the deadline. */
function pausesOf({ clock, signal, deadline, maxRetries, emit }: Pausing): Pauses<{ trouble: Trouble }> {
  return {
    maxRetries,
    isInTime: (pauseMs) => clock.now() + pauseMs < deadline,
    pause: async (delayMs, { trouble: { attempted, cameBack } }) => {
      emit({ kind: 'request-retried', attempted, cameBack, delayMs })
      await clock.sleep(delayMs, signal)
    },
  }
}

/**
 * The pause in milliseconds before anything is sent to the control plane again. `retry`: from 0; `random`: from 0 to 1.
 */
export function retryPause(retry: number, retryAfterMs: number | undefined, random: number): number {
  return pauseBefore(retry, retryAfterMs, { firstMs: 500, factor: 2, longestMs: 20_000, random: () => random })
}
