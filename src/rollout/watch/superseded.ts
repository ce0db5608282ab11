import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'

export interface SupersededOptions {
  controlPlane: Pick<ControlPlane, 'getRevision'>
  /** The deployment as it was before our revision; undefined on a create. */
  before: Pick<Deployment, 'latestRevisionId' | 'activeRevisionId'> | undefined
  /** What a revision that cannot be read counts as: `older` where the caller reads again later. */
  unreadable: 'older' | 'newer'
}

/**
 * Finds the newer revision that the deployment reports as its latest or its active one; undefined when ours is the
 * newest. A lagging replica reports an older revision, and so does a deployment that another client revised between our
 * read and our write: an older revision supersedes nothing.
 */
export async function supersededBy(
  ours: Pick<Revision, 'id' | 'createdAt'>,
  deployment: Deployment,
  options: SupersededOptions,
): Promise<string | undefined> {
  const { before } = options
  const known = [ours.id, before?.latestRevisionId, before?.activeRevisionId]
  const reported = new Set([deployment.latestRevisionId, deployment.activeRevisionId])
  for (const id of reported) {
    if (id === undefined || id === null || known.includes(id)) continue
    if ((await ageOf(id, ours, deployment, options)) === 'newer') return id
  }
  return undefined
}

async function ageOf(
  id: string,
  { createdAt }: Pick<Revision, 'createdAt'>,
  deployment: Deployment,
  { controlPlane, unreadable }: SupersededOptions,
): Promise<'older' | 'newer'> {
  try {
    const other = await controlPlane.getRevision(deployment.id, id)
    // Without both dates, the revision that the deployment reports as its latest one is the newer one.
    if (createdAt === undefined || other.createdAt === undefined)
      return id === deployment.latestRevisionId ? 'newer' : 'older'
    return other.createdAt < createdAt ? 'older' : 'newer'
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return unreadable
    throw thrown
  }
}
