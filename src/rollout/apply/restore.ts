import type { Deployment, Revision, RevisionDraft } from '../../control-plane/model.ts'
import type { WriteDependencies } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import type { Restoration } from '../plan/plan.ts'
import { redeployOnce, type NewerRevision, type NotRedeployed } from './redeploy.ts'
import type { KnownDeployment } from './known-deployment.ts'
import { reviseOnce, type Written } from './revise-once.ts'

/** The revision that restores the earlier one. */
export type Restored = {
  kind: 'made'
  change: 'redeployed' | 'revised'
  revisionId: string
  /** As read, if it can be read. */
  revision: Revision | undefined
} & Written

/**
 * Creates the revision that restores an earlier one: by the redeploy route, or else by repeating its configuration.
 * @returns `not-made`: nothing was written, as only a redeploy restores the revision, and it cannot be made
 * @throws as `redeployOnce` and `reviseOnce`
 */
export async function restoreRevision(
  known: KnownDeployment,
  { to, draft }: Restoration,
  deps: WriteDependencies,
): Promise<Restored | NewerRevision | NotRedeployed> {
  const sentAt = deps.clock.now()
  const redeployed = await redeployOnce(known, to, deps)
  const before = known.state
  switch (redeployed.kind) {
    case 'made':
      return { ...redeployed, change: 'redeployed' }
    case 'newer-revision':
      return redeployed
    case 'not-made':
      if (draft === undefined) return redeployed
      if (redeployed.because !== 'no-revision') return await reviseTo(known, draft, deps)
      return alsoRedeployed(await reviseTo(known, draft, deps), before, to, deps.clock.now() - sentAt)
  }
}

/** The control plane may still act on a redeploy that it has accepted. */
function alsoRedeployed(made: Restored, before: Deployment, to: Revision, sinceFirstMs: number): Restored {
  const redeploy: Repeated = { kind: 'revision', before, settings: to.settings, sinceFirstMs }
  return { ...made, repeated: [redeploy, ...made.repeated] }
}

/** Creates a revision with an earlier configuration. */
export async function reviseTo(
  known: KnownDeployment,
  draft: RevisionDraft,
  deps: WriteDependencies,
): Promise<Restored> {
  const revised = await reviseOnce(known, draft, deps)
  return { kind: 'made', change: 'revised', ...revised, revisionId: revised.revision.id }
}
