/** Whether two ids are one: a UUID in another letter case is the same. An id that is not reported equals none. */
export function sameId(one: string | null | undefined, other: string | null | undefined): boolean {
  if (one === undefined || one === null || other === undefined || other === null) return false
  return one.toLowerCase() === other.toLowerCase()
}
