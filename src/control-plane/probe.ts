import { HttpClient } from '@actions/http-client'
import { BrokenContractError } from './errors.ts'
import { exchange } from './exchange.ts'

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
  const client = new HttpClient(undefined, [], { keepAlive: false })
  let url = address
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const attempt = await readOnce(url, timeoutMs, signal, client)
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

async function readOnce(url: URL, timeoutMs: number, signal: AbortSignal, client: HttpClient) {
  const headers = { accept: '*/*', 'user-agent': 'deployment-rollout' }
  const attempted = `verify ${url.href}`
  try {
    const request = { method: 'GET', url, headers, timeoutMs, signal, attempted }
    const attempt = await exchange(request, client)
    signal.throwIfAborted()
    return attempt
  } catch (thrown) {
    if (!(thrown instanceof BrokenContractError)) throw thrown
    return { kind: 'failure' as const, cameBack: thrown.trouble.cameBack }
  }
}
