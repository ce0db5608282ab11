import { comparable, plainText, replaced, type Stretch } from './text.ts'
import { lazyIndex, MIN_SECRET_LENGTH, type SecretIndex } from './secret-index.ts'
import { keepEnd, redactAcross, shownPart, type KnownPart, type SplitLines } from './redact-lines.ts'
import { encodedFormsOf, ESCAPE, formsOf, formsToCompare, isLongEnough, piecesOf, unquoted } from './forms.ts'
import { secretsOfText } from './address.ts'
import { looksSecret, secretsOfVariable, type Variable } from './recognition.ts'

export type Redact = (text: string) => string

/** The forms of the known secrets, and an index for each use of them. */
class KnownForms {
  readonly forms = new Set<string>()
  readonly plain = lazyIndex(this.forms, (form) => [form])
  readonly withEncoded = lazyIndex(this.forms, (form) => [form, ...encodedFormsOf(form)])
  readonly forComparison = lazyIndex(this.forms, (form) => formsToCompare(form).filter(isLongEnough))
}

/**
 * Knows every secret of the run, and removes them from what leaves the process. A value of the deployment's environment
 * that is public is no secret. One that is a plain word or number is removed from free text of a server only.
 */
export class Redactor {
  readonly #publicTexts = new Set<string>()
  readonly #credentials = new Set<string>()
  /** Values that are no public texts of their own deployment, and their lines. */
  readonly #pieces = new Set<string>()
  #forms = new KnownForms()
  readonly #words = new Set<string>()
  readonly #mask: (form: string) => void
  #generation = 0

  /** @param mask hides a text in the log of the whole job: it gets each form of a secret before anything can print it */
  constructor(mask: (form: string) => void) {
    this.#mask = mask
  }

  /** Changes with the known secrets: a text that was clean at another generation may reveal one now. */
  get generation(): number {
    return this.#generation
  }

