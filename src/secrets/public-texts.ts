import { withoutEnd } from './text.ts'

/** Compares texts that are public without the case of letters, the folder of a ref and the end of an address. */
export function comparable(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^refs\/(?:heads|tags)\//, '')
  return withoutEnd(withoutEnd(name, '/').replace(/\.git$/, ''), '/')
}

/** A deployment's name, and what it is the preview of. */
export function partsOfName(name: string): string[] {
  return [name, name.replace(/-pr-\d+$/, '')]
}

/** As short as git shows a commit, in characters. */
const SHORT_COMMIT = 7

export function partsOfCommit(commit: string): string[] {
  return [commit, commit.slice(0, SHORT_COMMIT)]
}

/** An address, its host and the parts of its path, such as the owner and the name of a repository. */
export function partsOfAddress(address: string): string[] {
  const url = URL.parse(address)
  if (url === null) return []
  const path = url.pathname.slice(1)
  return [...partsOfHost(address), `${url.origin}/${path}`, `${url.host}/${path}`, path, ...path.split('/')]
}

/** The same without the parts of the path, one of which may be a token. */
export function partsOfService(address: string): string[] {
  const url = URL.parse(address)
  return url === null ? [] : [...partsOfHost(address), `${url.origin}${url.pathname}`]
}

/** The same without the path, which may contain a token. */
export function partsOfHost(address: string): string[] {
  const url = URL.parse(address)
  return url === null ? [] : [url.origin, url.host, url.hostname]
}
