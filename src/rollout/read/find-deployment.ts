import type { ControlPlane } from '../../control-plane/control-plane.ts'
import type { Deployment } from '../../control-plane/model.ts'
import { readAll } from './paginate.ts'
import type { Target } from '../rollout-request.ts'

/**
 * The deployment that is meant, or nothing when no deployment has that name. An id that is unknown is an error.
 * @throws RefusedError, among others, as every request does.
 */
export async function findDeployment(
  target: Target,
  controlPlane: Pick<ControlPlane, 'getDeployment' | 'listDeployments'>,
): Promise<Deployment | undefined> {
  switch (target.kind) {
    case 'id':
      return await controlPlane.getDeployment(target.id)
    case 'name':
      return await findByName(target.name, controlPlane)
  }
}

/** Reads page after page until the exact name is found: the filter is a substring match, or a prefix match. */
export async function findByName(
  name: string,
  controlPlane: Pick<ControlPlane, 'listDeployments'>,
): Promise<Deployment | undefined> {
  const readPage = controlPlane.listDeployments
  for await (const deployment of readAll(async (query) => await readPage({ nameContains: name, ...query })))
    if (deployment.name === name) return deployment
  return undefined
}
