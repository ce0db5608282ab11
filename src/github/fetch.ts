import type http from 'node:http'
import { openAgents } from '../http/agents.ts'
import { readText } from '../http/body.ts'
import { isBloated } from '../http/json.ts'
import { MAX_VALUES } from '../http/limits.ts'
import { answerTo, COMPRESSED, isClosedIdle, openRequest, whileAwaited } from '../http/send.ts'
import { UnusableAnswerError } from '../http/unusable.ts'

interface FetchOptions {
  method: string
  headers: Record<string, string>
  body: string
  signal: AbortSignal
  /** Called when the request is sent, and its answer is awaited. */
  onSent: () => void
}

/** Not a `Response`: the mere mention of one loads undici, which takes as long as all else before the first request. */
export interface FetchedResponse {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

export type Fetch = (url: string, options: FetchOptions) => Promise<FetchedResponse>

const MAX_REDIRECTS = 3
/** GitHub moves the routes of a renamed repository, and asks to repeat the request as it is. */
const REDIRECTS = new Set([301, 302, 307, 308])

/** Returns a `fetch` that keeps the limits of every answer. It follows redirects within the origin only. */
export function openFetch(): Fetch {
  // As for the control plane: a write gets its own connection.
  const reads = openAgents({ keepAlive: true })
  const writes = openAgents({ keepAlive: false })
  return async (address, options) => {
    const agents = options.method === 'GET' ? reads : writes
    let url = new URL(address)
    for (let hop = 0; ; hop++) {
      const message = await send(url, options, await agents(url))
      const { statusCode: status = 0, headers } = message
      if (!REDIRECTS.has(status)) return await read(message)
      message.destroy()
      const next = URL.parse(headers.location ?? '', url.href)
      if (next?.origin !== url.origin || hop === MAX_REDIRECTS)
        throw new UnusableAnswerError(`HTTP ${status}, a redirect that is not followed`)
      url = next
    }
  }
}

async function send(url: URL, options: FetchOptions, agent: http.Agent): Promise<http.IncomingMessage> {
  const { method, headers, body, signal, onSent } = options
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const more = method === 'GET' ? COMPRESSED : length
  const request = openRequest(url, { method, headers: { ...headers, ...more }, agent, signal })
  request.end(body)
  whileAwaited(request, onSent)
  try {
    return await answerTo(request, signal)
  } catch (thrown) {
    // A write has its own connection.
    if (!isClosedIdle(request, thrown)) throw thrown
    return await send(url, options, agent)
  }
}

async function read(message: http.IncomingMessage): Promise<FetchedResponse> {
  const { body } = await readText(message)
  if (isBloated(body, MAX_VALUES))
    throw new UnusableAnswerError('JSON that has far too many values, or is nested far too deeply')
  return { status: message.statusCode ?? 0, headers: message.headers, body }
}
