import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { BrokenContractError, isNotFound, UnreachableError } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Outcome } from '../outcome.ts'
import { ACTIVATION_GRACE_MS, LEAST_GRACE_MS, READ_AGAIN_MS, SUCCESSION_GRACE_MS } from '../timing.ts'
import { supersededBy, type SupersededOptions } from './superseded.ts'

/** `deadline`: when to stop waiting for the deployment to agree, see {@link confirmationTime}. */
export interface ConfirmOptions
  extends Pick<Dependencies, 'clock' | 'signal' | 'deadline'>, Pick<SupersededOptions, 'before'> {
  controlPlane: Pick<ControlPlane, 'getDeployment' | 'getRevision'>
  deploymentId: string
}

/** Returns the milliseconds from now on that a confirmation may take in a run with that deadline. */
export function confirmationTime({ clock, deadline }: Pick<Dependencies, 'clock' | 'deadline'>): number {
  return Math.min(ACTIVATION_GRACE_MS, Math.max(LEAST_GRACE_MS, deadline - clock.now()))
}

/**
 * Decides what the end of a revision means. A rollout is `deployed` only when the deployment agrees; the deployment's
 * own status shows no rollout (contract notes, "Statuses").
 * @throws RefusedError when the control plane refuses for good to return the deployment
 */
export async function confirmOutcome(revision: Revision, options: ConfirmOptions): Promise<Outcome> {
  switch (revision.status) {
    case 'DEPLOYED':
      return await confirmActive(revision, options)
    case 'SKIPPED':
      return (await findSuccessor(revision, options)) ?? { kind: 'skipped', because: 'revision' }
    case 'INTERRUPTED':
      return (await findSuccessor(revision, options)) ?? { kind: 'interrupted' }
    default:
      return { kind: 'failed', because: { kind: 'revision' } }
  }
}

async function confirmActive(revision: Revision, options: ConfirmOptions): Promise<Outcome> {
  const { clock, deadline } = options
  for (;;) {
    const deployment = await tryRead(options)
    if (typeof deployment === 'string') {
      if (clock.now() >= deadline)
        return { kind: 'failed', because: { kind: 'active-unknown', trouble: deployment } }
      await pause(deadline, options)
      continue
    }
    const { activeRevisionId: active } = deployment
    if (active === revision.id) return { kind: 'deployed', confirmed: true }
    if (active === undefined) return { kind: 'deployed', confirmed: false }
    // Only the active revision counts here: a newer one that is still under way supersedes ours later, if at all.
    const newer = await supersededBy(
      revision,
      { ...deployment, latestRevisionId: undefined },
      { ...options, unreadable: 'older' },
    )
    if (newer !== undefined) return { kind: 'superseded', by: newer }
    if (clock.now() >= deadline) {
      return active === null
        ? { kind: 'failed', because: { kind: 'nothing-active' } }
        : { kind: 'superseded', by: active }
    }
    await pause(deadline, options)
  }
}

/** The pause before the next read; the last read is at `end`. */
async function pause(end: number, { clock, signal }: ConfirmOptions): Promise<void> {
  await clock.sleep(Math.max(0, Math.min(READ_AGAIN_MS, end - clock.now())), signal)
}

/** The deployment, or why it cannot be read. */
async function tryRead({ controlPlane, deploymentId }: ConfirmOptions): Promise<Deployment | string> {
  try {
    return await controlPlane.getDeployment(deploymentId)
  } catch (thrown) {
    if (isNotFound(thrown) || thrown instanceof UnreachableError || thrown instanceof BrokenContractError)
      return thrown.trouble.cameBack
    throw thrown
  }
}

/** Undefined when no newer revision shows in time: then the revision's own status decides. */
async function findSuccessor(revision: Revision, options: ConfirmOptions): Promise<Outcome | undefined> {
  const { clock, deadline } = options
  const end = Math.min(clock.now() + SUCCESSION_GRACE_MS, deadline)
  for (;;) {
    const deployment = await tryRead(options)
    if (typeof deployment !== 'string') {
      const by = await supersededBy(revision, deployment, { ...options, unreadable: 'newer' })
      if (by !== undefined) return { kind: 'superseded', by }
    }
    if (clock.now() >= end) return undefined
    await pause(end, options)
  }
}
