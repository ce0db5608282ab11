import type { Deployment, Revision, RevisionDraft } from '../../control-plane/model.ts'
import type { WriteDependencies } from '../dependencies.ts'
import type { Restoration } from '../plan/types.ts'
import { redeployOnce, type NewerRevision, type NotRedeployed } from './redeploy.ts'
import { reviseOnce, type KnownOfWrite, type Written } from './revise-once.ts'

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
 * @param readAt as in {@link KnownOfWrite}
 * @returns `not-made`: nothing was written, as only a redeploy restores the revision, and it cannot be made
 * @throws as `redeployOnce` and `reviseOnce`
 */
export async function restoreRevision(
  deployment: Deployment,
  { to, draft }: Restoration,
  deps: WriteDependencies,
  readAt?: KnownOfWrite['readAt'],
): Promise<Restored | NewerRevision | NotRedeployed> {
  const redeployed = await redeployOnce(deployment, to, deps, readAt)
  switch (redeployed.kind) {
    case 'made':
      return { ...redeployed, change: 'redeployed' }
    case 'newer-revision':
      return redeployed
    case 'not-made':
      return draft === undefined ? redeployed : await reviseTo(deployment, draft, deps, readAt)
  }
}

/** Creates a revision with an earlier configuration. */
export async function reviseTo(
  deployment: Deployment,
  draft: RevisionDraft,
  deps: WriteDependencies,
  readAt?: KnownOfWrite['readAt'],
): Promise<Restored> {
  const revised = await reviseOnce(deployment, draft, deps, { readAt })
  return { kind: 'made', change: 'revised', ...revised, revisionId: revised.revision.id }
}
