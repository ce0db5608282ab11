/** Parses an address of the web without user info; returns `undefined` for any other text. */
export function webAddressOf(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  return /^https?:$/.test(url.protocol) ? url : undefined
}

/** An address without its user info, query and fragment, which may be secrets; '' for any other text. */
export function withoutQuery(address: string): string {
  const url = URL.parse(address)
  return url === null ? '' : `${url.protocol}//${url.host}${url.pathname}`
}

/** The scheme and the host of an address; '' for any other text. */
export function originOf(address: string): string {
  return URL.parse(address)?.origin ?? ''
}
