import http from 'node:http'
import https from 'node:https'
import type { HttpClient } from '@actions/http-client'
import { toError } from '../clock.ts'
import type { ApiRequest } from './api-request.ts'
import { BrokenContractError } from './errors.ts'
import type { AttemptFailure } from './retry.ts'

/** One HTTP request. */
export interface WireRequest extends Pick<ApiRequest, 'attempted' | 'content' | 'receive'> {
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
  | { kind: 'answer'; status: number; headers: http.IncomingHttpHeaders; body: string }
  | { kind: 'failure'; failure: AttemptFailure; cameBack: string; cause: Error }

/** The largest response, in bytes: a full page of deployments is far smaller. */
const MAX_BODY_BYTES = 10 * 1024 * 1024

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/

/**
 * Sends one request once. It follows no redirect, as the credentials would go along.
 * @throws BrokenContractError when the response is larger than {@link MAX_BODY_BYTES}; Error when the request's body
 * cannot be read
 */
export async function exchange(request: WireRequest, client: HttpClient): Promise<Attempt> {
  const { url, receive, content, timeoutMs, limitMs = timeoutMs } = request
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
  try {
    const signal = AbortSignal.any([request.signal, timeout.signal])
    const { message } = await client.requestRaw(
      {
        parsedUrl: url,
        httpModule: url.protocol === 'https:' ? https : http,
        options: requestOptions(request, client, signal),
      },
      body,
    )
    return {
      kind: 'answer',
      status: message.statusCode ?? 0,
      headers: message.headers,
      body: await (receive?.(message, onMove) ?? readText(message, request)),
    }
  } catch (thrown) {
    if (thrown instanceof BrokenContractError) throw thrown
    if (unreadable !== undefined)
      throw new Error(`Could not ${request.attempted}: its body cannot be read: ${unreadable.message}`, {
        cause: unreadable,
      })
    return failedAttempt(toError(thrown), timeout.signal.aborted ? timeoutMs : undefined)
  } finally {
    clearTimeout(stall)
    clearTimeout(limit)
    if (typeof body !== 'string') body.destroy()
  }
}

function requestOptions(request: WireRequest, client: HttpClient, signal: AbortSignal): http.RequestOptions {
  const { url, content } = request
  return {
    method: request.method,
    // An IPv6 literal has brackets in a URL and none in a socket's host.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    agent: client.getAgent(url.href),
    signal,
    headers: {
      host: url.host,
      ...request.headers,
      ...(content === undefined ? {} : { 'content-type': content.type, 'content-length': String(content.bytes) }),
    },
  }
}

async function readText(message: http.IncomingMessage, request: WireRequest): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of message) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_BODY_BYTES) {
      message.destroy()
      throw new BrokenContractError({
        attempted: request.attempted,
        cameBack: `${request.method} ${request.url.pathname} answered with more than ${MAX_BODY_BYTES / 1024 / 1024} MB`,
        hint: 'Check that base-url points to the control plane.',
      })
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function failedAttempt(cause: Error, timedOutAfterMs: number | undefined): Attempt {
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  if (timedOutAfterMs !== undefined) {
    const cameBack = `no complete answer within ${(timedOutAfterMs / 1000).toFixed(1)} s`
    return { kind: 'failure', failure: { kind: 'answer-lost' }, cameBack, cause }
  }
  const cameBack = `the connection failed (${[code, cause.message.trim()].filter(Boolean).join(': ')})`
  if (UNTRUSTED.test(code)) return { kind: 'failure', failure: { kind: 'untrusted' }, cameBack, cause }
  if (NOT_CONNECTED.has(code)) return { kind: 'failure', failure: { kind: 'not-connected' }, cameBack, cause }
  return { kind: 'failure', failure: { kind: 'answer-lost' }, cameBack, cause }
}
