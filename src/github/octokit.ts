import { getOctokit } from '@actions/github'
import { toError } from '../clock.ts'
import { fieldOf } from '../http/json.ts'
import { withoutEnd } from '../secrets/text.ts'
import { RefusalError } from './errors.ts'
import type { Fetch, FetchedResponse } from './fetch.ts'
import { GRAPHQL } from './pace.ts'

/**
 * Sends one request, and returns the data of its answer: JSON as a value, any other text as it is.
 * @param route as GitHub's documentation writes it
 * @param parameters fill the route; the others form the query or the body
 * @throws RefusalError for a status of failure; what the connection throws
 */
export type Rest = (
  route: string,
  parameters: Readonly<Record<string, unknown>>,
  around: { signal: AbortSignal; onSent: () => void },
) => Promise<unknown>

/** How GitHub is reached. */
export interface Access {
  /** As in GITHUB_API_URL. */
  apiUrl: string
  token: string
  fetch: Fetch
}

/** Sends the requests by octokit. */
export function openOctokit({ apiUrl, token, fetch: send }: Access): Rest {
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  const octokit = getOctokit(token, { userAgent: 'deployment-rollout', log })
  return async (route, parameters, { signal, onSent }) => {
    const fetch = async (url: string, options: Sent): Promise<object> => {
      const { method, headers, body = '' } = options
      return responseOf(url, await send(url, { method, headers, body, signal, onSent }))
    }
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

/** What octokit passes to its `fetch`. */
interface Sent {
  method: string
  headers: Record<string, string>
  body?: string
}

/** What octokit uses of a `Response`: a real one would load undici. */
function responseOf(url: string, { status, headers, body }: FetchedResponse): object {
  const text = async (): Promise<string> => await Promise.resolve(body)
  // For a type that is no text: nothing that this action uses.
  const arrayBuffer = async (): Promise<ArrayBuffer> => await Promise.resolve(new ArrayBuffer(0))
  return { status, url, headers: new Map(Object.entries(headers)), text, arrayBuffer }
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
