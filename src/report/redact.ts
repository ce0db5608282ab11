import { plainText } from './escape.ts'
import { MIN_SECRET_LENGTH, SecretIndex } from './secret-index.ts'

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

export function createRedactor(): Redactor {
  const learnt = new Set<string>()
  const known = new Set<string>()
  // Made when needed: secrets become known in batches.
  let index: SecretIndex | undefined
  let lowerCase: SecretIndex | undefined
  // Invisible characters are removed first: inside a secret they would hide it.
  const redact = (text: string): string => {
    index ??= new SecretIndex(known)
    return withStars(plainText(text), index).replace(USER_INFO, '$1***@')
  }
  return {
    learn(values) {
      const fresh = new Set<string>()
      for (const value of new Set(values)) {
        if (learnt.has(value)) continue
        learnt.add(value)
        for (const form of formsOf(value)) if (!known.has(form)) fresh.add(form)
      }
      for (const form of fresh) known.add(form)
      if (fresh.size > 0) index = lowerCase = undefined
      return [...fresh]
    },
    redact,
    reveals(text) {
      const among = (lowerCase ??= new SecretIndex([...known].map((secret) => secret.toLowerCase())))
      return [text, decodeSafely(text)].some((form) => reveals(form.toLowerCase(), among))
    },
    redactDeep(value) {
      const replace = (_key: string, one: unknown): unknown => (typeof one === 'string' ? redact(one) : one)
      const redacted: unknown = JSON.parse(JSON.stringify(value, replace))
      return redacted
    },
  }
}

function withStars(text: string, secrets: SecretIndex): string {
  let shown = ''
  let from = 0
  for (const [start, end] of secrets.stretches(text)) {
    shown += `${text.slice(from, start)}***`
    from = end
  }
  return shown + text.slice(from)
}

/** The user and the password of an address: no address needs them to be recognised. */
const USER_INFO = /\b(https?:\/\/)[^\s/?#@]+@/gi

/** In ids and commits, a shorter secret, like a port, occurs by chance. */
const MIN_LENGTH_IN_HEX = 8
const HEX = /^[0-9a-f-]+$/

function reveals(text: string, secrets: SecretIndex): boolean {
  if (text !== '' && secrets.longestAt(text, 0) === text.length) return true
  const shortest = HEX.test(text) ? MIN_LENGTH_IN_HEX : MIN_SECRET_LENGTH
  return secrets.stretches(text).some(([start, end]) => end - start >= shortest)
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
