import { fieldOf, parseJson } from '../http/json.ts'
import { timeOf } from '../http/retry-after.ts'
import { describeSchemes, type Credentials } from './api-request.ts'

interface Refusal {
  status: number
  /** The server's message. */
  detail: string
  headers: { date?: string | undefined; 'www-authenticate'?: string | undefined }
}

/** Returns a remedy for credentials that have expired; undefined if neither the answer nor the bearer token shows that. */
export function expiryHint(refusal: Refusal, credentials: Credentials, wallTime: number): string | undefined {
  const ofToken = { ...credentials, apiKey: undefined, tenantId: undefined }
  const expiresAt = expiryOf(credentials.bearerToken)
  if (expiresAt !== undefined && expiresAt <= timeOf(refusal.headers, wallTime))
    return `${describeSchemes(ofToken)} has expired: ${SET_ANOTHER}`
  if (!saysExpired(refusal)) return undefined
  const { apiKey, bearerToken } = credentials
  // An id does not expire.
  const sent = describeSchemes(
    apiKey === undefined && bearerToken === undefined ? credentials : { ...credentials, tenantId: undefined },
  )
  const isOne = apiKey === undefined || bearerToken === undefined
  return isOne
    ? `${sent} has expired: ${SET_ANOTHER}`
    : `One of these has expired: ${sent}. Set another one that lives until the end of the run.`
}

const SET_ANOTHER = 'set one that lives until the end of the run.'

/** Milliseconds since the epoch. Of a JWT (RFC 7519, "exp"), which is not verified; undefined for anything else. */
function expiryOf(token: string | undefined): number | undefined {
  const [, payload, signature] = token?.split('.') ?? []
  if (payload === undefined || signature === undefined) return undefined
  const json = parseJson(Buffer.from(payload, 'base64url').toString('utf8'))
  const seconds = json.ok ? fieldOf(json.value, 'exp') : undefined
  return typeof seconds === 'number' ? seconds * 1_000 : undefined
}

const EXPIRED = /\bexpired\b/i
/** As in "invalid or expired". */
const UNSURE = /\b(?:or|may|might|not|if|whether)\b[^.]{0,40}\bexpired\b|\bexpired\b[^.]{0,40}\bor\b/i
const CREDENTIAL = /\b(?:token|key|credential|jwt|signature|session|login)s?\b/i

/** A trial, a license or a plan may expire, too: a 403 must name what has. */
function saysExpired({ status, detail, headers }: Refusal): boolean {
  return [detail, headers['www-authenticate'] ?? ''].some(
    (text) => EXPIRED.test(text) && !UNSURE.test(text) && (status === 401 || CREDENTIAL.test(text)),
  )
}
