import type { Credentials } from './credentials.ts'
import type { RecordedRequest } from './intake.ts'

/** Parameters whose values may give access: a signature, or a credential at the wrong place. */
const SECRET_PARAMETER = /([?&][^=&]*(?:signature|key|token|secret|password)[^=&]*=)[^&]*/gi
/** A shorter credential would hide letters of every path. */
const LEAST_LENGTH = 3

/** Returns a path and its query without credentials, in whatever encoding. */
export function safePath(path: string, { apiKey = '', bearerToken = '', tenantId = '' }: Credentials): string {
  const values = [apiKey, bearerToken, tenantId].filter((value) => value.length >= LEAST_LENGTH)
  const isSecret = (part: string): boolean => values.some((value) => decoded(part).includes(value))
  const named = path.replace(SECRET_PARAMETER, '$1***')
  const whole = values.reduce((safe, value) => safe.replaceAll(value, '***'), named)
  return whole.replace(/[^/?&=]+/g, (part) => (isSecret(part) ? '***' : part))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The line of a request in the terminal. */
export function requestLine(
  { method, prefix, path, status, fault, at }: RecordedRequest,
  credentials: Credentials,
  now: number,
): string {
  const answered = status === 0 ? 'no response' : String(status)
  const because = fault === undefined ? '' : `  (fault: ${fault})`
  return `${new Date(at).toISOString().slice(11, 19)}  ${answered}  ${now - at} ms  ${method} ${prefix}${safePath(path, credentials)}${because}`
}
