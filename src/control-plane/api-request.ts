import type { Content, Receive } from './exchange.ts'
import type { Method } from './method.ts'

export interface ApiRequest {
  method: Method
  /** Path below the base address, percent-encoded, with its query. */
  path: string
  /** Sent as JSON. */
  body?: object
  /** Sent as it is, in place of a JSON body. */
  content?: Content
  /** Besides those that every request has. */
  headers?: Readonly<Record<string, string>>
  /** What this request is for, as in "create the deployment agent": every error about it begins so. */
  attempted: string
  /** A POST or PATCH that may safely be sent twice, like one that sets a value. Other methods always may. */
  repeatable?: boolean
  /** The statuses of success; any 2xx when left out. */
  accepts?: (status: number) => boolean
  /** What becomes of the answer's body; it is read as text, up to 10 MB, when left out. */
  receive?: Receive
  /** Tries after the first; the transport's own maximum if not set. */
  retries?: number
  /** What to do about a refusal (status 400 and above) that is known for the route; else the general hint applies. */
  hintFor?: (status: number, detail: string) => string | undefined
}

export interface ApiResponse {
  status: number
  body: string
}

/** Whether a request may be sent again when it is not known what became of it. */
export function isRepeatable({ method, repeatable }: Pick<ApiRequest, 'method' | 'repeatable'>): boolean {
  return (method !== 'POST' && method !== 'PATCH') || repeatable === true
}
