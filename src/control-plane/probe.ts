import type { Clock } from '../clock.ts'
import { readText } from '../http/body.ts'
import { exchange, type Attempt, type Receive } from '../http/exchange.ts'
import type { Network } from '../world.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export type ProbeResult =
  /** `unfollowed`: why the redirect that it answers with is not followed. */
  | { kind: 'answer'; status: number; body: string; unfollowed?: string }
  /** The server refuses the connection, or breaks it before the end of its answer. */
  | { kind: 'refused'; trouble: string }
  /** The time was over: the server's fault only if the same runner was answered before. */
  | { kind: 'lost'; trouble: string }
  /** There is no answer for a reason that may not be the server's: its name, its certificate, the network. */
  | { kind: 'trouble'; trouble: string }

export interface ProbeOptions {
  /** For all hops together, in milliseconds. */
  timeoutMs: number
  signal: AbortSignal
  /** The only status whose body is read; undefined: the head of every answer is enough, as its body may never end. */
  bodyOf?: number | undefined
}

/** Reads an address without credentials. Follows redirects within its origin only. Throws the signal's reason. */
export async function probe(
  address: URL,
  options: ProbeOptions,
  over: { network: Network; clock: Clock },
): Promise<ProbeResult> {
  const { clock } = over
  const endsAt = clock.now() + options.timeoutMs
  let url = address
  for (let hop = 0; ; hop++) {
    const timeoutMs = Math.max(1, endsAt - clock.now())
    const attempt = await readOnce(url, { ...options, timeoutMs }, over)
    if (attempt.kind !== 'answer') return attempt
    const { status, body } = attempt
    const location = attempt.headers.location
    if (!REDIRECTS.has(status) || location === undefined) return { kind: 'answer', status, body }
    const next = URL.parse(location, url.href)
    if (next?.origin !== address.origin)
      return { kind: 'answer', status, body, unfollowed: `it redirects to another origin (HTTP ${status})` }
    if (hop === MAX_REDIRECTS) return { kind: 'answer', status, body, unfollowed: 'it redirects too many times' }
    // Those of a redirect would be sent as credentials.
    const { username, password } = address
    url = Object.assign(next, { username, password })
  }
}

export type Probe = (address: URL, options: ProbeOptions) => Promise<ProbeResult>

type Answer = Extract<Attempt, { kind: 'answer' }>

async function readOnce(
  url: URL,
  { timeoutMs, signal, bodyOf }: ProbeOptions,
  over: { network: Network; clock: Clock },
): Promise<Answer | Exclude<ProbeResult, { kind: 'answer' }>> {
  // A kept connection could lead to an instance that no other reader reaches any more.
  const headers = { accept: '*/*', 'user-agent': 'deployment-rollout', connection: 'close' }
  const receive: Receive = async (answer) => (answer.status === bodyOf ? await readText(answer) : { body: '' })
  const request = { method: 'GET', url, headers, receive, timeoutMs, signal, attempted: `verify ${url.href}` }
  const attempt = await exchange(request, over)
  signal.throwIfAborted()
  if (attempt.kind === 'failure') {
    const { cause, failure, cameBack: trouble, isTimeout } = attempt
    // Behind a proxy, it is the proxy that refuses the connection.
    if (over.network.hasProxy(url)) return { kind: 'trouble', trouble }
    // The limit destroys the connection, which then looks as if the server had reset it.
    if (!isTimeout && isRefusal(cause)) return { kind: 'refused', trouble }
    return { kind: failure === 'answer-lost' ? 'lost' : 'trouble', trouble }
  }
  const { status } = attempt
  if (status === 407) return { kind: 'trouble', trouble: 'a proxy demands credentials (HTTP 407)' }
  // Without TLS, a proxy answers in the server's place when it does not reach it.
  const mayBeOfProxy = url.protocol === 'http:' && OF_GATEWAYS.has(status) && over.network.hasProxy(url)
  return mayBeOfProxy ? { kind: 'trouble', trouble: `HTTP ${status}, which may be the proxy's own answer` } : attempt
}

const OF_GATEWAYS = new Set([502, 503, 504])
const REFUSALS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** A name may have several addresses: each of them must refuse. */
function isRefusal(cause: Error): boolean {
  if (cause instanceof AggregateError)
    return cause.errors.length > 0 && cause.errors.every((one) => Error.isError(one) && isRefusal(one))
  return 'code' in cause && typeof cause.code === 'string' && REFUSALS.has(cause.code)
}
