import type { Found } from './catalogue/find.ts'
import type { Method } from '../control-plane/method.ts'

/** One request to any route, as a workflow step asks for it: parsed and checked. */
export interface ApiCall {
  method: Method
  /** Below the base address, percent-encoded, without a query. */
  path: string
  query: [name: string, value: string][]
  headers: Record<string, string>
  body: CallBody | undefined
  /** Read a list to its end. */
  paginate: boolean
  expects: StatusSet
  /** For the whole run, in milliseconds. */
  timeoutMs: number
  /** What the catalogue knows of it. */
  found: Found
  /** Texts of the request that are secret, and must not come back in an answer. */
  secrets: string[]
}

export type CallBody =
  /** `text` is its JSON. */
  | { kind: 'json'; value: unknown; text: string }
  | { kind: 'text'; text: string }
  /** As multipart/form-data where the contract says so, else as it is. */
  | { kind: 'file'; file: string; bytes: number; multipart: boolean }

/** The statuses of success, and how they were given. */
export interface StatusSet {
  given: string
  has: (status: number) => boolean
}
