import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from './clock.ts'

/** The variables of the runner, inputs included. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Everything that a run has from outside. With the same world, a run does the same. */
export interface World {
  env: Environment
  clock: Clock
  /** Returns a number from 0 to 1. Every id that the action makes comes from it. */
  random: () => number
  network: Network
  files: Files
  /** Prints one line, given without its end. */
  print: (line: string) => void
  /** Aborts when the runner cancels the job. */
  signal: AbortSignal
}

/** The one way out: to the control plane, to GitHub, to object stores and to addresses that are verified. */
export interface Network {
  /**
   * Sends one request once, and resolves with the head of the answer. It follows no redirect.
   * @throws the error of the connection, with its `code`; what the body throws; the signal's reason; UnusableAnswerError
   * for an answer that is none; NoWayError
   */
  send(request: NetworkRequest): Promise<NetworkAnswer>
  /** Whether a proxy carries the requests to the address. */
  hasProxy(url: URL): boolean
}

export interface NetworkRequest {
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  /** Pieces of bytes: each is asked for when the one before is sent, and may use the same memory. */
  body: string | AsyncIterable<Uint8Array>
  /** Ends the request, its answer included. */
  signal: AbortSignal
}

export interface NetworkAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** As sent, with its Content-Encoding. Throws the error of the connection. */
  body: AsyncIterable<Uint8Array>
  /** Ends the connection of an answer that is not read to its end, or of a request that is not sent to its end. */
  close(): void
}

/** No request can reach the address from here: nothing was sent. The message says why, as a clause. */
export class NoWayError extends Error {
  override readonly name = 'NoWayError'
}

/** The server closed a kept connection, probably while nothing was sent on it: the request hardly arrived. */
export class ClosedIdleError extends Error {
  override readonly name = 'ClosedIdleError'
  readonly code: string

  constructor(cause: Error & { code: string }) {
    super(cause.message, { cause })
    this.code = cause.code
  }
}

/** An answer that cannot be used, as one that is too large. The message completes "it answered with". */
export class UnusableAnswerError extends Error {
  override readonly name = 'UnusableAnswerError'
}

/** The files of a run, but not those of a packed source or of *request*. Errors have the `code` of the system. */
export interface Files {
  /** Resolves links and `..`. */
  realPath: (path: string) => Promise<string>
  /**
   * Reads a regular file whole, by its path without links, as it was checked. Never waits for the writer of a pipe.
   * @param content set if every value in it is a secret
   */
  readWhole: (real: string, maxBytes: number, content?: 'secrets') => Promise<Buffer>
  /** Makes a folder whose name begins so. @param parent the system's own for such folders if undefined */
  makeFolder: (prefix: string, parent: string | undefined) => Promise<string>
  /** Writes a file that only this user may read. */
  write: (file: string, pieces: Iterable<string>) => Promise<void>
  /** Adds a line to a file that exists, before it returns: the process may be killed at any time. */
  addLine: (file: string, line: string) => void
  setOutputs: (outputs: Readonly<Record<string, string>>) => Promise<void>
  addSummary: (markdown: string) => Promise<void>
}

/** Makes an id in the form of a UUID (version 4). */
export function newId(random: () => number): string {
  const digit = (most: number): number => Math.min(most - 1, Math.floor(random() * most))
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (sign) =>
    (sign === 'x' ? digit(16) : 8 + digit(4)).toString(16),
  )
}

/** Not imported: loading node:crypto takes half the time of an empty Node process, and many runs need no hash. */
export function sha256(text: string, encoding: 'hex' | 'base64' = 'hex'): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest(encoding)
}

/** The same with a key: only who has it can find out which text has this hash. */
export function keyedSha256(key: string, text: string): string {
  return process.getBuiltinModule('node:crypto').createHmac('sha256', key).update(text).digest('hex')
}
