import type { Clock } from '../../clock.ts'
import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { BrokenContractError, isNotFound, UnreachableError } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import type { Outcome } from '../outcome.ts'
import { overtakenBy } from './superseded.ts'
import { ACTIVATION_GRACE_MS, LEAST_GRACE_MS, READ_AGAIN_MS, SUCCESSION_GRACE_MS } from '../timing.ts'

export interface SettleOptions {
  controlPlane: Pick<ControlPlane, 'getDeployment' | 'getRevision'>
  deploymentId: string
  /** The deployment as it was before our revision; nothing of it on a create. */
  before: Pick<Deployment, 'latestRevisionId' | 'activeRevisionId'> | undefined
  clock: Clock
  signal: AbortSignal
  /** Monotonic milliseconds after which nobody waits for the deployment to agree: see {@link settlingTime}. */
  deadline: number
}

/** Milliseconds that settling may take from now on, of a run with that deadline. */
export function settlingTime({ clock, deadline }: Pick<SettleOptions, 'clock' | 'deadline'>): number {
  return Math.min(ACTIVATION_GRACE_MS, Math.max(LEAST_GRACE_MS, deadline - clock.now()))
}

/**
 * What a revision that has ended means. `deployed` is said only when the deployment agrees: its own status says nothing
 * of a rollout (contract notes, "Statuses").
 */
export async function settleOutcome(revision: Revision, options: SettleOptions): Promise<Outcome> {
  switch (revision.status) {
    case 'DEPLOYED':
      return await confirmActive(revision, options)
    case 'SKIPPED':
      return (await newerRevision(revision, options)) ?? { kind: 'skipped', because: 'revision' }
    case 'INTERRUPTED':
      return (await newerRevision(revision, options)) ?? { kind: 'interrupted' }
    default:
      return { kind: 'failed', because: { kind: 'revision' } }
  }
}

async function confirmActive(revision: Revision, options: SettleOptions): Promise<Outcome> {
  const { clock, deadline: giveUpAt } = options
  for (;;) {
    const deployment = await tryRead(options)
    if (typeof deployment === 'string') {
      if (clock.now() >= giveUpAt)
        return { kind: 'failed', because: { kind: 'active-unknown', trouble: deployment } }
      await pause(giveUpAt, options)
      continue
    }
    const { activeRevisionId: active } = deployment
    if (active === revision.id) return { kind: 'deployed', confirmed: true }
    if (active === undefined) return { kind: 'deployed', confirmed: false }
    // A newer one that is still on its way says nothing of ours: only the active one counts here.
    const newer = await overtakenBy(
      revision,
      { ...deployment, latestRevisionId: undefined },
      { ...options, unreadable: 'older' },
    )
    if (newer !== undefined) return { kind: 'superseded', by: newer }
    if (clock.now() >= giveUpAt) {
      return active === null
        ? { kind: 'failed', because: { kind: 'nothing-active' } }
        : { kind: 'superseded', by: active }
    }
    await pause(giveUpAt, options)
  }
}

/** Until the next look; the last one is at the very end. */
async function pause(until: number, { clock, signal }: SettleOptions): Promise<void> {
  await clock.sleep(Math.max(0, Math.min(READ_AGAIN_MS, until - clock.now())), signal)
}

/** The deployment, or why it cannot be read just now. */
async function tryRead({ controlPlane, deploymentId }: SettleOptions): Promise<Deployment | string> {
  try {
    return await controlPlane.getDeployment(deploymentId)
  } catch (thrown) {
    if (isNotFound(thrown) || thrown instanceof UnreachableError || thrown instanceof BrokenContractError)
      return thrown.trouble.cameBack
    throw thrown
  }
}

/** Nothing when none is known in the end: then the revision's own end is all that can be told. */
async function newerRevision(revision: Revision, options: SettleOptions): Promise<Outcome | undefined> {
  const { clock, deadline } = options
  const giveUpAt = Math.min(clock.now() + SUCCESSION_GRACE_MS, deadline)
  for (;;) {
    const deployment = await tryRead(options)
    if (typeof deployment !== 'string') {
      const by = await overtakenBy(revision, deployment, { ...options, unreadable: 'newer' })
      if (by !== undefined) return { kind: 'superseded', by }
    }
    if (clock.now() >= giveUpAt) return undefined
    await pause(giveUpAt, options)
  }
}
