/** Whether two names are of one deployment: a service may trim a name, or write it in lower case. */
export function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
