import { idKey } from '../../control-plane/model.ts'
import { readAll } from '../../control-plane/many.ts'
import type { PromotedReading, Reader } from '../dependencies.ts'
import type { Target } from '../rollout-request.ts'
import { hasName } from './find-deployment.ts'
import { readIfThere, readRevision } from './read-again.ts'

/**
 * Reads what another deployment runs.
 * @throws ControlPlaneError when it cannot be read
 */
export async function readPromoted(from: Target, deps: Reader): Promise<PromotedReading> {
  const ids = from.kind === 'id' ? [from.id] : await idsNamed(from.name, deps)
  const [id, ...others] = ids
  if (others.length > 0) return `names ${ids.length} deployments: set it to the id of one, ${ids.join(' or ')}`
  const deployment = id && (await readIfThere(id, deps))
  if (!deployment) return 'names no deployment that these credentials can see'
  const { activeRevisionId: active, name } = deployment
  if (active === null) return `is not possible: ${name} has no active revision`
  if (active === undefined) return `is not possible: the control plane does not report the active revision of ${name}`
  return { deployment, active: await readRevision(deployment.id, active, deps) }
}

/** A preview build of the service may have the same name, and so may a second deployment. */
async function idsNamed(name: string, { controlPlane }: Reader): Promise<string[]> {
  const ids = new Map<string, string>()
  const all = readAll(async (query) => await controlPlane.listDeployments({ nameContains: name, ...query }))
  for await (const one of all) if (hasName(one, name)) ids.set(idKey(one.id), one.id)
  return [...ids.values()]
}
