import type { ControlPlane } from '../control-plane/control-plane.ts'
import { PAGE_SIZE } from '../control-plane/paginate.ts'

/**
 * Asks for the deployments of this name at once, while something else is asked. The first question for them is answered
 * by that; later ones are sent.
 */
export function lookAhead(controlPlane: ControlPlane, name: string): ControlPlane {
  const first = controlPlane.listDeployments({ nameContains: name, limit: PAGE_SIZE, offset: 0 })
  // A failure counts when the answer is needed.
  first.catch(() => undefined)
  let isAnswered = false
  return {
    ...controlPlane,
    async listDeployments(query) {
      if (isAnswered || query.nameContains !== name || query.offset !== 0)
        return await controlPlane.listDeployments(query)
      isAnswered = true
      return await first
    },
  }
}
