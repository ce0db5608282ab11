import { type Deployment, type Revision, sameId } from '../../control-plane/model.ts'
import type { Reader } from '../dependencies.ts'
import { newestFirst } from '../read/age.ts'
import { listRevisionsUntil } from '../read/list-revisions.ts'
import { READ_AGAIN_MS, STALE_READ_MS } from '../timing.ts'
import { hasNeverServed } from './never-served.ts'

export type PreviousReading =
  /** `since`: all that are newer than the active one. `newer` and `older`: those that ended DEPLOYED. */
  | { kind: 'found'; since: Revision[]; newer: Revision[]; older: Revision[] }
  /** More pages may show the active one. */
  | { kind: 'not-listed' }
  /** The control plane does not report which revision is active, or none is. */
  | { kind: 'active-unknown' }
  | { kind: 'unordered' }
  | { kind: 'list-missing' }

/**
 * Finds the newest revisions before the active one that ended DEPLOYED, at least `count`. Reads once more if the list
 * lacks the active revision, or shows a newer one that serves or may still serve: a response may be of a lagging replica.
 */
export async function readPrevious(
  deployment: Deployment,
  count: number,
  deps: Reader,
): Promise<{ deployment: Deployment; previous: PreviousReading }> {
  const previous = await readListed(deployment, count, deps)
  const isSettled = previous.kind === 'found' ? previous.since.every(hasNeverServed) : previous.kind !== 'not-listed'
  const { controlPlane, clock, signal, deadline } = deps
  if (isSettled || clock.now() + STALE_READ_MS + READ_AGAIN_MS >= deadline) return { deployment, previous }
  await clock.sleep(STALE_READ_MS, signal)
  const now = await controlPlane.getDeployment(deployment.id)
  return { deployment: now, previous: await readListed(now, count, deps) }
}

async function readListed(
  { id, latestRevisionId, activeRevisionId }: Deployment,
  count: number,
  deps: Reader,
): Promise<PreviousReading> {
  const find = (listed: Revision[]): PreviousReading =>
    findPrevious(newestFirst(listed, [latestRevisionId, activeRevisionId]), activeRevisionId)
  const isEnough = (listed: Revision[]): boolean => {
    const reading = find(listed)
    return reading.kind === 'found' ? reading.older.length >= count : reading.kind !== 'not-listed'
  }
  const listed = await listRevisionsUntil(id, isEnough, deps)
  return listed === undefined ? { kind: 'list-missing' } : find(listed)
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
  const [since, before] = [listed.slice(0, place), listed.slice(place + 1)]
  return { kind: 'found', since, newer: since.filter(isDeployed), older: before.filter(isDeployed) }
}
