import {
  AmbiguousWriteError,
  BrokenContractError,
  ControlPlaneError,
  ifReadable,
  mayLackRoute,
  RefusedError,
  tooLate,
  UnreachableError,
  wasClosedIdle,
} from '../control-plane/errors.ts'
import { LAST_ATTEMPT_MS, pauseToRepeat } from '../control-plane/transport.ts'
import type { Reader, Run } from '../rollout/dependencies.ts'
import { LOST_WRITE_PAUSES_MS } from '../rollout/timing.ts'
import type { TeardownEvent } from './event.ts'
import { readIfThere, readUntil } from '../rollout/read/read-again.ts'
import type { ChoiceReason } from './request.ts'

/** The check right before a DELETE. `mayBeGone`: an earlier attempt may have deleted the deployment. */
export type LastCheck = (mayBeGone: boolean, deps: Run<TeardownEvent>) => Promise<Checked>
export type Checked = { kind: 'remove' } | Gone | Kept
type Gone = { kind: 'gone' }
type Kept = { kind: 'keep'; because: ChoiceReason }

/**
 * Deletes a deployment, and waits until the control plane no longer returns it.
 * @throws as requestDeletion; UnreachableError when the control plane still returns the deployment at the deadline
 */
export async function removeDeployment(id: string, check: LastCheck, deps: Run<TeardownEvent>): Promise<Kept | Gone> {
  const requested = await requestDeletion(id, check, deps)
  if (requested.kind !== 'accepted') return requested
  const isGone = await readUntil(async () => (await readIfThere(id, deps)) === undefined, pausesUntilGone(), deps)
  if (isGone) return { kind: 'gone' }
  throw stillThere(id)
}

/**
 * Sends the DELETE (contract notes, `DELETE /v2/deployments/{id}`). A deployment that does not exist counts as deleted.
 * @returns `accepted`: the control plane may still return it
 * @throws RefusedError, also if there is no route to delete; UnreachableError after a DELETE without a usable response
 */
export async function requestDeletion(
  id: string,
  check: LastCheck,
  run: Run<TeardownEvent>,
): Promise<Kept | Gone | { kind: 'accepted' }> {
  const deps = run.turns.forDeployment(run)
  /** The error of an attempt that may have deleted the deployment. */
  let lost: ControlPlaneError | undefined
  let retries = 0
  for (;;) {
    // The turn comes before the check, so that no wait separates the check from the DELETE.
    using turn = await deps.turns.write(deps.deadline + LAST_ATTEMPT_MS)
    if (turn === undefined) throw lost ?? tooLate(`delete the deployment ${id}`)
    const checked = await check(lost !== undefined, deps)
    // After a lost attempt, the deployment may still disappear: it is not certain to be kept.
    if (checked.kind === 'keep' && lost !== undefined) throw lost
    if (checked.kind !== 'remove') return checked
    const error = await sendDelete(id, lost, deps)
    if (error === undefined) return { kind: 'accepted' }
    const isClosedIdle = isSentAgainAtOnce(error, lost)
    if (mayHaveActed(error)) lost = error
    if (isClosedIdle || (await pauseIfUnreachable(error, retries++, deps))) continue
    return await goneDespite(error, id, lost, deps)
  }
}

/** Sends one DELETE. Returns its error; undefined if it is accepted, or if a lost attempt has deleted the deployment. */
async function sendDelete(
  id: string,
  lost: ControlPlaneError | undefined,
  { controlPlane }: Reader,
): Promise<ControlPlaneError | undefined> {
  try {
    await controlPlane.deleteDeployment(id)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof ControlPlaneError)) throw thrown
    if (lost !== undefined && isNotThere(thrown)) return undefined
    return thrown
  }
}

/** A DELETE on a connection that was closed idle is sent again at once, as a read is: that is no retry. */
function isSentAgainAtOnce(error: ControlPlaneError, lost: ControlPlaneError | undefined): boolean {
  return lost === undefined && wasClosedIdle(error)
}

/** Waits after a failure that may pass. Returns whether to send the DELETE again. */
async function pauseIfUnreachable(error: ControlPlaneError, retry: number, deps: Run<TeardownEvent>): Promise<boolean> {
  return error instanceof UnreachableError && (await pauseToRepeat(error, retry, deps))
}

/** After the last error, the deployment may be deleted nevertheless. @throws the error if it still exists */
async function goneDespite(
  error: ControlPlaneError,
  id: string,
  lost: ControlPlaneError | undefined,
  deps: Reader,
): Promise<Gone> {
  if (await disappears(id, lost === undefined ? [0] : LOST_WRITE_PAUSES_MS, deps)) return { kind: 'gone' }
  throw mayLackRoute(error) ? noRoute(error, id) : error
}

/** The control plane deletes for as long as the run lasts, or longer. */
export function* pausesUntilGone(): Generator<number, never> {
  yield 0
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 5_000)) yield pauseMs
}

/** The error of a deletion that has not ended at the deadline. */
export function stillThere(id: string): UnreachableError {
  return new UnreachableError({
    attempted: `delete the deployment ${id}`,
    cameBack: 'the control plane accepted it, but still returned the deployment when the time was over',
    hint: 'The deletion continues there, and may take half an hour. Check the deployment later, or set a longer timeout.',
  })
}

/** Whether the deployment disappears within these pauses: a replica may lag, and the server may act late. */
async function disappears(id: string, pauses: readonly number[], deps: Reader): Promise<boolean> {
  const isGone = async (): Promise<boolean> => (await readIfThere(id, deps)) === undefined
  // The error of the DELETE says more than that of a failed read.
  return await readUntil(async () => (await ifReadable(isGone)) === true, pauses, deps)
}

/** Whether the server may have deleted the deployment although it reports an error. */
function mayHaveActed(error: ControlPlaneError): boolean {
  if (error instanceof RefusedError) return error.status >= 500
  return error instanceof AmbiguousWriteError || error instanceof BrokenContractError
}

function isNotThere(error: ControlPlaneError): boolean {
  return error instanceof RefusedError && (error.status === 404 || error.status === 410)
}

/** The deployment exists, so that the status is about the route. */
function noRoute({ status, detail }: RefusedError, id: string): RefusedError {
  return new RefusedError(status, detail, {
    attempted: `delete the deployment ${id}`,
    cameBack: `DELETE was answered with HTTP ${status}, though the deployment exists: this control plane has no route to delete deployments`,
    hint: 'Delete the deployment in the control plane itself.',
  })
}
