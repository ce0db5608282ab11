import { AmbiguousWriteError, RefusedError, UnreachableError, type ControlPlaneError } from './errors.ts'
import { maybeAtWork, type AttemptFailure } from './retry.ts'

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
  const hint = `Whether it was done all the same is not known: look before you run the job again. ${error.trouble.hint}`
  return new AmbiguousWriteError({ ...error.trouble, hint }, maybeAtWork(failure), { cause: error })
}

/** What is not found any more was perhaps deleted by an earlier try, of which nobody knows what became. */
export function perhapsDeleted(error: ControlPlaneError): ControlPlaneError {
  if (!(error instanceof RefusedError) || (error.status !== 404 && error.status !== 410)) return error
  const hint = `An earlier try, whose answer was lost, may have deleted it. If it was never there: ${error.trouble.hint}`
  return new RefusedError(error.status, error.detail, { ...error.trouble, hint })
}
