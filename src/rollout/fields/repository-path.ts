import { withoutEnd } from '../../secrets/text.ts'

/** Host and path in lower case; `undefined` if the address cannot be read. */
export function repositoryPath(address: string): string | undefined {
  const parts = hostAndPathOf(address)
  return parts && `${parts.host}${parts.path}`.toLowerCase()
}

const SCP_FORM = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/

export function hostAndPathOf(address: string): { host: string; path: string } | undefined {
  const trimmed = address.trim()
  const scp = SCP_FORM.exec(trimmed)
  const url = URL.parse(scp === null ? trimmed : `ssh://${scp[1] ?? ''}/${scp[2] ?? ''}`)
  if (url === null) return undefined
  const path = withoutEnd(url.pathname.replace(/^\/+/, '/'), '/').replace(/\.git$/i, '')
  return { host: url.hostname.toLowerCase(), path }
}
