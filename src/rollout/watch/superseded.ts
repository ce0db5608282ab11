import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'

export interface SupersededOptions {
  controlPlane: Pick<ControlPlane, 'getRevision'>
  /** The deployment as it was before our revision; undefined on a create. */
  before: Pick<Deployment, 'latestRevisionId' | 'activeRevisionId'> | undefined
  /** What a revision that cannot be read counts as: `older` if the caller reads again later. */
  unreadable: 'older' | 'newer'
}

/**
 * Finds the newer revision that the deployment reports as its latest or its active one; undefined when ours is the
 * newest. A lagging replica reports an older revision, and so does a deployment that another client revised between our
 * read and our write: an older revision supersedes nothing.
 */
export async function supersededBy(
  { id: ourId, createdAt: ourDate }: Pick<Revision, 'id' | 'createdAt'>,
  deployment: Deployment,
  options: SupersededOptions,
): Promise<string | undefined> {
  const { id: deploymentId, latestRevisionId: latest, activeRevisionId: active } = deployment
  const { controlPlane, before, unreadable } = options
  const known = [ourId, before?.latestRevisionId, before?.activeRevisionId]
  for (const id of new Set([latest, active])) {
    if (id === undefined || id === null || known.some((one) => sameId(one, id))) continue
    try {
      const { createdAt } = await controlPlane.getRevision(deploymentId, id)
      // Without both dates, the revision that the deployment reports as its latest one is the newer one.
      const areDated = createdAt !== undefined && ourDate !== undefined
      if (areDated ? createdAt >= ourDate : sameId(id, latest)) return id
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (unreadable === 'newer') return id
    }
  }
  return undefined
}
