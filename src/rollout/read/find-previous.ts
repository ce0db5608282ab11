import type { Revision } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'

export type PreviousRevision =
  /** `earlier`: the DEPLOYED ones before it, newest first. `hasNewer`: one is newer than the active one. */
  | { kind: 'found'; revision: Revision; earlier: Revision[]; hasNewer: boolean }
  /** More pages may show it. */
  | { kind: 'not-listed'; listsActive: boolean }
  /** The control plane does not report which revision is active, or none is. */
  | { kind: 'active-unknown' }
  | { kind: 'unordered' }

/**
 * Finds the newest revision before the active one that ended DEPLOYED.
 * @param listed newest first; undefined if the list contradicts its order
 */
export function findPrevious(
  listed: readonly Revision[] | undefined,
  active: string | null | undefined,
): PreviousRevision {
  if (typeof active !== 'string') return { kind: 'active-unknown' }
  if (listed === undefined) return { kind: 'unordered' }
  const place = listed.findIndex(({ id }) => sameId(id, active))
  if (place < 0) return { kind: 'not-listed', listsActive: false }
  const isDeployed = ({ status }: Revision): boolean => status === 'DEPLOYED'
  const [revision, ...earlier] = listed.slice(place + 1).filter(isDeployed)
  if (revision === undefined) return { kind: 'not-listed', listsActive: true }
  return { kind: 'found', revision, earlier, hasNewer: listed.slice(0, place).some(isDeployed) }
}
