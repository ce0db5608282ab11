import { limitTo, toError, type Clock } from '../clock.ts'
import { NoWayError, UnusableAnswerError, type Network, type NetworkAnswer } from '../world.ts'
import { readText, type AnswerText } from './body.ts'

export interface Content {
  type: string
  bytes: number
  /** Called for each attempt. Each piece of bytes is asked for when the one before is sent, and may use the same memory. */
  open: () => string | AsyncIterable<Uint8Array>
}

export function textContent(type: string, text: string): Content {
  return { type, bytes: Buffer.byteLength(text), open: () => text }
}

/** Reads a response's body and returns the text that explains an error. It calls `onMove` for each chunk. */
export type Receive = (answer: NetworkAnswer, onMove: () => void) => Promise<AnswerText>

interface WireRequest {
  method: string
  url: URL
  headers: Record<string, string>
  content?: Content | undefined
  receive?: Receive | undefined
  /** From the connection to the last byte, in milliseconds. It limits a streamed body only while nothing moves. */
  timeoutMs: number
  /** For the whole attempt, streamed or not, in milliseconds; `timeoutMs` if not set. */
  limitMs?: number
  signal: AbortSignal
  /** The purpose, as in "create the deployment agent". */
  attempted: string
}

/** The reasons why there is no usable response. */
export type ExchangeFailure =
  /** No connection: the server certainly received nothing. */
  | 'not-connected'
  /** The address cannot be reached from here: nothing was sent, and another attempt would fail, too. */
  | 'no-way'
  /** The server's certificate was refused: another attempt would fail, too. */
  | 'untrusted'
  /** The server answered the begin of a TLS connection with something else. */
  | 'no-tls'
  /** The connection broke or timed out, or the response was cut off: the server may have acted. */
  | 'answer-lost'
  /** An answer arrived that cannot be used, as one that is too large: the server may have acted. */
  | 'unusable'

/** The end of one attempt: a complete response of any status, or the reason why there is none. */
export type Attempt =
  | ({ kind: 'answer'; status: number; headers: NetworkAnswer['headers'] } & AnswerText)
  /** `isTimeout`: a limit of the request has ended it, whatever the cause says. */
  | { kind: 'failure'; failure: ExchangeFailure; cameBack: string; cause: Error; isTimeout: boolean }

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // A proxy has refused to connect to the server.
  'ERR_PROXY_TUNNEL',
])
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO$)/
/** OpenSSL's messages about an answer that is not TLS, such as that of a server of plain http. */
const NO_TLS = /:(wrong version number|packet length too long|http request):/

/** Sends one request once. It follows no redirect, as the credentials would go along. Throws what its body throws. */
export async function exchange(
  request: WireRequest,
  { network, clock }: { network: Network; clock: Clock },
): Promise<Attempt> {
  const { method, url, receive, content, timeoutMs, limitMs = timeoutMs } = request
  using stall = limitTo(clock, timeoutMs, request.signal)
  using limit = limitTo(clock, limitMs, stall.signal)
  let unreadable: Error | undefined
  const pieces = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of source) {
        stall.extend()
        yield piece
      }
    } catch (thrown) {
      throw (unreadable = toError(thrown))
    }
  }
  const opened = content?.open() ?? ''
  const body = typeof opened === 'string' ? opened : pieces(opened)
  const contentHeaders = content && { 'content-type': content.type, 'content-length': String(content.bytes) }
  const headers = { host: url.host, ...request.headers, ...contentHeaders }
  let answer: NetworkAnswer | undefined
  try {
    answer = await network.send({ method, url, headers, body, signal: limit.signal })
    const text = await (receive?.(answer, stall.extend) ?? readText(answer))
    return { kind: 'answer', status: answer.status, headers: answer.headers, ...text }
  } catch (thrown) {
    if (unreadable !== undefined)
      throw new Error(`Could not ${request.attempted}: its body cannot be read: ${unreadable.message}`, {
        cause: unreadable,
      })
    const isTimeout = stall.isReached() || limit.isReached()
    const cause = toError(thrown)
    const why = failureBy(cause, isTimeout ? timeoutMs : undefined)
    return { kind: 'failure', ...why, cause, isTimeout }
  } finally {
    answer?.close()
  }
}

/** `afterMs`: the limit that has ended the request, in milliseconds, if one has. */
function failureBy(cause: Error, afterMs: number | undefined): { failure: ExchangeFailure; cameBack: string } {
  if (afterMs !== undefined)
    return { failure: 'answer-lost', cameBack: `no complete answer within ${(afterMs / 1000).toFixed(1)} s` }
  if (cause instanceof UnusableAnswerError)
    return { failure: 'unusable', cameBack: `it answered with ${cause.message}` }
  if (cause instanceof NoWayError) return { failure: 'no-way', cameBack: cause.message }
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  const isPlain = NO_TLS.test(cause.message)
  const reason = isPlain ? 'the server does not speak TLS on this port' : cause.message.trim()
  const cameBack = `the connection failed (${[code, reason].filter(Boolean).join(': ')})`
  if (isPlain) return { failure: 'no-tls', cameBack }
  if (UNTRUSTED.test(code)) return { failure: 'untrusted', cameBack }
  return { failure: NOT_CONNECTED.has(code) ? 'not-connected' : 'answer-lost', cameBack }
}
