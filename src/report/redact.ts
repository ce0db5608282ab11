import { isPlainValue } from '../plain-value.ts'
import { comparable } from '../public-texts.ts'
import { withoutRevealingWords, type Reveals } from '../revealing-words.ts'
import { LOG_TAIL_LINES } from '../rollout/timing.ts'
import { plainText } from './escape.ts'
import { LazyIndex } from './lazy-index.ts'
import { keepEnd, redactAcross, shownPart, type KnownPart, type SplitLines } from './redact-lines.ts'
import { withoutWords } from './redact-words.ts'
import { encodedFormsOf, ESCAPE, formsOf, formsToCompare, isLongEnough, piecesOf, unquoted } from './secret-forms.ts'
import { MIN_SECRET_LENGTH, type SecretIndex } from './secret-index.ts'

/** Replaces every known secret in a text. */
export type Redact = (text: string) => string

/**
 * Knows every secret of the run, and removes them from what leaves the process. A value of the deployment's environment
 * that is public is no secret. One that is a plain word or number is removed from free text of a server only.
 */
export interface Redactor {
  /** Adds credentials, which are secrets whatever they look like; returns new ones, to be masked in the log at once. */
  learn: (credentials: readonly string[]) => string[]
  /** Adds values of the deployment's environment; returns those to be masked in the log at once. */
  learnValues: (values: readonly string[], publicTexts?: readonly string[]) => string[]
  /** Adds texts that are public. A value that is one of them is no secret, and was none. */
  allow: (texts: readonly string[]) => void
  isPublic: (value: string) => boolean
  /** Changes with the known secrets: what was clean at another version may reveal one now. */
  version: () => number
  redact: Redact
  /** Redacts free text of a server: plain words and numbers, too, and secrets in base64 or hex. */
  redactFreeText: Redact
  /** Redacts lines of a log, of which more may follow: a secret may span several of them. Cuts long lines. */
  redactLines: (lines: readonly string[], isEnd: boolean) => SplitLines
  /** What of the end of a log is needed to redact it later, when more secrets may be known. */
  keepTail: (lines: readonly string[]) => string[]
  /** Redacts the end of a log, which may begin inside a secret, and cuts it to what is shown. */
  redactTail: (lines: readonly string[]) => string[]
  /** Whether a text contains a known secret, in any case of its letters, also encoded as in an address. */
  reveals: Reveals
  /** Replaces every known secret, also in base64 or hex, by a name. A text without one stays as it is. */
  rename: (text: string, nameOf: (secret: string) => string) => string
  /** Whether a value is a secret that is a plain word or number. */
  isPlainSecret: (value: string) => boolean
  /** Redacts every string of a JSON value. */
  redactDeep: (value: object) => unknown
}

export function createRedactor(): Redactor {
  const publicTexts = new Set<string>()
  const credentials = new Set<string>()
  /** Of values that are no public texts of their own deployment. */
  const pieces = new Set<string>()
  const known = new Set<string>()
  const words = new Set<string>()
  let version = 0
  const index = new LazyIndex((form) => [form])
  const withEncoded = new LazyIndex((form) => [form, ...encodedFormsOf(form)])
  const forComparison = new LazyIndex((form) => formsToCompare(form).filter(isLongEnough))
  const indexes = [index, withEncoded, forComparison]
  const addForms = (forms: readonly string[]): string[] => {
    const fresh = [...new Set(forms)].filter((form) => !known.has(form))
    for (const form of fresh) known.add(form)
    for (const one of indexes) one.add(fresh)
    if (fresh.length > 0) version++
    return fresh
  }
  const isPublic = (value: string): boolean => publicTexts.has(comparable(unquoted(value)))
  const addPieces = (added: readonly string[]): string[] => {
    const secret = added.filter((piece) => !isPublic(piece))
    const plain = secret.map(unquoted).filter((piece) => isPlainValue(piece) && isLongEnough(piece))
    for (const word of plain) words.add(word)
    if (plain.length > 0) version++
    return addForms(secret.filter((piece) => !isPlainValue(unquoted(piece))).flatMap(formsOf))
  }
  const relearn = (): void => {
    known.clear()
    words.clear()
    version++
    for (const one of indexes) one.clear()
    addForms([...credentials].flatMap(formsOf))
    addPieces([...pieces])
  }
  const redactBy = (secrets: SecretIndex, text: string, nameOf?: (secret: string) => string): string => {
    // Invisible characters are removed first: inside a secret they would hide it.
    const rest = withStars(plainText(text), secrets, nameOf)
    const isEscaped = (word: string): boolean => ESCAPE.test(word) && revealsSecret(word)
    // Most texts have no escape: looking at each of their words would take longer than all the rest.
    return (ESCAPE.test(rest) ? withoutRevealingWords(rest, isEscaped) : rest).replace(USER_INFO, '$1***@')
  }
  const redact = (text: string): string => redactBy(index.get(), text)
  // Words come last: one may be a part of a longer secret, which would not be recognised without it.
  const redactFreeText = (text: string): string => withoutWords(redactBy(withEncoded.get(), text), words)
  const redactLog = (part: KnownPart): SplitLines => {
    const { shown, held } = redactAcross(part, withEncoded.get())
    return { shown: shown.map((line) => shownPart(line, redactFreeText)), held }
  }
  const revealsSecret: Reveals = (text) => {
    return formsToCompare(text).some((form) => reveals(form, forComparison.get()))
  }
  return {
    learn(values) {
      const added = values.flatMap(piecesOf).filter((piece) => !credentials.has(piece))
      for (const piece of added) credentials.add(piece)
      return addForms(added.flatMap(formsOf))
    },
    learnValues(values, ownTexts = []) {
      const own = new Set(ownTexts.map(comparable))
      const isOwn = (value: string): boolean => own.has(comparable(unquoted(value)))
      const fresh = [...new Set(values)].filter((value) => !pieces.has(value))
      const added = fresh.flatMap(piecesOf).filter((piece) => !isOwn(piece))
      for (const piece of added) pieces.add(piece)
      return addPieces(added)
    },
    allow(texts) {
      for (const text of texts) publicTexts.add(comparable(text))
      if (pieces.size > 0) relearn()
    },
    isPublic,
    version: () => version,
    redact,
    redactFreeText,
    redactLines: (lines, isEnd) => redactLog({ lines, isStart: true, isEnd }),
    keepTail: (lines) => keepEnd(lines, withEncoded.get()),
    redactTail: (lines) =>
      redactLog({ lines: keepEnd(lines, withEncoded.get()), isStart: false, isEnd: true }).shown.slice(-LOG_TAIL_LINES),
    reveals: revealsSecret,
    rename(text, nameOf) {
      const renamed = redactBy(withEncoded.get(), text, nameOf)
      return renamed === plainText(text) ? text : renamed
    },
    isPlainSecret: (value) => words.has(unquoted(value)),
    redactDeep(value) {
      const replace = (_key: string, one: unknown): unknown => (typeof one === 'string' ? redact(one) : one)
      const redacted: unknown = JSON.parse(JSON.stringify(value, replace))
      return redacted
    },
  }
}

const STARS = (): string => '***'

function withStars(text: string, secrets: SecretIndex, nameOf: (secret: string) => string = STARS): string {
  let shown = ''
  let from = 0
  for (const [start, end] of secrets.stretches(text)) {
    shown += text.slice(from, start) + nameOf(text.slice(start, end))
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
