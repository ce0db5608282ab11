import { HttpClient } from '@actions/http-client'
import type { Clock } from '../clock.ts'
import { authHeaders, type Credentials } from './credentials.ts'
import { AmbiguousWriteError, UnreachableError, type ControlPlaneError } from './errors.ts'
import { exchange, type Attempt } from './exchange.ts'
import { judgeFailure, parseRetryAfter, retryDelay, type AttemptFailure } from './retry.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface ApiRequest {
  method: Method
  /** Path below the base address, percent-encoded, with its query. */
  path: string
  /** Sent as JSON. */
  body?: object
  /** What this request is for, as in "create the deployment agent": every error about it begins so. */
  attempted: string
  /** A write that may safely be sent twice, like one that sets a value or deletes. Reads always may. */
  repeatable?: boolean
  /** Tries after the first; the transport's own maximum when left out. */
  retries?: number
}

export interface ApiResponse {
  status: number
  body: string
}

export interface RetryNotice {
  attempted: string
  cameBack: string
  delayMs: number
}

export interface TransportOptions {
  /** May carry a path prefix. */
  baseUrl: URL
  credentials: Credentials
  /** Per attempt, in milliseconds. */
  requestTimeoutMs: number
  maxRetries: number
  /** Monotonic milliseconds of the clock after which nothing is tried again. */
  deadline: number
  clock: Clock
  random: () => number
  signal: AbortSignal
  onRetry: (notice: RetryNotice) => void
  /** Told of every exchange, for debugging: method, path, what came and how long it took; never a header or a body. */
  onExchange: (line: string) => void
}

/**
 * Sends one request and hands back a 2xx answer.
 * @throws RefusedError for a final status, UnreachableError when retries did not help, AmbiguousWriteError when a
 * write may have been acted upon, BrokenContractError for a redirect or a body that is too large.
 */
export type Transport = (request: ApiRequest) => Promise<ApiResponse>

/** An attempt made at the very deadline, like the last look at a revision, still gets so long, in milliseconds. */
const LAST_ATTEMPT_MS = 1_000

export function createTransport(options: TransportOptions): Transport {
  // A write gets a connection of its own: on a reused one that the server is closing nobody could tell whether it arrived.
  const reads = new HttpClient(undefined, [], { keepAlive: true })
  const writes = new HttpClient(undefined, [], { keepAlive: false })
  return async (request) => await send(request, options, request.method === 'GET' ? reads : writes)
}

async function send(
  request: ApiRequest,
  options: TransportOptions,
  client: HttpClient,
): Promise<ApiResponse> {
  const retries = request.retries ?? options.maxRetries
  const repeatable = request.method === 'GET' || request.repeatable === true
  for (let retry = 0; ; retry++) {
    const attempt = await tryOnce(request, options, client)
    if (attempt.kind === 'answer' && attempt.status >= 200 && attempt.status < 300) return attempt
    const failure = failureOf(attempt, options)
    const error = await explain(attempt, request, options)
    const verdict = judgeFailure(failure, repeatable)
    if (verdict === 'final') throw error
    if (verdict === 'ambiguous') throw ambiguous(error)
    const retryAfterMs = failure.kind === 'status' ? failure.retryAfterMs : undefined
    const delayMs = retryDelay(retry, retryAfterMs, options.random)
    if (retry >= retries || options.clock.now() + delayMs >= options.deadline) {
      throw unreachable(error, retryAfterMs)
    }
    options.onRetry({ attempted: request.attempted, cameBack: error.trouble.cameBack, delayMs })
    await options.clock.sleep(delayMs, options.signal)
  }
}

/** Says how long the server asked to wait, which may be longer than we can. */
function unreachable(error: ControlPlaneError, retryAfterMs: number | undefined): UnreachableError {
  const wait = retryAfterMs === undefined ? '' : ` (it asks to wait ${Math.ceil(retryAfterMs / 1000)} s)`
  const trouble = { ...error.trouble, cameBack: error.trouble.cameBack + wait }
  return new UnreachableError(trouble, retryAfterMs, { cause: error })
}

function ambiguous(error: ControlPlaneError): AmbiguousWriteError {
  const hint = `Whether it was done all the same is not known: look before you run the job again. ${error.trouble.hint}`
  return new AmbiguousWriteError({ ...error.trouble, hint }, undefined, { cause: error })
}

async function tryOnce(request: ApiRequest, options: TransportOptions, client: HttpClient): Promise<Attempt> {
  options.signal.throwIfAborted()
  const startedAt = options.clock.now()
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)
  const attempt = await exchange(
    {
      method: request.method,
      url: new URL(options.baseUrl.href.replace(/\/+$/, '') + request.path),
      headers: {
        accept: 'application/json',
        'user-agent': 'deployment-rollout',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...authHeaders(options.credentials),
      },
      body,
      timeoutMs: Math.min(options.requestTimeoutMs, Math.max(LAST_ATTEMPT_MS, options.deadline - startedAt)),
      signal: options.signal,
      attempted: request.attempted,
    },
    client,
  )
  // A cancelled run is not a failed attempt.
  options.signal.throwIfAborted()
  const came = attempt.kind === 'answer' ? attempt.status : attempt.cameBack
  options.onExchange(
    `${request.method} ${request.path} → ${came} (${Math.round(options.clock.now() - startedAt)} ms)`,
  )
  return attempt
}

function failureOf(attempt: Attempt, options: TransportOptions): AttemptFailure {
  if (attempt.kind === 'failure') return attempt.failure
  const { status, headers } = attempt
  const retryAfterMs = parseRetryAfter(headers['retry-after'], headers.date, options.clock.wallTime())
  return { kind: 'status', status, retryAfterMs }
}

async function explain(
  attempt: Attempt,
  request: ApiRequest,
  options: TransportOptions,
): Promise<ControlPlaneError> {
  const line = `${request.method} ${request.path}`
  if (attempt.kind === 'answer') {
    const { explainStatus } = await import('./explain.ts')
    return explainStatus({ ...attempt, line, attempted: request.attempted, credentials: options.credentials })
  }
  const hint =
    attempt.failure.kind === 'untrusted'
      ? 'Point NODE_EXTRA_CA_CERTS at your CA certificate, and check that base-url names the right scheme and host.'
      : 'Check base-url, the network and the proxy settings, then run the job again.'
  const trouble = { attempted: request.attempted, cameBack: `${line}: ${attempt.cameBack}`, hint }
  return new UnreachableError(trouble, undefined, { cause: attempt.cause })
}
