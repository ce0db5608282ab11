import type { Method } from '../control-plane/api-request.ts'
import type { RouteMatch } from './catalogue/find.ts'

export type Parameter = [name: string, value: string]

/** The request of the operation *request*: parsed and checked. */
export interface ApiCall {
  method: Method
  /** Below base-url, percent-encoded, without a query. */
  path: string
  query: Parameter[]
  headers: Record<string, string>
  body: CallBody | undefined
  /** Read a list to its end. */
  paginate: boolean
  /** Whether a status is one of success. */
  expects: (status: number) => boolean
  /** For the whole run, in milliseconds. */
  timeoutMs: number
  match: RouteMatch
  /** Secrets in the body, which the action removes from the response. */
  secrets: string[]
  /** Values of the query, of headers and of a text: the action removes them from an error, which may repeat them. */
  echoes: string[]
  /** A body of text, of which an error may quote any part. */
  bodyText: string | undefined
}

/** Whether the request failed: then its response may repeat it. An error that is expected may repeat it, too. */
export function isFailure({ expects }: Pick<ApiCall, 'expects'>, status: number): boolean {
  return status >= 400 || !expects(status)
}

export type CallBody =
  /** `text` is the JSON of `value`. */
  | { kind: 'json'; value: unknown; text: string }
  | { kind: 'text'; text: string }
  /**
   * `file`: the path without links, as it was checked. `name`: the last part of the path as it was set.
   * `multipart`: sent as multipart/form-data, as the contract says for this route; else unchanged.
   */
  | { kind: 'file'; file: string; name: string; bytes: number; multipart: boolean }
