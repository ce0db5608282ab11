import { maybeAtWork, type AttemptFailure } from './retry.ts'

/** What a person needs to know when something could not go on. */
export interface Trouble {
  /** What was being done, as in "create the deployment agent". */
  attempted: string
  /** What came back instead. May hold text of the server: hostile until the report has escaped it. */
  cameBack: string
  /** What to do next. */
  hint: string
}

/** Base of everything the control plane can throw at us. */
export class ControlPlaneError extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, options?: ErrorOptions) {
    super(`Could not ${trouble.attempted}: ${trouble.cameBack.replace(/\.$/, '')}. ${trouble.hint}`, options)
    this.name = new.target.name
    this.trouble = trouble
  }
}

/** The control plane answered with a status that is final for this request (rule 11 of the contract notes). */
export class RefusedError extends ControlPlaneError {
  readonly status: number
  /** The server's own words, without anything it echoed of what was sent. */
  readonly detail: string

  constructor(status: number, detail: string, trouble: Trouble) {
    super(trouble)
    this.status = status
    this.detail = detail
  }
}

/** No usable answer: connection errors, time-outs and temporary statuses, after the retries that were allowed. */
export class UnreachableError extends ControlPlaneError {
  /** How long the server asked to wait before the next try, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(trouble: Trouble, retryAfterMs?: number, options?: ErrorOptions) {
    super(trouble, options)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * A write was sent and its answer was lost: the server may or may not have acted.
 * Never repeat it blindly: look whether it acted first.
 */
export class AmbiguousWriteError extends UnreachableError {
  /** Nobody said that it failed, only that it took too long: the server may act on it yet. */
  readonly maybeAtWork: boolean

  constructor(trouble: Trouble, maybeAtWork: boolean, options?: ErrorOptions) {
    super(trouble, undefined, options)
    this.maybeAtWork = maybeAtWork
  }
}

/** An answer that is not what the contract promises: not JSON, a field missing, a redirect, too large. */
export class BrokenContractError extends ControlPlaneError {}

/** What was asked for is not known to the control plane; it may also be a replica that lags. */
export function isNotFound(thrown: unknown): thrown is RefusedError {
  return thrown instanceof RefusedError && thrown.status === 404
}

/** The same, or there is no such route: the two cannot be told apart by the status. */
export function mayLackRoute(thrown: unknown): thrown is RefusedError {
  return isNotFound(thrown) || (thrown instanceof RefusedError && thrown.status === 405)
}

/** What can be read, and nothing when the control plane is in the way of it: for looks that nothing depends on. */
export async function ifReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return undefined
    throw thrown
  }
}

export function tooLate(attempted: string): UnreachableError {
  const cameBack = 'the time for it was over before it could be sent'
  return new UnreachableError({ attempted, cameBack, hint: 'Set a longer timeout.' })
}

/** Says how long the server asked to wait, which may be longer than we can. */
export function unreachable(error: ControlPlaneError, retryAfterMs: number | undefined): UnreachableError {
  const wait = retryAfterMs === undefined ? '' : ` (it asks to wait ${Math.ceil(retryAfterMs / 1000)} s)`
  const trouble = { ...error.trouble, cameBack: error.trouble.cameBack + wait }
  return new UnreachableError(trouble, retryAfterMs, { cause: error })
}

export function ambiguous(error: ControlPlaneError, failure: AttemptFailure): AmbiguousWriteError {
  const hint = `It may have succeeded. Check before you rerun the job. ${error.trouble.hint}`
  return new AmbiguousWriteError({ ...error.trouble, hint }, maybeAtWork(failure), { cause: error })
}

/** What is not found any more was perhaps deleted by an earlier try, of which nobody knows what became. */
export function perhapsDeleted(error: ControlPlaneError): ControlPlaneError {
  if (!(error instanceof RefusedError) || (error.status !== 404 && error.status !== 410)) return error
  const hint = `An earlier try, whose answer was lost, may have deleted it. If it was never there: ${error.trouble.hint}`
  return new RefusedError(error.status, error.detail, { ...error.trouble, hint })
}
