import { COMPRESSED, readText } from '../http/body.ts'
import { isBloated } from '../http/json.ts'
import { MAX_VALUES } from '../http/limits.ts'
import { UnusableAnswerError, type Network, type NetworkAnswer, type NetworkRequest } from '../world.ts'

interface FetchOptions extends Pick<NetworkRequest, 'method' | 'headers' | 'signal'> {
  body: string
  /** Called when the request is sent, and its answer is awaited. */
  onSent: () => void
}

/** Not a `Response`: the mere mention of one loads undici, which takes as long as all else before the first request. */
export interface FetchedResponse extends Pick<NetworkAnswer, 'status' | 'headers'> {
  body: string
}

export type Fetch = (url: string, options: FetchOptions) => Promise<FetchedResponse>

const MAX_REDIRECTS = 3
/** GitHub moves the routes of a renamed repository, and asks to repeat the request as it is. */
const REDIRECTS = new Set([301, 302, 307, 308])

/** Returns a `fetch` that keeps the limits of every answer. It follows redirects within the origin only. */
export function openFetch(network: Network): Fetch {
  return async (address, { headers, ...options }) => {
    const { method, body } = options
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const more = method === 'GET' ? COMPRESSED : length
    let url = new URL(address)
    for (let hop = 0; ; hop++) {
      const answer = await network.send({ ...options, url, headers: { ...headers, ...more } })
      const { status } = answer
      if (!REDIRECTS.has(status)) return await read(answer)
      answer.close()
      const next = URL.parse(answer.headers.location ?? '', url.href)
      if (next?.origin !== url.origin || hop === MAX_REDIRECTS)
        throw new UnusableAnswerError(`HTTP ${status}, a redirect that is not followed`)
      url = next
    }
  }
}

async function read(answer: NetworkAnswer): Promise<FetchedResponse> {
  const { body } = await readText(answer)
  if (isBloated(body, MAX_VALUES))
    throw new UnusableAnswerError('JSON that has far too many values, or is nested far too deeply')
  return { status: answer.status, headers: answer.headers, body }
}
