import { withoutRevealingWords, type Reveals } from '../revealing-words.ts'
import { plainText } from './escape.ts'
import { redactAcross, type SplitLines } from './redact-lines.ts'
import { MIN_SECRET_LENGTH, SecretIndex } from './secret-index.ts'

/** Replaces every known secret in a text. */
export type Redact = (text: string) => string

/** Knows every secret of the run, and removes them from what leaves the process. */
export interface Redactor {
  /** Adds secrets; returns the new ones, to be masked in the log at once. */
  learn: (values: readonly string[]) => string[]
  /** How many forms of secrets are known: what was clean at a lower number may reveal one now. */
  count: () => number
  redact: Redact
  /** Redacts lines of a log, of which more may follow: a secret may span several of them. */
  redactLines: (lines: readonly string[], isEnd: boolean) => SplitLines
  /** Whether a text contains a known secret, in any case of its letters, also encoded as in an address. */
  reveals: Reveals
  /** Redacts every string of a JSON value. */
  redactDeep: (value: object) => unknown
}

export function createRedactor(): Redactor {
  const learnt = new Set<string>()
  const known = new Set<string>()
  // Made when needed: secrets become known in batches.
  let index: SecretIndex | undefined
  let comparable: SecretIndex | undefined
  // Invisible characters are removed first: inside a secret they would hide it.
  const redact = (text: string): string => {
    index ??= new SecretIndex(known)
    const rest = withStars(plainText(text), index)
    return withoutRevealingWords(rest, (word) => ESCAPE.test(word) && revealsSecret(word)).replace(USER_INFO, '$1***@')
  }
  const revealsSecret: Reveals = (text) => {
    const among = (comparable ??= new SecretIndex([...known].flatMap(formsToCompare).filter(isLongEnough)))
    return formsToCompare(text).some((form) => reveals(form, among))
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
      if (fresh.size > 0) index = comparable = undefined
      return [...fresh]
    },
    count: () => known.size,
    redact,
    redactLines(lines, isEnd) {
      const { shown, held } = redactAcross(lines, (index ??= new SecretIndex(known)), isEnd)
      return { shown: shown.map(redact), held }
    },
    reveals: revealsSecret,
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
  const inQuery = escaped.map((form) => form.replaceAll('%20', '+'))
  return [...forms, ...inQuery, ...forms.map(plainText)].filter(isLongEnough)
}

function isLongEnough(form: string): boolean {
  return form.length >= MIN_SECRET_LENGTH
}

const ESCAPE = /%[0-7][0-9a-f]/i
/** However often it is encoded. */
const ESCAPES = /%(?:25)*([0-7][0-9a-f])/gi

/** A text as it is, and with its characters decoded until nothing changes; + counts as a blank in both. */
function formsToCompare(text: string): string[] {
  const encoded = text.replace(/[^\p{ASCII}]+/gu, encodeSafely)
  return [text, decodeSafely(encoded)].map((form) => form.toLowerCase().replaceAll('+', ' '))
}

/** Each percent-encoded character of ASCII by itself: a single one that is not valid hides nothing. */
function decodeSafely(text: string): string {
  const decoded = text.replace(ESCAPES, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
  return decoded === text ? text : decodeSafely(decoded)
}

/** A lone surrogate cannot be percent-encoded. */
function encodeSafely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : ''
}
