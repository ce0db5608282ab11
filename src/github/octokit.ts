import { getOctokit } from '@actions/github'
import { toError } from '../clock.ts'
import { COMPRESSED, readText } from '../http/body.ts'
import { fieldOf, isBloated } from '../http/json.ts'
import { MAX_VALUES } from '../http/limits.ts'
import { UnusableAnswerError, type Network, type NetworkAnswer } from '../world.ts'
import { withoutEnd } from '../secrets/text.ts'
import { RefusalError } from './errors.ts'
import { GRAPHQL } from './pace.ts'

/** Returns JSON as a value, other text as it is. Throws RefusalError for a status of failure, and network errors. */
export type Rest = (
  route: string,
  parameters: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<unknown>

export function openOctokit(options: { apiUrl: string; token: string; network: Network }): Rest {
  const { apiUrl, token, network } = options
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  const octokit = getOctokit(token, { userAgent: 'deployment-rollout', log })
  return async (route, parameters, signal) => {
    const fetch = async (url: string, sent: Sent): Promise<object> =>
      await responseOf(url, await sendWithinOrigin(new URL(url), { ...sent, signal }, network))
    try {
      const around = { baseUrl: baseOf(route, apiUrl), request: { signal, fetch } }
      const answer: { data: unknown } = await octokit.request(route, { ...parameters, ...around })
      return answer.data
    } catch (thrown) {
      throw withoutOctokit(thrown)
    }
  }
}

/** GraphQL is beside the REST API of an Enterprise Server, and below that of github.com. */
export function baseOf(route: string, apiUrl: string): string {
  const root = withoutEnd(apiUrl, '/')
  return route === GRAPHQL ? root.replace(/\/api\/v3$/, '/api') : root
}

interface Sent {
  method: string
  headers: Record<string, string>
  body?: string
}

/** What octokit uses of a `Response`: the mere mention of one loads undici, as slow as all else before a first request. */
async function responseOf(url: string, answer: NetworkAnswer): Promise<object> {
  const { body } = await readText(answer)
  if (isBloated(body, MAX_VALUES))
    throw new UnusableAnswerError('JSON that has far too many values, or is nested far too deeply')
  const text = async (): Promise<string> => await Promise.resolve(body)
  // For a type that is no text: nothing that this action uses.
  const arrayBuffer = async (): Promise<ArrayBuffer> => await Promise.resolve(new ArrayBuffer(0))
  return { status: answer.status, url, headers: new Map(Object.entries(answer.headers)), text, arrayBuffer }
}

/** Octokit reports a broken connection as 500, without a response. */
function withoutOctokit(thrown: unknown): Error {
  const error = toError(thrown)
  const status = fieldOf(error, 'status')
  const headers = fieldOf(fieldOf(error, 'response'), 'headers')
  if (typeof status === 'number' && typeof headers === 'object' && headers !== null)
    return new RefusalError(status, error.message.replace(/ - https?:\/\/\S+$/, ''), { ...headers })
  return error.cause === undefined ? error : toError(error.cause)
}

const ignore = (): void => undefined

const MAX_REDIRECTS = 3
/** GitHub moves the routes of a renamed repository, and asks to repeat the request as it is. */
const REDIRECTS = new Set([301, 302, 307, 308])

async function sendWithinOrigin(
  address: URL,
  { method, headers, body = '', signal }: Sent & { signal: AbortSignal },
  network: Network,
): Promise<NetworkAnswer> {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = { ...headers, ...(method === 'GET' ? COMPRESSED : length) }
  let url = address
  for (let hop = 0; ; hop++) {
    const answer = await network.send({ method, url, headers: all, body, signal })
    const { status } = answer
    if (!REDIRECTS.has(status)) return answer
    answer.close()
    const next = URL.parse(answer.headers.location ?? '', url.href)
    if (next?.origin !== url.origin || hop === MAX_REDIRECTS)
      throw new UnusableAnswerError(`HTTP ${status}, a redirect that is not followed`)
    url = next
  }
}
