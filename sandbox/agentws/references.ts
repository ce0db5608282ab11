/** A snapshot's Docker-style reference. The default of the tag is `latest`. */
export interface Reference {
  name: string
  tag: string
}

/** The tag follows the last colon, unless a slash follows it: then it separates a host and its port. */
export function parseReference(text: string): Reference {
  const colon = text.lastIndexOf(':')
  if (colon < 0 || text.indexOf('/', colon) >= 0) return { name: text, tag: 'latest' }
  return { name: text.slice(0, colon), tag: text.slice(colon + 1) }
}
