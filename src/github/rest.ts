import { fieldOf, parseJson } from '../http/json.ts'
import { RefusalError } from './errors.ts'
import type { Fetch } from './fetch.ts'
import { withoutEnd } from '../without-end.ts'

type Parameters = Readonly<Record<string, unknown>>

/**
 * Sends one request, and returns the JSON of the answer; a text that is no JSON as it is.
 * @param route as GitHub's documentation writes it
 * @param parameters fill the route; the others form the query or the body
 * @throws RefusalError for a status of failure; what the connection throws
 */
export type Rest = (
  route: string,
  parameters: Parameters,
  around: { signal: AbortSignal; onSent: () => void },
) => Promise<unknown>

export const GRAPHQL = 'POST /graphql'

/** GraphQL is beside the REST API of an Enterprise Server, and below that of github.com. */
export function baseOf(route: string, apiUrl: string): string {
  const root = withoutEnd(apiUrl, '/')
  return route === GRAPHQL ? root.replace(/\/api\/v3$/, '/api') : root
}

/** How GitHub is reached. */
export interface Access {
  /** As in GITHUB_API_URL. */
  apiUrl: string
  token: string
  fetch: Fetch
}

export function openRest({ apiUrl, token, fetch }: Access): Rest {
  // GitHub refuses a token of three parts as a "token".
  const scheme = token.split('.').length === 3 ? 'bearer' : 'token'
  const headers = {
    accept: 'application/vnd.github.v3+json',
    'user-agent': 'deployment-rollout',
    authorization: `${scheme} ${token}`,
  }
  return async (route, parameters, around) => {
    const { method, path, body } = requestOf(route, parameters)
    const type = body === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }
    const answer = await fetch(baseOf(route, apiUrl) + path, {
      method,
      headers: { ...headers, ...type },
      body,
      ...around,
    })
    const data = dataOf(answer.body, answer.headers['content-type'])
    if (answer.status >= 400 || answer.status === 304)
      throw new RefusalError(answer.status, reasonIn(data), answer.headers)
    return data
  }
}

function requestOf(route: string, parameters: Parameters): { method: string; path: string; body: string } {
  const [method = '', template = ''] = route.split(' ')
  const rest = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined))
  const path = template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encode(String(value))
  })
  const left = [...rest]
  if (method !== 'GET') return { method, path, body: left.length === 0 ? '' : JSON.stringify(Object.fromEntries(left)) }
  const query = left.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return { method, path: query === '' ? path : `${path}?${query}`, body: '' }
}

/** As RFC 3986 reserves them. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function dataOf(body: string, type = ''): unknown {
  const json = /^\s*application\/(?:scim\+)?json\s*(?:;|$)/i.test(type) ? parseJson(body) : undefined
  return json?.ok === true ? json.value : body
}

/** What GitHub says about a failure, with the fields that it found wrong. */
function reasonIn(data: unknown): string {
  if (typeof data === 'string') return data
  const message = fieldOf(data, 'message')
  if (typeof message !== 'string') return `Unknown error: ${JSON.stringify(data)}`
  const errors = fieldOf(data, 'errors')
  return Array.isArray(errors) ? `${message}: ${errors.map((one) => JSON.stringify(one)).join(', ')}` : message
}
