import { userInfoOf, webAddressOf } from '../secrets/address.ts'

/** A text is not accepted. The message names what is accepted, as the end of a sentence. */
export class Unacceptable extends Error {
  readonly findings: readonly Finding[]

  constructor(...findings: Finding[]) {
    super(findings.map(textOf).join('; '))
    this.findings = findings
  }

  get messages(): string[] {
    return this.findings.map(textOf)
  }
}

/** The message of a mistake, or of `count` mistakes. */
export type Finding = string | { text: string; count: number }

function textOf(finding: Finding): string {
  return typeof finding === 'string' ? finding : finding.text
}

/** Turns an input's text, which is not empty, into its value. Throws {@link Unacceptable}. */
export type Parser<T> = (text: string) => T

function matching(pattern: RegExp, message: string): Parser<string> {
  return (given) => {
    if (!pattern.test(given)) throw new Unacceptable(message)
    return given
  }
}

export const ONE_LINE = { form: /^[^\u0000-\u001f\u007f]*$/, message: 'must be one line without control characters' }
export const text = matching(ONE_LINE.form, ONE_LINE.message)

export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
export const headerName = matching(HEADER_NAME, 'must be the name of an HTTP header')

/** It is sent in a header, so a character that a header cannot contain is a pasting mistake. */
export const credential = matching(
  /^[\x21-\x7e]+$/,
  'must be printable ASCII without blanks or line breaks: check for a pasting mistake',
)

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const anyUuid = matching(UUID, 'must be a UUID, as in 123e4567-e89b-12d3-a456-426614174000')

export const uuid: Parser<string> = (given) => anyUuid(given).toLowerCase()

export const uuidOrPrevious: Parser<string> = (given) => {
  if (given === 'previous') return given
  try {
    return uuid(given)
  } catch (thrown) {
    if (thrown instanceof Unacceptable) throw new Unacceptable('must be a UUID or previous')
    throw thrown
  }
}

/** Parses a boolean of the YAML 1.2 core schema, as core.getBooleanInput does. */
export const boolean: Parser<boolean> = (given) => {
  if (/^(true|True|TRUE)$/.test(given)) return true
  if (/^(false|False|FALSE)$/.test(given)) return false
  throw new Unacceptable('must be true or false')
}

export function oneOf<const T extends string>(...accepted: readonly T[]): Parser<T> {
  return (given) => {
    const found = accepted.find((value) => value === given)
    if (found === undefined) throw new Unacceptable(`must be one of ${accepted.join(', ')}`)
    return found
  }
}

export function wholeNumber(max: number): Parser<number> {
  return (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
    if (!(value <= max)) throw new Unacceptable(`must be a whole number from 0 to ${max}`)
    return value
  }
}

const DURATION = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/
const BARE_SECONDS = /^\d+(\.\d+)?$/
/** A rollout takes less than a day; setTimeout's own limit is about 24.8 days. */
const MAX_DURATION_MS = 24 * 3_600_000

export const duration: Parser<number> = (given) => {
  const ms = milliseconds(given)
  if (ms === undefined) throw new Unacceptable('must be a duration above zero, as in 90s, 15m or 1h30m')
  if (ms > MAX_DURATION_MS) throw new Unacceptable('must be at most 24h')
  return ms
}

export const age: Parser<number> = (given) => {
  const [, days, rest = ''] = /^(?:(\d+)d)?(.*)$/.exec(given) ?? []
  const ofDays = Number(days ?? 0) * 24 * 3_600_000
  const ofRest = rest === '' ? 0 : milliseconds(rest)
  if (ofRest === undefined || ofDays + ofRest <= 0)
    throw new Unacceptable('must be a duration above zero, as in 7d, 36h or 1h30m')
  return ofDays + ofRest
}

function milliseconds(given: string): number | undefined {
  const parts = BARE_SECONDS.test(given) ? ['', '0', '0', given] : DURATION.exec(given)
  if (parts === null) return undefined
  const [, hours, minutes, seconds] = parts
  const ms = Math.round(((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000)
  return ms > 0 ? ms : undefined
}

export const pollInterval: Parser<'auto' | number> = (given) => {
  if (given === 'auto') return 'auto'
  const ms = milliseconds(given)
  if (ms === undefined || ms > MAX_DURATION_MS)
    throw new Unacceptable('must be auto, or a duration above zero, as in 5s')
  return ms
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The base address may have a path prefix. Plain http is accepted for loopback hosts, or with `allowHttp`. */
export function parseBaseUrl(given: string, allowHttp: boolean): URL {
  refuseUserInfo(given)
  const url = URL.parse(given)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Unacceptable('must be an address such as https://control-plane.example or https://host/api-host')
  }
  if (given.includes('?') || given.includes('#')) throw new Unacceptable('must not contain a query or a fragment')
  const version = /\/(v[12])(?=\/|$)/.exec(url.pathname)?.[1]
  if (version !== undefined) {
    throw new Unacceptable(`must not contain /${version}: the action adds /v1 or /v2 to each path itself`)
  }
  if (url.protocol === 'http:' && !allowHttp && !LOOPBACK.test(url.hostname)) {
    throw new Unacceptable('must be https because it carries credentials; with allow-http: true, http is accepted')
  }
  return url
}

/** An address is printed and stored. An @ after a colon counts: it may be the end of a password. */
function refuseUserInfo(given: string): void {
  if (userInfoOf(given)?.isEnded !== true) return
  throw new Unacceptable(`must not contain ${USER_INFO}`)
}

const USER_INFO = 'user info (a user name, a password or a token before an @); write an @ of a path or query as %40'

/** Refuses a password in an address, as {@link refuseUserInfo} does, and accepts a user name alone. */
export function refusePassword(given: string): void {
  if (userInfoOf(given)?.password !== undefined) refuseUserInfo(given)
}

/** A `{url}` that the rest of the address would change: its host, or the last part of its path. In a query, `&` ends it. */
const CONTINUED_URL = /^\{url\}&|\{url\}(?![/?#&]|$)/

/** Parses a web address, in which `{url}` is replaced by the deployment's URL. */
export const verifyAddress: Parser<string> = (given) => {
  refuseUserInfo(given)
  if (CONTINUED_URL.test(given)) throw new Unacceptable('must have a /, ? or # after {url}, as in {url}/ok')
  if (webAddressOf(given.replaceAll('{url}', 'https://deployment.example')) === undefined) {
    throw new Unacceptable('must be a web address without user info, as in {url}/ok or https://agent.example/ok')
  }
  return text(given)
}

export const plainAddress: Parser<string> = (given) => {
  refuseUserInfo(given)
  return text(given)
}

export const imageAddress: Parser<string> = (given) => {
  refusePassword(given)
  return text(given)
}

/** Parses a repository's address. A user name like that of `git@host:path` is accepted, but not with http. */
export const repositoryAddress: Parser<string> = (given) => {
  refusePassword(given)
  const url = URL.parse(given)
  if (url !== null && url.username !== '' && url.protocol.startsWith('http')) refuseUserInfo(given)
  return text(given)
}
