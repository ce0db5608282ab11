import type { Revision, RevisionDraft } from '../../control-plane/model.ts'
import type { WriteDependencies } from '../dependencies.ts'
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
  const redeployed = await redeployOnce(known, to, deps)
  switch (redeployed.kind) {
    case 'made':
      return { ...redeployed, change: 'redeployed' }
    case 'newer-revision':
      return redeployed
    case 'not-made':
      return draft === undefined ? redeployed : await reviseTo(known, draft, deps)
  }
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
