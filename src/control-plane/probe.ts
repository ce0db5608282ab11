import { openAgents, type Agents } from '../http/agents.ts'
import { exchange, type Attempt } from './exchange.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** The end of one probe of a web address; `trouble` says why there is no answer. */
export type ProbeResult = { kind: 'answer'; status: number; body: string } | { kind: 'trouble'; trouble: string }

/**
 * Reads an address once, without any credentials. It follows redirects within the address's origin only, as another
 * origin was not asked for.
 * @param timeoutMs for each hop, in milliseconds
 * @throws the signal's reason
 */
export async function probe(address: URL, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult> {
  const agents = openAgents({ keepAlive: false })
  let url = address
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const attempt = await readOnce(url, timeoutMs, signal, agents)
    if (attempt.kind === 'failure') return { kind: 'trouble', trouble: attempt.cameBack }
    const location = attempt.headers.location
    if (!REDIRECTS.has(attempt.status) || location === undefined) return attempt
    const next = URL.parse(location, url.href)
    if (next?.origin !== address.origin)
      return { kind: 'trouble', trouble: `it redirects to another origin (HTTP ${attempt.status})` }
    url = next
  }
  return { kind: 'trouble', trouble: 'it redirects too many times' }
}

async function readOnce(url: URL, timeoutMs: number, signal: AbortSignal, agents: Agents): Promise<Attempt> {
  const headers = { accept: '*/*', 'user-agent': 'deployment-rollout' }
  const request = { method: 'GET', url, headers, timeoutMs, signal, attempted: `verify ${url.href}` }
  const attempt = await exchange(request, agents)
  signal.throwIfAborted()
  return attempt
}
