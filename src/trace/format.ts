/**
 * A trace: what a run had from outside, as lines of JSON. The first line is a `TraceHead`, the second `Surroundings`,
 * the last a `TraceEnd`; those between are exchanges in the order in which they were sent. All times are milliseconds
 * since the run began, all texts are without secrets: each has a name or `***` in its place.
 */
export type TraceLine = TraceHead | Surroundings | Exchange | TraceEnd

export const TRACE_VERSION = 1

export interface TraceHead {
  kind: 'trace'
  version: typeof TRACE_VERSION
  /** When the run began, in milliseconds since the epoch. */
  wallTime: number
}

export interface Surroundings {
  kind: 'surroundings'
  /** The variables that the run has read, without those of proxies and the runner's own tokens. */
  env: Record<string, string>
  paths: readonly ResolvedPath[]
  files: readonly ReadFile[]
  random: readonly number[]
  proxied: readonly string[]
}

export type Unreadable = { path: string; failure: Failure }
export type ResolvedPath = { path: string; real: string } | Unreadable
/** `content`: set if every value in the file is a secret. */
export type ReadFile = { path: string; text: string; content?: 'secrets' } | Unreadable

export interface Exchange {
  kind: 'exchange'
  at: number
  method: string
  url: string
  /** The body, or only its size if it was a stream or too large. */
  sent: string | { bytes: number }
  /** The end of the exchange; undefined if it was under way when the run ended. */
  end?: Answered | Failed | undefined
}

/** `at`: when the head arrived. */
export interface Answered {
  kind: 'answer'
  at: number
  status: number
  headers: Record<string, string>
  body: Body
}

/** `gave-up`: the run ended the request itself. */
export interface Failed {
  kind: 'failed'
  at: number
  failure: Failure | 'gave-up'
}

export interface Body {
  /** When it ended; undefined if the run has not read it to its end. */
  at?: number | undefined
  bytes: number
  /** The body without its Content-Encoding. */
  content: { kind: 'text'; text: string } | { kind: 'unusable'; message: string } | { kind: 'omitted'; why: string }
  failure?: Failure | 'gave-up' | undefined
}

export interface Failure {
  name: string
  message: string
  code?: string | undefined
  errors?: readonly Failure[] | undefined
}

export interface TraceEnd {
  kind: 'end'
  at: number
  exitCode: number
  outputs: Record<string, string>
  /** When the runner cancelled the job, and how many requests were sent before. */
  cancelled?: { at: number; requests: number } | undefined
  /** Whether the trace became too large: it lacks what followed its last exchange. */
  isCut: boolean
}
