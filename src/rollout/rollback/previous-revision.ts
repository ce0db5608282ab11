import { BrokenContractError, mayLackRoute } from '../../control-plane/errors.ts'
import { type Deployment, idKey, type Revision, sameId } from '../../control-plane/model.ts'
import { PAGE_SIZE } from '../../control-plane/paginate.ts'
import type { Reader } from '../dependencies.ts'
import { READ_AGAIN_MS, STALE_READ_MS } from '../timing.ts'
import { newestFirst } from '../read/age.ts'

export type PreviousReading =
  /** Those that ended DEPLOYED after the active one and before it, newest first. */
  | { kind: 'found'; newer: Revision[]; earlier: Revision[] }
  /** More pages may show the active one. */
  | { kind: 'not-listed' }
  /** The control plane does not report which revision is active, or none is. */
  | { kind: 'active-unknown' }
  | { kind: 'unordered' }
  | { kind: 'list-missing' }

/**
 * Finds the newest revisions before the active one that ended DEPLOYED, at least `count`. Reads once more if the list
 * lacks the active revision, or shows a newer one that ended DEPLOYED: a response may be of a lagging replica.
 * @throws ControlPlaneError when a request fails
 */
export async function readPrevious(
  deployment: Deployment,
  count: number,
  deps: Reader,
): Promise<{ deployment: Deployment; previous: PreviousReading }> {
  const previous = await readListed(deployment, count, deps)
  const isSettled = previous.kind === 'found' ? previous.newer.length === 0 : previous.kind !== 'not-listed'
  const { controlPlane, clock, signal, deadline } = deps
  if (isSettled || clock.now() + STALE_READ_MS + READ_AGAIN_MS >= deadline) return { deployment, previous }
  await clock.sleep(STALE_READ_MS, signal)
  const now = await controlPlane.getDeployment(deployment.id)
  return { deployment: now, previous: await readListed(now, count, deps) }
}

async function readListed(
  { id, latestRevisionId, activeRevisionId }: Deployment,
  count: number,
  { controlPlane }: Reader,
): Promise<PreviousReading> {
  const listed: Revision[] = []
  const seen = new Set<string>()
  for (;;) {
    let page: Revision[]
    try {
      page = await controlPlane.listRevisions(id, { limit: PAGE_SIZE, offset: listed.length })
    } catch (thrown) {
      if (mayLackRoute(thrown) || thrown instanceof BrokenContractError) return { kind: 'list-missing' }
      throw thrown
    }
    const added = page.filter((one) => !seen.has(idKey(one.id)))
    for (const one of added) seen.add(idKey(one.id))
    listed.push(...added)
    const found = findPrevious(newestFirst(listed, [latestRevisionId, activeRevisionId]), activeRevisionId)
    const lacksSome = found.kind === 'found' ? found.earlier.length < count : found.kind === 'not-listed'
    if (!lacksSome || added.length === 0) return found
  }
}

/** `listed`: newest first; undefined if the list contradicts its order. */
export function findPrevious(
  listed: readonly Revision[] | undefined,
  active: string | null | undefined,
): PreviousReading {
  if (typeof active !== 'string') return { kind: 'active-unknown' }
  if (listed === undefined) return { kind: 'unordered' }
  const place = listed.findIndex(({ id }) => sameId(id, active))
  if (place < 0) return { kind: 'not-listed' }
  const isDeployed = ({ status }: Revision): boolean => status === 'DEPLOYED'
  const [newer, earlier] = [listed.slice(0, place), listed.slice(place + 1)]
  return { kind: 'found', newer: newer.filter(isDeployed), earlier: earlier.filter(isDeployed) }
}
