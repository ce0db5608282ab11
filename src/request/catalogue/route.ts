import type { Method } from '../../control-plane/api-request.ts'

/** What the contract and the notes on it state about one route of the API. */
export interface CatalogueRoute {
  method: Method
  /** As the contract prints it. */
  path: string
  /**
   * Where it is described: in full in the contract; in the notes on it; in the contract by a few facts only; in the
   * contract without its path, which is then an assumption; or by LangSmith Deployment, in its own spelling.
   */
  described: 'contract' | 'notes' | 'partly' | 'without a path' | 'langsmith'
  /** Sentences without the last full stop. */
  states: string
  /** The status of success, if stated. */
  success?: number
  /** Stated to be idempotent: the request is repeated even if a response was lost. */
  idempotent?: true
  /** Another host than the control plane's serves it. */
  separateHost?: true
  query?: Readonly<Record<string, QueryRule>>
  /** The rules of `query` that are others on LangSmith Deployment. */
  ofLangsmith?: Readonly<Record<string, QueryRule>>
  body?: BodyRule
  /** It returns raw bytes, which must not be changed. */
  raw?: true
  /** It accepts a file as multipart/form-data. */
  upload?: { maxBytes: number }
  deprecated?: Deprecation
  hints?: readonly Hint[]
}

/** What to do about an error with this status, or with these words in its detail. */
export type Hint = { hint: string } & ({ status: number } | { words: RegExp })

/** The rule of a query parameter, which is optional unless `required`. */
export type QueryRule = { required?: true } & (
  | { kind: 'integer'; min: number; max?: number }
  | { kind: 'boolean' }
  | { kind: 'one of'; accepted: readonly string[] }
  | { kind: 'text' }
)

/** Returns the problems of a body as ends of a sentence that begins with "body". They never repeat its content. */
export type BodyRule = (body: unknown) => string[]

export interface Deprecation {
  /** The day of the removal, as in 2026-08-10. */
  removedOn: string
  /** The replacement; undefined if none is stated. */
  instead: string | undefined
}

/** What a table states about a route; a text alone is its `states`. */
export type RouteFacts = Omit<CatalogueRoute, 'method' | 'path' | 'described'> & {
  described?: CatalogueRoute['described']
}
export type RouteTable = Record<`${Method} /${string}`, RouteFacts | string>
