import type { ControlPlane } from '../../control-plane/control-plane.ts'
import type { Deployment } from '../../control-plane/model.ts'
import { readAll } from './paginate.ts'
import type { Target } from '../rollout-request.ts'

/**
 * Finds the deployment; `undefined` if none has that name.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the id is unknown
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

/** Reads pages until the exact name is found: the control plane's filter matches a substring or a prefix. */
export async function findByName(
  name: string,
  controlPlane: Pick<ControlPlane, 'listDeployments'>,
): Promise<Deployment | undefined> {
  const readPage = controlPlane.listDeployments
  for await (const deployment of readAll(async (query) => await readPage({ nameContains: name, ...query })))
    if (deployment.name === name) return deployment
  return undefined
}
