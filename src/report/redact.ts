import { plainText } from './escape.ts'

/** Replaces every known secret in a text. */
export type Redact = (text: string) => string

/** Knows every secret of the run, and removes them from what leaves the process. */
export interface Redactor {
  /** Adds secrets; returns the new ones, to be masked in the log at once. */
  learn: (values: readonly string[]) => string[]
  redact: Redact
  /** Whether a text contains a known secret, in any case of its letters, also percent-encoded. */
  reveals: (text: string) => boolean
  /** Redacts every string of a JSON value. */
  redactDeep: (value: object) => unknown
}

/** Masking shorter values, like `1` or `on`, would blank out numbers and ids, and with them outputs of the job. */
const MIN_SECRET_LENGTH = 3

export function createRedactor(): Redactor {
  const known = new Set<string>()
  let longestFirst: string[] = []
  // Invisible characters are removed first: inside a secret they would hide it.
  const redact = (text: string): string =>
    longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '***'), plainText(text)).replace(USER_INFO, '$1***@')
  return {
    learn(values) {
      const fresh = values.flatMap(formsOf).filter((form) => !known.has(form))
      for (const form of fresh) known.add(form)
      // A secret may contain another one: the longer one is replaced first.
      if (fresh.length > 0) longestFirst = [...known].sort((one, other) => other.length - one.length)
      return [...new Set(fresh)]
    },
    redact,
    reveals(text) {
      const forms = [text, decodeSafely(text)].map((form) => form.toLowerCase())
      return longestFirst.some((secret) => forms.some((form) => reveals(form, secret.toLowerCase())))
    },
    redactDeep(value) {
      const replace = (_key: string, one: unknown): unknown => (typeof one === 'string' ? redact(one) : one)
      const redacted: unknown = JSON.parse(JSON.stringify(value, replace))
      return redacted
    },
  }
}

/** The user and the password of an address: no address needs them to be recognised. */
const USER_INFO = /\b(https?:\/\/)[^\s/?#@]+@/gi

/** In ids and commits, a shorter secret, like a port, occurs by chance. */
const MIN_LENGTH_IN_HEX = 8
const HEX = /^[0-9a-f-]+$/

function reveals(text: string, secret: string): boolean {
  if (text === secret) return true
  return text.includes(secret) && (secret.length >= MIN_LENGTH_IN_HEX || !HEX.test(text))
}

/** A secret, each of its lines, and their forms inside JSON and inside an address. */
function formsOf(value: string): string[] {
  const lines = value.split(/\r\n?|\n/).map((line) => line.trim())
  const escaped = [value, ...lines].flatMap((form) => [JSON.stringify(form).slice(1, -1), encodeSafely(form)])
  const forms = [value, ...lines, ...escaped]
  return [...forms, ...forms.map(plainText)].filter((form) => form.length >= MIN_SECRET_LENGTH)
}

/** Each percent-encoded character of ASCII by itself: a single one that is not valid hides nothing. */
function decodeSafely(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
}

/** A lone surrogate cannot be percent-encoded. */
function encodeSafely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : ''
}
