import { ControlPlaneError } from '../control-plane/errors.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { Deployment, Revision } from '../control-plane/model.ts'

export interface OvertakenOptions {
  controlPlane: Pick<ControlPlane, 'getRevision'>
  /** The deployment as it was before our revision; nothing of it on a create. */
  before: Pick<Deployment, 'latestRevisionId' | 'activeRevisionId'> | undefined
}

/**
 * The newer revision that the deployment names as its latest or its active one; nothing when ours is the newest. What a
 * lagging replica names, or what was made between our look and our write, is older than ours and overtakes nothing.
 */
export async function overtakenBy(
  ours: Pick<Revision, 'id' | 'createdAt'>,
  deployment: Deployment,
  { controlPlane, before }: OvertakenOptions,
): Promise<string | undefined> {
  const known = [ours.id, before?.latestRevisionId, before?.activeRevisionId]
  const named = new Set([deployment.latestRevisionId, deployment.activeRevisionId])
  for (const id of named) {
    if (id === undefined || id === null || known.includes(id)) continue
    if (!(await isOlder(id, ours, deployment.id, controlPlane))) return id
  }
  return undefined
}

async function isOlder(
  id: string,
  { createdAt }: Pick<Revision, 'createdAt'>,
  deploymentId: string,
  { getRevision }: OvertakenOptions['controlPlane'],
): Promise<boolean> {
  if (createdAt === undefined) return false
  try {
    const other = await getRevision(deploymentId, id, { retries: 0 })
    return other.createdAt !== undefined && other.createdAt < createdAt
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return false
    throw thrown
  }
}
