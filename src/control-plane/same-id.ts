/** Whether two ids name one resource. UUIDs have no case. An id that is not known equals none. */
export function sameId(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && idKey(one) === idKey(other)
}

/** The id as the key of a Set or Map. */
export function idKey(id: string): string {
  return id.toLowerCase()
}
