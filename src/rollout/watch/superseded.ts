import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { ControlPlane } from '../../control-plane/control-plane.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'

export interface OvertakenOptions {
  controlPlane: Pick<ControlPlane, 'getRevision'>
  /** The deployment as it was before our revision; nothing of it on a create. */
  before: Pick<Deployment, 'latestRevisionId' | 'activeRevisionId'> | undefined
  /** What another revision that cannot be read counts as: who can look again later says `older`. */
  unreadable: 'older' | 'newer'
}

/**
 * The newer revision that the deployment names as its latest or its active one; nothing when ours is the newest. What a
 * lagging replica names, or what was made between our look and our write, is older than ours and overtakes nothing.
 */
export async function overtakenBy(
  ours: Pick<Revision, 'id' | 'createdAt'>,
  deployment: Deployment,
  options: OvertakenOptions,
): Promise<string | undefined> {
  const { before } = options
  const known = [ours.id, before?.latestRevisionId, before?.activeRevisionId]
  const named = new Set([deployment.latestRevisionId, deployment.activeRevisionId])
  for (const id of named) {
    if (id === undefined || id === null || known.includes(id)) continue
    if ((await ageOf(id, ours, deployment, options)) === 'newer') return id
  }
  return undefined
}

async function ageOf(
  id: string,
  { createdAt }: Pick<Revision, 'createdAt'>,
  deployment: Deployment,
  { controlPlane, unreadable }: OvertakenOptions,
): Promise<'older' | 'newer'> {
  try {
    const other = await controlPlane.getRevision(deployment.id, id)
    // Of two that cannot be dated, the one that is called the latest is the newer one.
    if (createdAt === undefined || other.createdAt === undefined)
      return id === deployment.latestRevisionId ? 'newer' : 'older'
    return other.createdAt < createdAt ? 'older' : 'newer'
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return unreadable
    throw thrown
  }
}
