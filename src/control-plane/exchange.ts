import type http from 'node:http'
import { toError } from '../clock.ts'
import type { Agents } from '../http/agents.ts'
import { readText, type AnswerText } from '../http/body.ts'
import { answerTo, isClosedIdle, openRequest, whileAwaited } from '../http/send.ts'
import { UnusableAnswerError } from '../http/unusable.ts'
import type { ApiRequest } from './api-request.ts'
import type { AttemptFailure } from './retry.ts'

/** One HTTP request. */
export interface WireRequest extends Pick<ApiRequest, 'attempted' | 'content' | 'receive' | 'onSent'> {
  method: string
  url: URL
  headers: Record<string, string>
  /**
   * For the whole attempt, from the connection to the last byte, in milliseconds. For a streamed body, which may be
   * large, it limits only the time without any progress.
   */
  timeoutMs: number
  /** For the whole attempt, streamed or not, in milliseconds; `timeoutMs` if not set. */
  limitMs?: number
  signal: AbortSignal
}

/** The end of one attempt: a complete response of any status, or the reason why there is none. */
export type Attempt =
  | ({ kind: 'answer'; status: number; headers: http.IncomingHttpHeaders } & AnswerText)
  /**
   * `isClosedIdle`: the server may have closed an idle connection, on which the request was sent. `isTimeout`: a limit of
   * the request has ended it, whatever the cause says.
   */
  | {
      kind: 'failure'
      failure: AttemptFailure
      cameBack: string
      cause: Error
      isClosedIdle: boolean
      isTimeout: boolean
    }

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/
/** What OpenSSL says about an answer that is not TLS, such as that of a server of plain http. */
const NO_TLS = /:(wrong version number|packet length too long|http request):/

/**
 * Sends one request once. It follows no redirect, as the credentials would go along.
 * @throws Error when the request's body cannot be read
 */
export async function exchange(request: WireRequest, agents: Agents): Promise<Attempt> {
  const { receive, content, onSent, timeoutMs, limitMs = timeoutMs } = request
  const agent = await agents(request.url)
  // A socket's own timeout restarts with each byte, so it does not limit the attempt.
  const timeout = new AbortController()
  const abort = (): void => timeout.abort()
  const stall = setTimeout(abort, timeoutMs)
  const limit = setTimeout(abort, limitMs)
  const onMove = (): void => void stall.refresh()
  const body = content?.open() ?? ''
  let unreadable: Error | undefined
  const onError = (error: Error): void => {
    unreadable = error
    abort()
  }
  if (typeof body !== 'string') body.on('data', onMove).on('error', onError)
  const signal = AbortSignal.any([request.signal, timeout.signal])
  const open = openRequest(request.url, requestOptions(request, agent, signal))
  if (onSent !== undefined) whileAwaited(open, onSent)
  if (typeof body === 'string') open.end(body)
  else body.pipe(open)
  let message: http.IncomingMessage | undefined
  try {
    message = await answerTo(open, signal)
    const text = await (receive?.(message, onMove) ?? readText(message))
    return { kind: 'answer', status: message.statusCode ?? 0, headers: message.headers, ...text }
  } catch (thrown) {
    if (unreadable !== undefined)
      throw new Error(`Could not ${request.attempted}: its body cannot be read: ${unreadable.message}`, {
        cause: unreadable,
      })
    const isTimeout = timeout.signal.aborted
    const attempt = failedAttempt(toError(thrown), isTimeout ? timeoutMs : undefined)
    return { ...attempt, isClosedIdle: message === undefined && isClosedIdle(open, thrown), isTimeout }
  } finally {
    clearTimeout(stall)
    clearTimeout(limit)
    if (typeof body !== 'string') body.destroy()
    // An early answer ends the upload of a body.
    if (!open.writableFinished) open.destroy()
  }
}

function requestOptions(request: WireRequest, agent: http.Agent, signal: AbortSignal): http.RequestOptions {
  const { url, content } = request
  return {
    method: request.method,
    agent,
    signal,
    headers: {
      host: url.host,
      ...request.headers,
      ...(content === undefined ? {} : { 'content-type': content.type, 'content-length': String(content.bytes) }),
    },
  }
}

type Failed = Omit<Extract<Attempt, { kind: 'failure' }>, 'isClosedIdle' | 'isTimeout'>

function failedAttempt(cause: Error, timedOutAfterMs: number | undefined): Failed {
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  if (timedOutAfterMs !== undefined) {
    const cameBack = `no complete answer within ${(timedOutAfterMs / 1000).toFixed(1)} s`
    return { kind: 'failure', failure: { kind: 'answer-lost' }, cameBack, cause }
  }
  if (cause instanceof UnusableAnswerError)
    return { kind: 'failure', failure: { kind: 'unusable' }, cameBack: `it answered with ${cause.message}`, cause }
  const isPlain = NO_TLS.test(cause.message)
  const what = isPlain ? 'the server does not speak TLS on this port' : cause.message.trim()
  const cameBack = `the connection failed (${[code, what].filter(Boolean).join(': ')})`
  if (isPlain) return { kind: 'failure', failure: { kind: 'no-tls' }, cameBack, cause }
  if (UNTRUSTED.test(code)) return { kind: 'failure', failure: { kind: 'untrusted' }, cameBack, cause }
  if (NOT_CONNECTED.has(code)) return { kind: 'failure', failure: { kind: 'not-connected' }, cameBack, cause }
  return { kind: 'failure', failure: { kind: 'answer-lost' }, cameBack, cause }
}
