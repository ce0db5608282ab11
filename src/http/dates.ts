const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)$/i

/** Milliseconds since the epoch of an ISO 8601 date-time. Without a zone it is none: that of this machine would decide. */
export function parseTimestamp(text: string | undefined): number | undefined {
  return parseDate(text?.trim(), ISO)
}

/** The form that a sender of HTTP must use (RFC 9110, "IMF-fixdate"). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/

/** Milliseconds since the epoch of the header `Date`, whose unit is the second. */
export function parseHttpDate(header: string | undefined): number | undefined {
  return parseDate(header, HTTP_DATE)
}

function parseDate(text: string | undefined, form: RegExp): number | undefined {
  const ms = text !== undefined && form.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
