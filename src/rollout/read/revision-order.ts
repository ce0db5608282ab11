import { sameId, type Revision } from '../../control-plane/model.ts'

/** How many revisions a list is read for, the newest ones. */
export const LISTED_REVISIONS = 20

/**
 * Returns the list if nothing contradicts its order, newest first (contract notes, `GET /v2/deployments/{id}/revisions`).
 * @param known ids of which each is certainly newer than the next one
 */
export function newestFirst(
  listed: Revision[] | undefined,
  known: readonly (string | null | undefined)[],
): Revision[] | undefined {
  const places = known.map((id) => listed?.findIndex((one) => sameId(one.id, id)) ?? -1).filter((place) => place >= 0)
  const isReversed = places.some((place, n) => place < (places[n - 1] ?? 0))
  const isContradicted = listed?.some(({ createdAt }, n) => ageByDate(createdAt, listed[n - 1]?.createdAt) === 'newer')
  return isReversed || isContradicted ? undefined : listed
}

/** Compares two dates in milliseconds. A date without a fraction may be cut: two of one second have no order. */
export function ageByDate(date: number | undefined, ours: number | undefined): 'newer' | 'older' | 'unknown' {
  if (date === undefined || ours === undefined || date === ours) return 'unknown'
  const isCut = date % 1000 === 0 || ours % 1000 === 0
  if (isCut && Math.floor(date / 1000) === Math.floor(ours / 1000)) return 'unknown'
  return date > ours ? 'newer' : 'older'
}
