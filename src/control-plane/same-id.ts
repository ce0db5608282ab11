/** Whether two ids name the same resource: a service may write a UUID in capitals. Two missing ids are not the same. */
export function sameId(one: string | null | undefined, other: string | null | undefined): boolean {
  return one !== undefined && one !== null && one.toLowerCase() === other?.toLowerCase()
}
