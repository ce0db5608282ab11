import type { Method } from '../../control-plane/method.ts'

/** What is known of one route of the API. */
export interface CatalogueRoute {
  method: Method
  /** As the contract prints it. */
  path: string
  /**
   * Where it is described: in full in the contract; in the notes on it; in the contract by a few facts only; or in the
   * contract without its path, which is then an assumption.
   */
  described: 'contract' | 'notes' | 'partly' | 'without a path'
  /** What the contract states about it, as sentences without the last full stop. */
  states: string
  /** The status of success, where it is stated. */
  success?: number
  /** Stated to be so: sent twice, it does no more than once. So it is sent again even when an answer was lost. */
  idempotent?: true
  /** It stands on another host than the rest. */
  separateHost?: true
  query?: Readonly<Record<string, QueryRule>>
  body?: BodyRule
  /** It answers with raw bytes, of which none is to be changed. */
  raw?: true
  /** The file goes as multipart/form-data, and may have so many bytes at most. */
  upload?: { maxBytes: number }
  /** How a list goes on: by the offset that a page of `resources` tells, or by the cursor that a page of `items` tells. */
  paging?: 'offset' | 'cursor'
  deprecated?: Deprecation
  /** What to do about an error that is known by its status or by its words. */
  hints?: readonly Hint[]
}

export type Hint = { hint: string } & ({ status: number } | { words: RegExp })

/** A query parameter's rule; one that is not required may be left out. */
export type QueryRule = { required?: true } & (
  | { kind: 'integer'; min: number; max?: number }
  | { kind: 'boolean' }
  | { kind: 'one of'; accepted: readonly string[] }
  | { kind: 'text' }
)

/** What is wrong with a body, as ends of a sentence that begins with "body"; never repeats what stands in it. */
export type BodyRule = (body: unknown) => string[]

export interface Deprecation {
  /** The day, as in 2026-08-10, from which on it is no longer there. */
  removedOn: string
  /** What to use in its place; nothing where nothing is stated. */
  instead: string | undefined
}
