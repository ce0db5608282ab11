/**
 * Whether the address of a resource, as a response reports it, names this resource of our repository. An address that
 * is not reported shows nothing else.
 * @param path below the repository, as in `/issues/7`; the empty text for the repository itself
 */
export function isOurs(address: string | null | undefined, { repository }: { repository: string }, path = ''): boolean {
  return !address || address.toLowerCase().endsWith(`/repos/${repository}${path}`.toLowerCase())
}

/** Names of repositories and environments, and commits, have no case. An unknown text equals none. */
export function equalIgnoringCase(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
