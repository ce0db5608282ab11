import { decorated, type ControlPlane } from '../../control-plane/control-plane.ts'
import { sameId, type Deployment, type Revision } from '../../control-plane/model.ts'

/** A client with the same calls. `seen`: the deployment as the last answer to any of its reads has shown it. */
export function seeing(
  { deploymentId }: { deploymentId: string },
  controlPlane: ControlPlane,
): { controlPlane: ControlPlane; seen: () => Deployment | undefined } {
  let seen: Deployment | undefined
  const see = (deployments: readonly Deployment[]): void => {
    seen = deployments.find(({ id }) => sameId(id, deploymentId)) ?? seen
  }
  const watching = decorated(controlPlane, (inner) => ({
    async getDeployment(id) {
      const deployment = await inner.getDeployment(id)
      see([deployment])
      return deployment
    },
    async listDeployments(query) {
      const page = await inner.listDeployments(query)
      see(page.resources)
      return page
    },
  }))
  return { controlPlane: watching, seen: () => seen }
}

/** Whether an answer shows another revision as the active one, or none. One that lacks the field shows nothing. */
export function contradictsActive(seen: Deployment | undefined, { id }: Pick<Revision, 'id'>): boolean {
  const active = seen?.activeRevisionId
  return active !== undefined && !sameId(active, id)
}
