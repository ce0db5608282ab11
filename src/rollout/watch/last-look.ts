import { areCredentialsRefused, askedWaitMs, ControlPlaneError } from '../../control-plane/errors.ts'
import { LAST_ATTEMPT_MS } from '../../control-plane/transport.ts'
import { type Run, withTime } from '../dependencies.ts'
import type { RolloutOutcome } from '../outcome.ts'
import { LAST_LOOK_MS } from '../timing.ts'

/** Whether a run that ends so may read once more what serves. A cancelled run ends at once. */
export function mayLookAfter(outcome: RolloutOutcome): boolean {
  switch (outcome.kind) {
    case 'failed':
      return outcome.because.kind === 'error'
        ? mayLookAfterError(outcome.because.error)
        : outcome.because.kind !== 'deleted'
    case 'skipped':
      return outcome.because === 'revision'
    case 'unverified':
    case 'timed-out':
    case 'superseded':
    case 'interrupted':
      return true
    case 'deployed':
    case 'cancelled':
    case 'rolled-back':
    case 'started':
    case 'planned':
    case 'unchanged':
      return false
  }
}

/** Refused credentials would be refused again. A server that asks to wait gets no further request. */
function mayLookAfterError(error: Error): boolean {
  return !areCredentialsRefused(error) && askedWaitMs(error) === 0
}

/** Sent once, and not while the server asks to wait. */
const ONCE = { retries: 0, isDispensable: true } as const

/** Reads the deployment and its active revision, unless that one is known. Best effort: the outcome stays as it is. */
export async function lookLast(
  deploymentId: string,
  isKnown: (revisionId: string) => boolean,
  run: Run,
): Promise<void> {
  const { controlPlane, clock, deadline, signal } = withTime(run, LAST_LOOK_MS)
  try {
    const deployment = await controlPlane.getDeployment(deploymentId, ONCE)
    run.emit({ kind: 'deployment-read', deployment })
    const { activeRevisionId: active } = deployment
    if (typeof active !== 'string' || isKnown(active) || clock.now() + LAST_ATTEMPT_MS > deadline) return
    run.emit({ kind: 'active-revision-read', revision: await controlPlane.getRevision(deploymentId, active, ONCE) })
  } catch (thrown) {
    if (!(thrown instanceof ControlPlaneError) && !signal.aborted) throw thrown
  }
}
