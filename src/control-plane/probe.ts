import { hasProxy, openAgents, type Agents } from '../http/agents.ts'
import { exchange, type Attempt } from './exchange.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** The end of one probe of a web address. */
export type ProbeResult =
  /** `unfollowed`: why the redirect that it answers with is not followed. */
  | { kind: 'answer'; status: number; body: string; unfollowed?: string }
  /** The server refuses the connection, or breaks it before the end of its answer. */
  | { kind: 'refused'; trouble: string }
  /** The time was over: the server's fault only if the same runner was answered before. */
  | { kind: 'lost'; trouble: string }
  /** There is no answer for a reason that may not be the server's: its name, its certificate, the network. */
  | { kind: 'trouble'; trouble: string }

/**
 * Reads an address once, without any credentials. It follows redirects within the address's origin only, as another
 * origin was not asked for.
 * @param timeoutMs for each hop, in milliseconds
 * @throws the signal's reason
 */
export async function probe(address: URL, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult> {
  const agents = openAgents({ keepAlive: false })
  let url = address
  for (let hop = 0; ; hop++) {
    const attempt = await readOnce(url, timeoutMs, signal, agents)
    if (attempt.kind !== 'answer') return attempt
    const { status, body } = attempt
    const location = attempt.headers.location
    if (!REDIRECTS.has(status) || location === undefined) return { kind: 'answer', status, body }
    const next = URL.parse(location, url.href)
    if (next?.origin !== address.origin)
      return { kind: 'answer', status, body, unfollowed: `it redirects to another origin (HTTP ${status})` }
    if (hop === MAX_REDIRECTS) return { kind: 'answer', status, body, unfollowed: 'it redirects too many times' }
    url = next
  }
}

type Answer = Extract<Attempt, { kind: 'answer' }>

async function readOnce(
  url: URL,
  timeoutMs: number,
  signal: AbortSignal,
  agents: Agents,
): Promise<Answer | Exclude<ProbeResult, { kind: 'answer' }>> {
  const headers = { accept: '*/*', 'user-agent': 'deployment-rollout' }
  const request = { method: 'GET', url, headers, timeoutMs, signal, attempted: `verify ${url.href}` }
  const attempt = await exchange(request, agents)
  signal.throwIfAborted()
  if (attempt.kind === 'failure') {
    const { cause, failure, cameBack: trouble } = attempt
    // Behind a proxy, it is the proxy that refuses the connection.
    if (hasProxy(url)) return { kind: 'trouble', trouble }
    if (isRefusal(cause)) return { kind: 'refused', trouble }
    return { kind: failure.kind === 'answer-lost' ? 'lost' : 'trouble', trouble }
  }
  const isOfProxy = attempt.status === 407
  return isOfProxy ? { kind: 'trouble', trouble: 'a proxy demands credentials (HTTP 407)' } : attempt
}

const REFUSALS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** A name may have several addresses: each of them must refuse. */
function isRefusal(cause: Error): boolean {
  if (cause instanceof AggregateError)
    return cause.errors.length > 0 && cause.errors.every((one) => Error.isError(one) && isRefusal(one))
  return 'code' in cause && typeof cause.code === 'string' && REFUSALS.has(cause.code)
}
