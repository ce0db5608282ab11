import type { ControlPlane } from '../control-plane/client.ts'
import type { Deployment } from '../control-plane/model.ts'
import type { Target } from './request.ts'

/** The contract's largest page. */
const PAGE_SIZE = 100

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
  for (let offset = 0; ;) {
    const page = await controlPlane.listDeployments({ nameContains: name, limit: PAGE_SIZE, offset })
    const found = page.resources.find((deployment) => deployment.name === name)
    if (found !== undefined) return found
    // Only an empty page is the last one: a service may filter after it has cut the page, and send a short one. An
    // offset that does not advance would have us read the same page for ever.
    if (page.resources.length === 0 || page.offset <= offset) return undefined
    offset = page.offset
  }
}
