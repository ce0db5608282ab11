const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$/i

/**
 * Parses an ISO 8601 date-time. A text without a zone is not a moment: the zone of this machine would decide.
 * @returns milliseconds since the epoch
 */
export function parseTimestamp(text: string | undefined): number | undefined {
  return text !== undefined && ISO.test(text.trim()) ? millisecondsOf(text.trim()) : undefined
}

/** The form that a sender of HTTP must use (RFC 9110, "IMF-fixdate"). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * Parses the header `Date` of a response. Its unit is the second.
 * @returns milliseconds since the epoch
 */
export function parseHttpDate(header: string | undefined): number | undefined {
  return header !== undefined && HTTP_DATE.test(header) ? millisecondsOf(header) : undefined
}

function millisecondsOf(text: string): number | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
