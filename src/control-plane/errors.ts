/** The three facts that a person needs about a failure. */
export interface Trouble {
  /** The attempted action, as in "create the deployment agent". */
  attempted: string
  /** The result. It may hold text of the server, which is hostile until the report has escaped it. */
  cameBack: string
  hint: string
}

export class ControlPlaneError extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, options?: ErrorOptions) {
    super(`Could not ${trouble.attempted}: ${trouble.cameBack.replace(/\.$/, '')}. ${trouble.hint}`, options)
    this.name = new.target.name
    this.trouble = trouble
  }
}

/** The control plane responded with a status that is final for this request (rule 11 of the contract notes). */
export class RefusedError extends ControlPlaneError {
  readonly status: number
  /** The server's message, without the parts of the request that it echoes. For decisions: it is not redacted. */
  readonly detail: string

  constructor(status: number, detail: string, trouble: Trouble) {
    super(trouble)
    this.status = status
    this.detail = detail
  }
}

/** No usable response after all retries: connection errors, timeouts and temporary statuses. */
export class UnreachableError extends ControlPlaneError {
  readonly retryAfterMs: number | undefined
  /** The server may have closed an idle connection, on which the request was sent. */
  readonly isClosedIdle: boolean

  constructor(
    trouble: Trouble,
    options: ErrorOptions & { retryAfterMs?: number | undefined; isClosedIdle?: boolean } = {},
  ) {
    super(trouble, options)
    this.retryAfterMs = options.retryAfterMs
    this.isClosedIdle = options.isClosedIdle ?? false
  }
}

/** A write was sent and its response was lost: check whether the server acted before you send the write again. */
export class AmbiguousWriteError extends UnreachableError {}

/** The server certainly did not act on a write, as after a 429. It may be sent again later. */
export class BusyError extends UnreachableError {}

/** A response that breaks the contract: not JSON, a missing field, a redirect, too large. */
export class BrokenContractError extends ControlPlaneError {}

/** A lagging replica may respond the same. */
export function isNotFound(thrown: unknown): thrown is RefusedError {
  return thrown instanceof RefusedError && thrown.status === 404
}

/** The status does not distinguish a missing resource from a missing route. */
export function mayLackRoute(thrown: unknown): thrown is RefusedError {
  return isNotFound(thrown) || (thrown instanceof RefusedError && thrown.status === 405)
}

export async function ifReadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return undefined
    throw thrown
  }
}

export function tooLate(attempted: string): UnreachableError {
  const cameBack = 'the deadline passed before the request was sent'
  return new UnreachableError({ attempted, cameBack, hint: 'Set a longer timeout.' })
}

/** The error after the last retry; it says how long the server asks to wait. */
export function unreachable(error: ControlPlaneError, retryAfterMs: number | undefined): ControlPlaneError {
  if (error instanceof BrokenContractError) return error
  return new UnreachableError(withWait(error.trouble, retryAfterMs), { retryAfterMs, cause: error })
}

export function busy(error: ControlPlaneError, retryAfterMs: number | undefined): BusyError {
  return new BusyError(withWait(error.trouble, retryAfterMs), { retryAfterMs, cause: error })
}

function withWait(trouble: Trouble, retryAfterMs: number | undefined): Trouble {
  const wait = retryAfterMs === undefined ? '' : ` (it asks to wait ${Math.ceil(retryAfterMs / 1000)} s)`
  return { ...trouble, cameBack: trouble.cameBack + wait }
}

export const MAY_HAVE_SUCCEEDED = 'It may have succeeded. Check before you rerun the job.'

export function ambiguous(error: ControlPlaneError, retryAfterMs?: number): AmbiguousWriteError {
  const hint = `${MAY_HAVE_SUCCEEDED} ${error.trouble.hint}`
  const isClosedIdle = error instanceof UnreachableError && error.isClosedIdle
  return new AmbiguousWriteError({ ...error.trouble, hint }, { cause: error, retryAfterMs, isClosedIdle })
}

/** Adds to the error of a DELETE that an earlier attempt may have deleted the resource. */
export function perhapsDeleted(error: ControlPlaneError): ControlPlaneError {
  if (!(error instanceof RefusedError) || (error.status !== 404 && error.status !== 410)) return error
  const hint = `An earlier attempt, whose response was lost, may have deleted it. If it never existed: ${error.trouble.hint}`
  return new RefusedError(error.status, error.detail, { ...error.trouble, hint })
}
