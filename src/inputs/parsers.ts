import { webAddressOf } from '../web-address.ts'

/** Why a text was not accepted: what is accepted instead, as the end of a sentence. */
export class Unacceptable extends Error {
  /** One for each thing that is wrong. */
  readonly messages: readonly string[]

  constructor(...messages: string[]) {
    super(messages.join('; '))
    this.messages = messages
  }
}

/** From an input's text, never empty, to its value; throws {@link Unacceptable}. */
export type Parser<T> = (text: string) => T

export const text: Parser<string> = (given) => {
  if (/[\u0000-\u001f\u007f]/.test(given))
    throw new Unacceptable('must be one line without control characters')
  return given
}

/** YAML 1.2 core schema, as core.getBooleanInput has it. */
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const uuid: Parser<string> = (given) => {
  if (!UUID.test(given)) throw new Unacceptable('must be a UUID, as in 123e4567-e89b-12d3-a456-426614174000')
  return given.toLowerCase()
}

const DURATION = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/
const BARE_SECONDS = /^\d+(\.\d+)?$/
/** setTimeout's own limit is about 24.8 days; nobody waits longer than a day for a rollout. */
const MAX_DURATION_MS = 24 * 3_600_000

/** `90s`, `15m`, `1h30m`; a bare number is seconds. Gives milliseconds. */
export const duration: Parser<number> = (given) => {
  const ms = milliseconds(given)
  if (ms === undefined) throw new Unacceptable('must be a duration above zero, as in 90s, 15m or 1h30m')
  if (ms > MAX_DURATION_MS) throw new Unacceptable('must be at most 24h')
  return ms
}

/** A duration that nobody waits for, and that may be days: `7d`, `36h`. Gives milliseconds. */
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

/** `auto`, or a duration. */
export const pollInterval: Parser<'auto' | number> = (given) => {
  if (given === 'auto') return 'auto'
  try {
    return duration(given)
  } catch {
    throw new Unacceptable('must be auto, or a duration above zero, as in 5s')
  }
}

/** An HTTP header's name. */
export const headerName: Parser<string> = (given) => {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(given))
    throw new Unacceptable('must be the name of an HTTP header')
  return given
}

/** A credential goes into a header: what could not stand there was pasted wrongly. */
export const credential: Parser<string> = (given) => {
  if (!/^[\x21-\x7e]+$/.test(given)) {
    throw new Unacceptable('must be printable ASCII without blanks or line breaks: check how it was pasted')
  }
  return given
}

/** A web address; `{url}` in it stands for the deployment's own. */
export const verifyAddress: Parser<string> = (given) => {
  if (webAddressOf(given.replaceAll('{url}', 'https://deployment.example')) === undefined) {
    throw new Unacceptable(
      'must be a web address without user info, as in {url}/ok or https://agent.example/ok',
    )
  }
  return text(given)
}

/** An address without user info, which would be shown, stored and sent on. */
export const repositoryAddress: Parser<string> = (given) => {
  const url = URL.parse(given)
  if (url !== null && (url.password !== '' || (url.username !== '' && url.protocol.startsWith('http')))) {
    throw new Unacceptable('must not carry a user name, a password or a token')
  }
  return text(given)
}
