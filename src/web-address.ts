/** Parses an address of the web without user info; returns `undefined` for any other text. */
export function webAddressOf(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  return /^https?:$/.test(url.protocol) ? url : undefined
}
