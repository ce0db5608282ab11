import { BrokenContractError, mayLackRoute } from '../../control-plane/errors.ts'
import { type Deployment, idKey, type Revision, sameId } from '../../control-plane/model.ts'
import { PAGE_SIZE } from '../../control-plane/many.ts'
import type { Reader } from '../dependencies.ts'
import { READ_AGAIN_MS, STALE_READ_MS } from '../timing.ts'
import { newestFirst } from '../read/age.ts'

export type PreviousReading =
  /** Those that ended DEPLOYED after the active one and before it, newest first. */
  | { kind: 'found'; newer: Revision[]; earlier: Revision[] }
  /** The list lacks the active one. More pages may show it. */
  | { kind: 'not-listed' }
  /** The control plane does not report which revision is active, or none is. */
  | { kind: 'active-unknown' }
  | { kind: 'unordered' }
  /** The service does not list revisions. */
  | { kind: 'list-missing' }

/**
 * Finds the newest revisions before the active one that ended DEPLOYED. Reads once more if the list lacks the active
 * revision, or shows a newer one that ended DEPLOYED: one of the responses may come from a lagging replica.
 * @param count how many are needed
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

/** Reads page after page, until one shows the revisions or adds nothing. */
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

/**
 * Finds the revisions before the active one that ended DEPLOYED, and those after it.
 * @param listed newest first; undefined if the list contradicts its order
 */
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
