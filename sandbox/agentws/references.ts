/** A snapshot's Docker-style reference: a bare name means its tag `latest`. */
export interface Reference {
  name: string
  tag: string
}

/** The tag stands behind the last colon, unless a slash follows: that one is of a host's port. */
export function parseReference(text: string): Reference {
  const colon = text.lastIndexOf(':')
  if (colon < 0 || text.indexOf('/', colon) >= 0) return { name: text, tag: 'latest' }
  return { name: text.slice(0, colon), tag: text.slice(colon + 1) }
}
