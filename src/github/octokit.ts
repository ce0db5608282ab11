import { getOctokit } from '@actions/github'
import { toError } from '../clock.ts'
import { COMPRESSED, readText } from '../http/body.ts'
import { fieldOf, isBloated } from '../http/json.ts'
import { MAX_VALUES } from '../http/limits.ts'
import { UnusableAnswerError, type Network, type NetworkAnswer } from '../world.ts'
import { withoutEnd } from '../secrets/text.ts'
import { RefusalError } from './errors.ts'
import { GRAPHQL } from './pace.ts'

export interface OctokitOptions {
  apiUrl: string
  token: string
  network: Network
}

/** Returns JSON as a value, other text as it is. Throws RefusalError for a status of failure, and network errors. */
export type Rest = (
  route: string,
  parameters: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<unknown>

export function openRest(options: OctokitOptions): Rest {
  const octokit = openOctokit(options)
  return async (route, parameters, signal) => {
    try {
      const connection = { baseUrl: baseOf(route, options.apiUrl), request: { signal } }
      const answer: { data: unknown } = await octokit.request(route, { ...parameters, ...connection })
      return answer.data
    } catch (thrown) {
      throw withoutOctokit(thrown)
    }
  }
}

/** Sends the request of one page, and again where that may help. */
export type RepeatPage = <T extends { data: unknown }>(send: (signal: AbortSignal) => Promise<T>) => Promise<T>

/**
 * Reads a list page by page, the next one only when it is needed. Yields whether there is a next one. Throws what
 * `repeat` throws.
 */
export async function* readPages(
  { route, parameters }: { route: string; parameters: Readonly<Record<string, unknown>> },
  repeat: RepeatPage,
  options: OctokitOptions,
): AsyncGenerator<{ hasNext: boolean }, void> {
  // The iterator passes no signal on, so each list has a client of its own, whose hook adds one.
  const octokit = openOctokit(options)
  let failure: unknown
  octokit.hook.wrap('request', async (send, page) => {
    try {
      return await repeat(async (signal) => {
        // The hook sends these options, whatever it is given.
        Object.assign(page.request, { signal })
        return await Promise.resolve(send(page)).catch(throwWithoutOctokit)
      })
    } catch (thrown) {
      failure = thrown
      throw thrown
    }
  })
  for await (const { headers } of octokit.paginate.iterator(route, parameters)) {
    // The iterator takes the status 409 for the end of the list.
    if (failure !== undefined) throw toError(failure)
    yield { hasNext: /;\s*rel="next"/.test(headers.link ?? '') }
  }
}

function openOctokit({ apiUrl, token, network }: OctokitOptions): ReturnType<typeof getOctokit> {
  const { origin } = new URL(apiUrl)
  const fetch = async (url: string, sent: Sent): Promise<object> =>
    await responseOf(url, await sendWithinOrigin(url, { ...sent, origin }, network))
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  // Without a base address, octokit would take that of GITHUB_API_URL at its import.
  return getOctokit(token, {
    userAgent: 'deployment-rollout',
    log,
    baseUrl: withoutEnd(apiUrl, '/'),
    request: { fetch },
  })
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
  signal: AbortSignal
}

/** Imitates the part of a `Response` that octokit uses: the real one loads undici, as slow as all else before a first request. */
async function responseOf(url: string, answer: NetworkAnswer): Promise<object> {
  const { body } = await readText(answer)
  if (isBloated(body, MAX_VALUES))
    throw new UnusableAnswerError('JSON that has far too many values, or is nested far too deeply')
  const text = async (): Promise<string> => await Promise.resolve(body)
  // Octokit calls this for a type that is no text, of which this action uses no answer.
  const arrayBuffer = async (): Promise<ArrayBuffer> => await Promise.resolve(new ArrayBuffer(0))
  return { status: answer.status, url, headers: new Map(Object.entries(answer.headers)), text, arrayBuffer }
}

function throwWithoutOctokit(thrown: unknown): never {
  throw withoutOctokit(thrown)
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

/** The token goes along: neither a redirect nor the address of a next page leads it to another origin. */
async function sendWithinOrigin(
  address: string,
  { method, headers, body = '', signal, origin }: Sent & { origin: string },
  network: Network,
): Promise<NetworkAnswer> {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = { ...headers, ...(method === 'GET' ? COMPRESSED : length) }
  let url = URL.parse(address)
  if (url?.origin !== origin) throw new UnusableAnswerError('a next page at another address, which is not requested')
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
