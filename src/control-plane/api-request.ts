import type { Content, Receive } from '../http/exchange.ts'
import type { Moments } from './server-clock.ts'
import { withoutEnd } from '../secrets/text.ts'

export interface ApiRequest {
  method: Method
  /** Path below the base address, percent-encoded, with its query. */
  path: string
  body?: object
  /** Bytes that are sent unchanged, in place of a JSON body. */
  content?: Content | undefined
  headers?: Readonly<Record<string, string>>
  /** The purpose, as in "create the deployment agent": every error about the request begins with it. */
  attempted: string
  /** A POST or PATCH may safely be sent twice, like one that sets a value. Other methods always may. */
  repeatable?: boolean
  /** The caller has waited for the turn, reads the state right before each attempt, and repeats the request itself. */
  callerLooksFirst?: true
  /** Gives turns to its attempts; they are sent at once if not set. */
  pace?: Pace | undefined
  /** The statuses of success; any 2xx if not set. */
  accepts?: (status: number) => boolean
  /** Reads the response's body; if not set, it is read as text. */
  receive?: Receive | undefined
  /** Decides which of the waiting requests gets its turn first. */
  urgency?: Urgency | undefined
  /** Monotonic milliseconds of the clock; later no attempt begins, except a last one at that very moment. */
  deadline?: number | undefined
  /** Attempts after the first; the transport's own maximum if not set. */
  retries?: number
  /** It is not sent while the server asks to wait. */
  isDispensable?: true
  /** The hint for a refusal (status 400 and above) that the route is known for; the general hint if undefined. */
  hintFor?: (status: number, detail: string) => string | undefined
}

/**
 * The turn of a read. `basis`: a write that has had its turn follows it. `look`: it shows many deployments. `end`: it most
 * likely shows the end of a revision. `has-turn`: the caller has waited for its turn.
 */
export type Urgency = 'basis' | 'look' | 'end' | 'has-turn'

/** Decides when requests are sent. */
export interface Pace {
  /** Whether a write has had its turn and has not been sent: what is read meanwhile is its basis. */
  readonly holdsWrite: boolean
  /**
   * Resolves when the attempt may be sent, with false if that is later than `latest` (monotonic milliseconds). A held
   * write is sent at once.
   */
  turn(request: Pick<ApiRequest, 'method' | 'urgency'>, latest: number): Promise<boolean>
  /** Learns of an answer, and for how many milliseconds the server asks to wait. */
  answered(status: number, retryAfterMs: number | undefined): void
}

/** The path with the names of its query: their values may be secrets. */
export function shownPath(path: string): string {
  const [before = '', ...query] = path.split('?')
  const names = [...new URLSearchParams(query.join('?')).keys()].map((name) => `${encodeURIComponent(name)}=…`)
  return names.length === 0 ? before : `${before}?${names.join('&')}`
}

export interface ApiResponse {
  status: number
  body: string
  headers?: { date?: string | undefined }
  moments?: Moments
}

/** Whether a request may be sent again although the first attempt may have succeeded. */
export function isRepeatable({ method, repeatable }: { method: Method; repeatable?: boolean }): boolean {
  return (method !== 'POST' && method !== 'PATCH') || repeatable === true
}

export function addressOf(path: string, baseUrl: URL): URL {
  return new URL(withoutEnd(baseUrl.href, '/') + path)
}

/** The path for a message, with the prefix of base-url: a wrong prefix is then visible. */
export function fullPath(path: string, baseUrl: URL): string {
  const { pathname, search } = addressOf(path, baseUrl)
  return shownPath(pathname + search)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The credentials of a step. One scheme is enough; every scheme that is set is sent. */
export interface Credentials {
  apiKey: string | undefined
  bearerToken: string | undefined
  tenantId: string | undefined
  tenantHeader: string
}

/** The contract's three authentication schemes, as far as they are in use. `words`: their inputs and headers. */
function schemesOf({ apiKey, bearerToken, tenantId, tenantHeader }: Credentials) {
  const bearer = bearerToken === undefined ? undefined : `Bearer ${bearerToken}`
  return [
    { words: 'api-key (X-Api-Key)', header: 'x-api-key', value: apiKey },
    { words: 'bearer-token (Authorization: Bearer)', header: 'authorization', value: bearer },
    { words: `tenant-id (${tenantHeader})`, header: tenantHeader.toLowerCase(), value: tenantId },
  ].flatMap(({ value, ...scheme }) => (value === undefined ? [] : [{ ...scheme, value }]))
}

export function authHeaders(credentials: Credentials): Record<string, string> {
  return Object.fromEntries(schemesOf(credentials).map(({ header, value }) => [header, value]))
}

export function describeSchemes(credentials: Credentials): string {
  return schemesOf(credentials)
    .map(({ words }) => words)
    .join(', ')
}
