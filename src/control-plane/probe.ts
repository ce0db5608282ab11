import type { Clock } from '../clock.ts'
import { readText } from '../http/body.ts'
import { exchange, type Attempt, type Content, type Receive } from '../http/exchange.ts'
import type { Network } from '../world.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export type ProbeResult =
  | { kind: 'answer'; status: number; body: string; unfollowed?: Unfollowed }
  /** An answer with the status `bodyOf`, whose body cannot be looked into. */
  | { kind: 'unread'; trouble: string }
  /** The server refuses the connection, or breaks it before the end of its answer. */
  | { kind: 'refused'; trouble: string }
  /** The time was over: the server's fault only if the same runner was answered before. */
  | { kind: 'lost'; trouble: string }
  /** There is no answer for a reason that may not be the server's: its name, its certificate, the network. */
  | { kind: 'trouble'; trouble: string }

/** Why a redirect is not followed. `to`: its target without what may be secret; undefined if that is no plain address. */
export interface Unfollowed {
  because: 'another-origin' | 'too-many'
  to: string | undefined
}

/** The request of a probe. Headers and a body may be secrets: they go to the origin of the address only. */
export interface ProbeRequest {
  method: string
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>
  body?: { type: string; text: string }
}

export interface ProbeOptions {
  /** A plain GET if not set. */
  request?: ProbeRequest | undefined
  /** For all hops together, in milliseconds. */
  timeoutMs: number
  signal: AbortSignal
  /** The only status whose body is read; undefined: the head of every answer is enough, as its body may never end. */
  bodyOf?: number | undefined
}

/** Reads an address. Follows redirects within its origin only. Throws the signal's reason. */
export async function probe(
  address: URL,
  options: ProbeOptions,
  over: { network: Network; clock: Clock },
): Promise<ProbeResult> {
  const { clock } = over
  const endsAt = clock.now() + options.timeoutMs
  let url = address
  let sent = options.request ?? { method: 'GET', headers: {} }
  for (let hop = 0; ; hop++) {
    const timeoutMs = Math.max(1, endsAt - clock.now())
    const attempt = await readOnce(url, sent, { ...options, timeoutMs }, over)
    if (attempt.kind !== 'answer') return attempt
    const { status, body } = attempt
    const location = attempt.headers.location
    if (!REDIRECTS.has(status) || location === undefined) return { kind: 'answer', status, body }
    const next = URL.parse(location, url.href)
    // The origin of a blob: address is that of the address inside.
    if (next?.origin !== address.origin || next.protocol !== address.protocol)
      return { kind: 'answer', status, body, unfollowed: { because: 'another-origin', to: shownTarget(next) } }
    if (hop === MAX_REDIRECTS)
      return { kind: 'answer', status, body, unfollowed: { because: 'too-many', to: shownTarget(next) } }
    // The login of a redirect would be sent as credentials.
    const { username, password } = address
    url = Object.assign(next, { username, password })
    sent = afterRedirect(sent, status)
  }
}

/** Its query and its login may be secrets. */
function shownTarget(next: URL | null): string | undefined {
  const isOfWeb = next?.protocol === 'https:' || next?.protocol === 'http:'
  return isOfWeb ? next.origin + next.pathname : undefined
}

/** Changes a request as a browser does: after most redirects, a POST becomes a GET without its body. */
function afterRedirect(sent: ProbeRequest, status: number): ProbeRequest {
  const becomesGet = sent.method === 'POST' ? status <= 303 : status === 303 && sent.method !== 'HEAD'
  if (!becomesGet) return sent
  const kept = Object.entries(sent.headers).filter(([name]) => !name.startsWith('content-'))
  return { method: 'GET', headers: Object.fromEntries(kept) }
}

export type Probe = (address: URL, options: ProbeOptions) => Promise<ProbeResult>

async function readOnce(
  url: URL,
  sent: ProbeRequest,
  { timeoutMs, signal, bodyOf }: ProbeOptions,
  over: { network: Network; clock: Clock },
): Promise<Extract<Attempt, { kind: 'answer' }> | Exclude<ProbeResult, { kind: 'answer' }>> {
  // A kept connection could lead to an instance that no other reader reaches any more.
  const headers = { accept: '*/*', 'user-agent': 'deployment-rollout', ...sent.headers, connection: 'close' }
  const seen: { status?: number } = {}
  const receive: Receive = async (answer) => {
    seen.status = answer.status
    return answer.status === bodyOf ? await readText(answer) : { body: '' }
  }
  const { method, body } = sent
  const content = body && contentOf(body)
  const request = { method, url, headers, content, receive, timeoutMs, signal, attempted: `verify ${url.href}` }
  const attempt = await exchange(request, over)
  signal.throwIfAborted()
  if (attempt.kind === 'failure') {
    const isLookedInto = seen.status !== undefined && seen.status === bodyOf
    return resultOfFailure(attempt, { isLookedInto, hasProxy: over.network.hasProxy(url) })
  }
  const { status, unread } = attempt
  if (unread !== undefined) return { kind: 'unread', trouble: `it answered with ${unread}` }
  if (status === 407) return { kind: 'trouble', trouble: 'a proxy demands credentials (HTTP 407)' }
  // Without TLS, a proxy answers in the server's place when it does not reach it.
  const mayBeOfProxy = url.protocol === 'http:' && OF_GATEWAYS.has(status) && over.network.hasProxy(url)
  return mayBeOfProxy ? { kind: 'trouble', trouble: `HTTP ${status}, which may be the proxy's own answer` } : attempt
}

/** `isLookedInto`: the body of the answer was read, as its status is the one that is waited for. */
function resultOfFailure(
  { cause, failure, cameBack: trouble, isTimeout }: Extract<Attempt, { kind: 'failure' }>,
  { isLookedInto, hasProxy }: { isLookedInto: boolean; hasProxy: boolean },
): Exclude<ProbeResult, { kind: 'answer' }> {
  if (isLookedInto && failure === 'unusable') return { kind: 'unread', trouble }
  // Behind a proxy, it is the proxy that refuses the connection.
  if (hasProxy) return { kind: 'trouble', trouble }
  // The limit destroys the connection, which then looks as if the server had reset it.
  if (!isTimeout && isRefusal(cause)) return { kind: 'refused', trouble }
  return { kind: failure === 'answer-lost' ? 'lost' : 'trouble', trouble }
}

/** Makes a body a stream, of which a trace keeps only the size: a short word of it may be a secret. */
function contentOf({ type, text }: NonNullable<ProbeRequest['body']>): Content {
  const open = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(text))
  }
  return { type, bytes: Buffer.byteLength(text), open }
}

const OF_GATEWAYS = new Set([502, 503, 504])
const REFUSALS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** A name may have several addresses: each of them must refuse. */
function isRefusal(cause: Error): boolean {
  if (cause instanceof AggregateError)
    return cause.errors.length > 0 && cause.errors.every((one) => Error.isError(one) && isRefusal(one))
  return 'code' in cause && typeof cause.code === 'string' && REFUSALS.has(cause.code)
}
