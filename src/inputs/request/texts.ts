import type { ApiCall, Parameter } from '../../request/call.ts'
import { headerName, refusePassword, text, Unacceptable, type Parser } from '../parsers.ts'

/** Parses a path below base-url and its query. The path cannot leave base-url. */
export const relativePath: Parser<{ path: string; query: Parameter[] }> = (given) => {
  text(given)
  refusePassword(given)
  if (/^[a-z][a-z0-9+.-]*:/i.test(given) || /^[\\/]{2}/.test(given))
    throw new Unacceptable(`must be a path below base-url, as in /v2/deployments, not a full address`)
  if (given.includes('#')) throw new Unacceptable('must not contain a fragment')
  const [before = '', ...after] = given.split('?')
  const segments = before.replace(/^\//, '').split('/')
  if (segments.some(isUpward))
    throw new Unacceptable('must not contain "." or ".." or a backslash: the path must stay below base-url')
  const url = new URL(`http://base/${segments.join('/')}`)
  return { path: url.pathname, query: [...new URLSearchParams(after.join('?'))] }
}

/** Whether a server may read the segment as a step upwards. Servers differ in what they decode and how often. */
function isUpward(segment: string): boolean {
  let decoded = segment
  for (let times = 0; times < 3; times++)
    decoded = decoded.replace(/%(2e|2f|3b|5c|25)/gi, (code) => decodeURIComponent(code))
  // Some servers remove path parameters first, so that `..;` is a step.
  const steps = decoded.split('/').map((part) => part.replace(/;.*/, ''))
  return decoded.includes('\\') || steps.some((step) => step === '.' || step === '..')
}

const STATUS = /^[1-5](\d\d|xx)$/i

/** Parses `200`, `2xx`, or several with commas or blanks. */
export const statuses: Parser<ApiCall['expects']> = (given) => {
  const wanted = given.toLowerCase().match(/[^\s,]+/g) ?? []
  if (wanted.length === 0 || !wanted.every((one) => STATUS.test(one)))
    throw new Unacceptable('must be statuses, as in 200, 2xx or "200, 404"')
  return (status) => wanted.some((one) => one === String(status) || one === `${String(status).charAt(0)}xx`)
}

/** Returns the lines without blanks around them, and without empty ones. */
export function nonEmptyLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Headers that the action sets. Another value would break the request or send other credentials. */
const RESERVED =
  /^(host|content-length|content-type|transfer-encoding|connection|expect|cookie|authorization|x-api-key|user-agent)$/i

/** Parses lines `Name: value`. */
export const headerLines: Parser<Record<string, string>> = (given) => {
  const headers: Record<string, string> = {}
  for (const line of nonEmptyLines(given)) {
    const [name = '', ...rest] = line.split(':')
    const value = rest.join(':').trim()
    if (rest.length === 0 || !/^[\x20-\x7e\t]*$/.test(value))
      throw new Unacceptable('must be lines of the form "Name: value", as in "Range: bytes=0-99"')
    headerName(name)
    if (RESERVED.test(name)) throw new Unacceptable(`must not set ${name}: the action sets it itself`)
    headers[name.toLowerCase()] = value
  }
  return headers
}