  /** Adds credentials, which are secrets whatever they look like. */
  learn(values: readonly string[]): void {
    const added = values.flatMap(piecesOf).filter((piece) => !this.#credentials.has(piece))
    for (const piece of added) this.#credentials.add(piece)
    this.#addForms(added.flatMap(formsOf)).forEach(this.#mask)
  }

  /** Adds values of the deployment's environment. Those that are public or a plain word are not masked. */
  learnValues(values: readonly string[], ownTexts: readonly string[] = []): void {
    const own = new Set(ownTexts.map(comparable))
    const isOwn = (value: string): boolean => own.has(comparable(unquoted(value)))
    const fresh = [...new Set(values)].filter((value) => !this.#pieces.has(value))
    const added = fresh.flatMap(piecesOf).filter((piece) => !isOwn(piece))
    for (const piece of added) this.#pieces.add(piece)
    this.#addPieces(added).forEach(this.#mask)
  }

  /** Adds texts that are public. A value that is one of them is no secret, and was none. */
  allow(texts: readonly string[]): void {
    for (const text of texts) this.#publicTexts.add(comparable(text))
    if (this.#pieces.size > 0) this.#relearn()
  }

  isPublic(value: string): boolean {
    return this.#publicTexts.has(comparable(unquoted(value)))
  }

  isPlainSecret(value: string): boolean {
    return this.#words.has(unquoted(value))
  }

  readonly redact: Redact = (text) => this.#redactBy(this.#forms.plain(), text)

  /** Redacts free text of a server: plain words and numbers, too, and secrets in base64 or hex. */
  readonly redactFreeText: Redact = (text) =>
    // Words come last: one may be a part of a longer secret, which would not be recognised without it.
    withoutWords(this.#redactBy(this.#forms.withEncoded(), text), this.#words)

  /** Redacts lines of a log, of which more may follow: a secret may span several of them. Cuts long lines. */
  redactLines(lines: readonly string[], isEnd: boolean): SplitLines {
    return this.#redactLog({ lines, isStart: true, isEnd })
  }

  /** Returns the part of a log's end that is needed to redact it later, when more secrets may be known. */
  readonly keepTail = (lines: readonly string[]): string[] => keepEnd(lines, this.#forms.withEncoded())

  /** Redacts the last `most` lines of the end of a log, which may begin inside a secret. */
  redactTail(lines: readonly string[], most: number): string[] {
    return this.redactPart(this.keepTail(lines)).slice(-most)
  }

  /** Redacts lines of a log, which may begin and end inside a secret. Their number stays the same. */
  redactPart(lines: readonly string[]): string[] {
    return this.#redactLog({ lines, isStart: false, isEnd: true }).ready
  }

  /** Whether a text contains a known secret, in any case of its letters, also encoded as in an address. */
  readonly reveals: Reveals = (text) => formsToCompare(text).some((form) => reveals(form, this.#forms.forComparison()))

  /** Replaces every known secret, also in base64 or hex, by a name. A text without one stays as it is. */
  rename(text: string, nameOf: (secret: string) => string): string {
    const renamed = this.#redactBy(this.#forms.withEncoded(), text, nameOf)
    return renamed === plainText(text) ? text : renamed
  }

  readonly redactedJson = (value: object): string =>
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'string' ? this.redact(one) : one))

  readonly redactDeep = (value: object): unknown => JSON.parse(this.redactedJson(value))

  #addForms(forms: readonly string[]): string[] {
    const fresh = [...new Set(forms)].filter((form) => !this.#forms.forms.has(form))
    for (const form of fresh) this.#forms.forms.add(form)
    if (fresh.length > 0) this.#generation++
    return fresh
  }

  #addPieces(added: readonly string[]): string[] {
    const secret = added.filter((piece) => !this.isPublic(piece))
    const plain = secret.map(unquoted).filter((piece) => isPlainValue(piece) && isLongEnough(piece))
    for (const word of plain) this.#words.add(word)
    if (plain.length > 0) this.#generation++
    return this.#addForms(secret.filter((piece) => !isPlainValue(unquoted(piece))).flatMap(formsOf))
  }

  #relearn(): void {
    this.#forms = new KnownForms()
    this.#words.clear()
    this.#generation++
    this.#addForms([...this.#credentials].flatMap(formsOf))
    this.#addPieces([...this.#pieces])
  }

  #redactBy(secrets: SecretIndex, text: string, nameOf?: (secret: string) => string): string {
    // Invisible characters are removed first: inside a secret they would hide it.
    const plain = plainText(text)
    const rest = replaced(plain, secrets.stretches(plain), nameOf)
    const isEscaped = (word: string): boolean => ESCAPE.test(word) && this.reveals(word)
    // Most texts have no escape: looking at each of their words would take longer than all the rest.
    return (ESCAPE.test(rest) ? cleanerOf(isEscaped)(rest) : rest).replace(USER_INFO, '$1***@')
  }

  #redactLog(part: KnownPart): SplitLines {
    const { ready, held } = redactAcross(part, this.#forms.withEncoded())
    return { ready: ready.map((line) => shownPart(line, this.redactFreeText)), held }
  }
}

/** The user and the password of an address: an address is recognised without them. */
const USER_INFO = /\b(https?:\/\/)[^\s/?#@]+@/gi

/** In ids and commits, a shorter secret, like a port, occurs by chance. */
const MIN_LENGTH_IN_HEX = 8
const HEX = /^[0-9a-f-]+$/

function reveals(text: string, secrets: SecretIndex): boolean {
  if (text !== '' && secrets.longestAt(text, 0) === text.length) return true
  const shortest = HEX.test(text) ? MIN_LENGTH_IN_HEX : MIN_SECRET_LENGTH
  return secrets.stretches(text).some(([start, end]) => end - start >= shortest)
}

const IN_WORD = /^[\p{L}\p{N}_]/u
const WORD_START = /(?<![\p{L}\p{N}_])[\p{L}\p{N}]/gu

/** Replaces plain values in a text where they are whole words: `info` is hidden in `level=info`, not in `information`. */
function withoutWords(text: string, words: ReadonlySet<string>): string {
  if (words.size === 0) return text
  const matches = text.matchAll(WORD_START).map(({ index }): Stretch => [index, endOfWord(text, index, words) ?? index])
  return replaced(
    text,
    matches.filter(([start, end]) => start < end),
  )
}

/** Returns the end of the longest word that starts at `at`. */
function endOfWord(text: string, at: number, words: ReadonlySet<string>): number | undefined {
  for (let length = MIN_DISTINCTIVE_LENGTH - 1; length >= MIN_SECRET_LENGTH; length--) {
    const end = at + length
    if (words.has(text.slice(at, end)) && !IN_WORD.test(text.slice(end, end + 2))) return end
  }
  return undefined
}

/** In UTF-16 units. */
export const MIN_DISTINCTIVE_LENGTH = 8

/** Letters only, or digits with single separators, as in `info`, `8000`, `0.5` or `10:30`. */
const PLAIN = /^(?:\p{L}+|\d+(?:[.,:_-]\d+)*)$/u

/** Whether a value is a short plain word or number, which other texts contain by chance. */
export function isPlainValue(value: string): boolean {
  return value.length < MIN_DISTINCTIVE_LENGTH && PLAIN.test(value)
}

/** A value of at least this many characters is in no other text by chance. */
const MIN_INSIDE = 16
const MIN_KEY = 8
const MIN_CLASSES = 3
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]
/** The parts of names and addresses, like `us-east-1`, `v1.2.3-rc1` or `release/2026.11`. */
const WORDS = /^(?:[a-z]+\d{0,2}|\d{1,4})(?:[-_./:@]+(?:[a-z]+\d{0,2}|\d{1,4}))*$/i

/** Whether a longer string hardly contains the value by chance: it is long or looks like a key. */
export function isDistinctiveInside(value: string): boolean {
  if (value.length >= MIN_INSIDE) return true
  if (value.length < MIN_KEY || WORDS.test(value)) return false
  return CLASSES.filter((one) => one.test(value)).length >= MIN_CLASSES
}

/** Whether a text contains a known secret, in any case of its letters, encoded or not. */
export type Reveals = (text: string) => boolean

/** An id, an address or a status, and what is beside it in a sentence or in JSON. */
const WORD = /[^\s"'<>(){}[\],;]+/g

/** Returns what replaces each word of a text that contains a known secret in any form. */
export function cleanerOf(reveals: Reveals): Redact {
  return (text) => text.replace(WORD, (word) => (reveals(word) ? '***' : word))
}

/** The values of the input `variables` are no secrets; one that looks like a secret, or a password of an address, is one. */
export function learnVariables(redactor: Redactor, variables: readonly Variable[]): void {
  const values = variables.map(({ value }) => value)
  const secret = new Set(variables.filter(looksSecret).map(({ value }) => value))
  redactor.allow(values.filter((value) => !secret.has(value)))
  redactor.learnValues([...variables.flatMap(secretsOfVariable), ...values.flatMap(secretsOfText)])
}
