import { sameId, type Revision } from '../../control-plane/model.ts'

export type PreviousRevision =
  /** Those that ended DEPLOYED after the active one and before it, newest first. */
  | { kind: 'found'; newer: Revision[]; earlier: Revision[] }
  /** The list lacks the active one. More pages may show it. */
  | { kind: 'not-listed' }
  /** The control plane does not report which revision is active, or none is. */
  | { kind: 'active-unknown' }
  | { kind: 'unordered' }

/**
 * Finds the revisions before the active one that ended DEPLOYED, and those after it.
 * @param listed newest first; undefined if the list contradicts its order
 */
export function findPrevious(
  listed: readonly Revision[] | undefined,
  active: string | null | undefined,
): PreviousRevision {
  if (typeof active !== 'string') return { kind: 'active-unknown' }
  if (listed === undefined) return { kind: 'unordered' }
  const place = listed.findIndex(({ id }) => sameId(id, active))
  if (place < 0) return { kind: 'not-listed' }
  const isDeployed = ({ status }: Revision): boolean => status === 'DEPLOYED'
  const [newer, earlier] = [listed.slice(0, place), listed.slice(place + 1)]
  return { kind: 'found', newer: newer.filter(isDeployed), earlier: earlier.filter(isDeployed) }
}
