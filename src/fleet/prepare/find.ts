import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { BrokenContractError } from '../../control-plane/errors.ts'
import type { Deployment } from '../../control-plane/model.ts'
import { idKey } from '../../control-plane/same-id.ts'
import { PAGE_SIZE, SMALLEST_FULL_PAGE } from '../../rollout/read/paginate.ts'

/** The deployments of a fleet, as far as a list shows them. */
export interface FoundNames {
  found: ReadonlyMap<string, Deployment>
  /** Of a name that is not found: whether the deployment certainly does not exist. */
  isComplete: boolean
}

/**
 * Finds deployments by their exact names: reads page after page until all are found. While several pages are read, an
 * entry may move to a page that was read already: then the names that are not found are read by themselves later.
 * @throws ControlPlaneError when the list cannot be read
 */
export async function findNames(
  names: ReadonlySet<string>,
  controlPlane: Pick<ControlPlane, 'listDeployments'>,
): Promise<FoundNames> {
  const found = new Map<string, Deployment>()
  const seen = new Set<string>()
  let longest = SMALLEST_FULL_PAGE
  // Not by readAll, which reads a list of several pages once more.
  for (let [offset, pages] = [0, 1]; ; pages++) {
    let page: Awaited<ReturnType<ControlPlane['listDeployments']>>
    try {
      page = await controlPlane.listDeployments({ limit: PAGE_SIZE, offset })
    } catch (thrown) {
      // The record of one deployment can break the whole page.
      if (thrown instanceof BrokenContractError) return { found, isComplete: false }
      throw thrown
    }
    const before = seen.size
    for (const deployment of page.resources) {
      seen.add(idKey(deployment.id))
      const { name, isPreviewBuild } = deployment
      if (names.has(name) && !found.has(name) && isPreviewBuild !== true) found.set(name, deployment)
    }
    const { length } = page.resources
    const isCut = length < longest && page.offset <= seen.size
    const isOver = seen.size === before || page.offset <= offset || isCut
    if (found.size === names.size || isOver) return { found, isComplete: pages === 1 }
    longest = Math.max(longest, length)
    offset = page.offset
  }
}

/** The same control plane, whose look-up of a name is answered by what is known. */
export function answering(controlPlane: ControlPlane, name: string, known: Deployment | undefined): ControlPlane {
  return {
    ...controlPlane,
    within: (deadline) => answering(controlPlane.within(deadline), name, known),
    listDeployments: async (query) => {
      if (query.nameContains !== name) return await controlPlane.listDeployments(query)
      const resources = known === undefined || query.offset > 0 ? [] : [known]
      return { resources, offset: query.offset + resources.length }
    },
  }
}
