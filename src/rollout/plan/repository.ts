import { withoutEnd } from '../../secrets/text.ts'

/** Whether two addresses are of one repository: https or ssh, with or without `.git`, in any letter case. */
export function sameRepository(one: string, other: string): boolean {
  return repositoryKey(one) === repositoryKey(other)
}

const SCP_FORM = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/

function repositoryKey(address: string): string {
  return repositoryPath(address) ?? address.trim().toLowerCase()
}

/** Returns host and path in lower case, without user info; `undefined` if the address cannot be read. */
export function repositoryPath(address: string): string | undefined {
  const parts = partsOf(address)
  return parts && `${parts.host}${parts.path}`.toLowerCase()
}

/** `owner/name` of a repository on the same server as another one; `undefined` if it is elsewhere. */
export function nameOnServer(address: string, other: string): string | undefined {
  const { host, path = '' } = partsOf(address) ?? {}
  const [, name] = /^\/([\w.-]+\/[\w.-]+)$/.exec(path) ?? []
  return host === partsOf(other)?.host ? name : undefined
}

/** The host in lower case. */
function partsOf(address: string): { host: string; path: string } | undefined {
  const trimmed = address.trim()
  const scp = SCP_FORM.exec(trimmed)
  const url = URL.parse(scp === null ? trimmed : `ssh://${scp[1] ?? ''}/${scp[2] ?? ''}`)
  if (url === null) return undefined
  const path = withoutEnd(url.pathname.replace(/^\/+/, '/'), '/').replace(/\.git$/i, '')
  return { host: url.hostname.toLowerCase(), path }
}

export const TAG_PREFIX = 'refs/tags/'

/** A tag is a full ref path; anything else is a branch (contract, "repo_ref"). */
export function isTag(repoRef: string | undefined): boolean {
  return repoRef?.startsWith(TAG_PREFIX) === true
}
