import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { BrokenContractError, UnreachableError } from '../control-plane/errors.ts'
import type { Deployment, Revision } from '../control-plane/model.ts'
import type { Outcome } from './outcome.ts'
import { overtakenBy } from './overtaken.ts'

export interface SettleOptions {
  controlPlane: Pick<ControlPlane, 'getDeployment' | 'getRevision'>
  deploymentId: string
  /** The deployment as it was before our revision; nothing of it on a create. */
  before: Pick<Deployment, 'latestRevisionId' | 'activeRevisionId'> | undefined
  clock: Clock
  signal: AbortSignal
}

/** How long a deployment may take to name the revision that is DEPLOYED as its active one. */
const ACTIVATION_GRACE_MS = 30_000
const LOOK_AGAIN_MS = 2_000

/**
 * What a revision that has ended means. `deployed` is said only when the deployment agrees: its own status says nothing
 * of a rollout (contract notes, "Statuses").
 */
export async function settleOutcome(revision: Revision, options: SettleOptions): Promise<Outcome> {
  switch (revision.status) {
    case 'DEPLOYED':
      return await confirmActive(revision.id, options)
    case 'SKIPPED':
      return (await newerRevision(revision, options)) ?? { kind: 'skipped', because: 'revision' }
    case 'INTERRUPTED':
      return (await newerRevision(revision, options)) ?? { kind: 'interrupted' }
    default:
      return { kind: 'failed', because: { kind: 'revision' } }
  }
}

async function confirmActive(revisionId: string, options: SettleOptions): Promise<Outcome> {
  const { clock, before } = options
  const giveUpAt = clock.now() + ACTIVATION_GRACE_MS
  for (;;) {
    const deployment = await tryRead(options)
    if (typeof deployment === 'string') {
      if (clock.now() >= giveUpAt)
        return { kind: 'failed', because: { kind: 'active-unknown', trouble: deployment } }
      await clock.sleep(LOOK_AGAIN_MS, options.signal)
      continue
    }
    const { activeRevisionId: active } = deployment
    if (active === revisionId) return { kind: 'deployed', confirmed: true }
    if (active === undefined) return { kind: 'deployed', confirmed: false }
    const lagging = active === null || active === before?.activeRevisionId
    if (!lagging) return { kind: 'superseded', by: active }
    if (clock.now() >= giveUpAt) {
      return active === null
        ? { kind: 'failed', because: { kind: 'nothing-active' } }
        : { kind: 'superseded', by: active }
    }
    await clock.sleep(LOOK_AGAIN_MS, options.signal)
  }
}

/** The deployment, or why it cannot be read just now. */
async function tryRead({ controlPlane, deploymentId }: SettleOptions): Promise<Deployment | string> {
  try {
    return await controlPlane.getDeployment(deploymentId)
  } catch (thrown) {
    if (thrown instanceof UnreachableError || thrown instanceof BrokenContractError)
      return thrown.trouble.cameBack
    throw thrown
  }
}

async function newerRevision(revision: Revision, options: SettleOptions): Promise<Outcome | undefined> {
  const deployment = await tryRead(options)
  // Nothing newer is known: the revision's own end is all that can be told.
  if (typeof deployment === 'string') return undefined
  const by = await overtakenBy(revision, deployment, options)
  return by === undefined ? undefined : { kind: 'superseded', by }
}
