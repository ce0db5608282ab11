import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import type { HttpClient } from '@actions/http-client'
import { toError } from '../clock.ts'
import { BrokenContractError } from './errors.ts'
import type { AttemptFailure } from './retry.ts'

/** One request, as it goes over the wire. */
export interface WireRequest {
  method: string
  url: URL
  headers: Record<string, string>
  content: Content | undefined
  /** What becomes of the answer's body; read as text when left out. */
  receive?: Receive | undefined
  /**
   * For the whole attempt, from connecting to the last byte, in milliseconds. Where a body is streamed, it is how long
   * nothing may move: how long a large file takes is nobody's fault.
   */
  timeoutMs: number
  /** For the whole attempt, streamed or not, in milliseconds; the same as the time-out when left out. */
  limitMs?: number
  signal: AbortSignal
  /** What this is for, in an error's words. */
  attempted: string
}

/** What a request carries. */
export interface Content {
  /** Its media type. */
  type: string
  bytes: number
  /** Opened anew for each try; a stream is destroyed when the try is over. */
  open: () => string | Readable
}

/** Reads an answer's body, and gives the text by which an error can be explained; `onMove` at each piece of it. */
export type Receive = (message: http.IncomingMessage, onMove: () => void) => Promise<string>

/** What one attempt brought: an answer of any status, read in full, or the reason why there is none. */
export type Attempt =
  | { kind: 'answer'; status: number; headers: http.IncomingHttpHeaders; body: string }
  | { kind: 'failure'; failure: AttemptFailure; cameBack: string; cause: Error }

/** An answer larger than this, in bytes, is refused: a full page of deployments is far below it. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/

/**
 * Sends one request once and never follows a redirect: the credentials would travel along.
 * @throws BrokenContractError when the answer is larger than {@link MAX_BODY_BYTES}.
 */
export async function exchange(request: WireRequest, client: HttpClient): Promise<Attempt> {
  const { url, receive, content, timeoutMs, limitMs = timeoutMs } = request
  // Our own timers: a socket's time-out starts anew with each byte that drips in.
  const timeout = new AbortController()
  const abort = (): void => timeout.abort()
  const patience = setTimeout(abort, timeoutMs)
  const limit = setTimeout(abort, limitMs)
  const onMove = (): void => void patience.refresh()
  const body = content?.open() ?? ''
  if (typeof body !== 'string') body.on('data', onMove)
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
    return failedAttempt(toError(thrown), timeout.signal.aborted ? timeoutMs : undefined)
  } finally {
    clearTimeout(patience)
    clearTimeout(limit)
    if (typeof body !== 'string') body.destroy()
  }
}

function requestOptions(request: WireRequest, client: HttpClient, signal: AbortSignal): http.RequestOptions {
  const { url, content } = request
  return {
    method: request.method,
    // An IPv6 literal is bracketed in an address and bare in a socket's host.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    agent: client.getAgent(url.href),
    signal,
    headers: {
      host: url.host,
      ...request.headers,
      ...(content === undefined
        ? {}
        : { 'content-type': content.type, 'content-length': String(content.bytes) }),
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
    return { kind: 'failure', failure: { kind: 'answer-lost', timedOut: true }, cameBack, cause }
  }
  const cameBack = `the connection failed (${[code, cause.message.trim()].filter(Boolean).join(': ')})`
  if (UNTRUSTED.test(code)) return { kind: 'failure', failure: { kind: 'untrusted' }, cameBack, cause }
  if (NOT_CONNECTED.has(code)) return { kind: 'failure', failure: { kind: 'not-connected' }, cameBack, cause }
  return { kind: 'failure', failure: { kind: 'answer-lost', timedOut: false }, cameBack, cause }
}
