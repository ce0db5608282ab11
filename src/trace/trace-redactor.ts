import { fieldOf, parseOwnJson } from '../http/json.ts'
import { decoded } from '../secrets/address.ts'
import type { Redact, Redactor } from '../secrets/redact.ts'
import { plainText } from '../secrets/text.ts'
import { isLongEnough, unquoted } from '../secrets/forms.ts'
import { areReported } from '../rollout/fields/compare.ts'
import { linesOf } from '../rollout/watch/next-log.ts'
import { readDotenv } from '../secrets/dotenv.ts'
import { entriesOf } from '../secrets/lines.ts'

/**
 * Replaces each secret by a name, such as `redacted-0001`, the same one everywhere. A run whose secrets are these names
 * does the same: with `***` for all of them, it would take every secret for its own API key, and each one that the
 * control plane reports for one that it hides.
 */
export class TraceRedactor {
  readonly #redactor: Redactor
  readonly #names = new Map<string, string>()

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  readonly text = (text: string): string => this.#redactor.rename(text, (secret) => this.#nameOf(secret))

  /** Redacts a text of the run, which may be JSON. */
  data(text: string): string {
    const json = parsed(text)
    return json === undefined ? this.text(text) : this.#json(text, json, json)
  }

  /** Redacts a file that the run has read. `secrets`: every value in it is a secret. */
  file(text: string, content: 'secrets' | undefined): string {
    return content === 'secrets' ? this.#secretsFile(text) : this.data(text)
  }

  /** Redacts the body of an answer. `isNewestFirst`: the order of the lines of a log. */
  body(text: string, isNewestFirst = false): string {
    const json = parsed(text)
    return json === undefined ? this.#freeText(text) : this.#json(text, json, this.#withLog(json, isNewestFirst))
  }

  variable(name: string, value: string): string {
    if (name === 'INPUT_SECRETS') return this.#secretsInput(value)
    // A trace contains nothing that is sent to the address: each of these texts may be any other one.
    if (name === 'INPUT_VERIFY-BODY') return value.trim() === '' ? value : this.#nameOf(value)
    if (name === 'INPUT_VERIFY-HEADERS') return this.#headersInput(value)
    return this.#redactor.isPlainSecret(value.trim()) ? this.#nameOf(value) : this.data(value)
  }

  /** With `***`, as the log shows it, also in place of plain words: a run looks for no secret in it. */
  readonly #freeText: Redact = (text) => {
    const redactedText = this.#redactor.redactFreeText(text)
    return redactedText === plainText(text) ? text : redactedText
  }

  /** Every value of `secrets`, also a plain word, which the log does not hide; but not what is public. */
  readonly #secretText: Redact = (value) => {
    const isHidden = isLongEnough(value) && !this.#redactor.isPublic(value) && areReported([{ name: '', value }])
    return isHidden ? this.#nameOf(value) : this.text(value)
  }

  /** It stays JSON, unless a secret is more than a value or a name in it. */
  #json(text: string, original: object, json: object): string {
    const values = JSON.stringify(this.#value(json, this.text))
    return this.text(values === JSON.stringify(original) ? text : values)
  }

  /** `ofSecrets`: whether it is what is named `secrets`. */
  #value(value: unknown, redact: Redact, ofSecrets = false): unknown {
    if (typeof value === 'string') return redact(value)
    if (typeof value === 'number') return redact(String(value)) === String(value) ? value : redact(String(value))
    if (Array.isArray(value)) return value.map((one) => this.#value(one, redact, ofSecrets))
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value).map(([key, member]) => {
      const redactOne = ofSecrets && key === 'value' ? this.#secretText : redact
      return [key, this.#value(member, FREE_TEXT.has(key) ? this.#freeText : redactOne, key === 'secrets')]
    })
    return Object.fromEntries(members)
  }

  /** Redacts a log, in which a secret may span several lines and several entries. */
  #withLog(json: object, isNewestFirst: boolean): object {
    const logs = fieldOf(json, 'logs')
    if (!Array.isArray(logs)) return json
    const inOrder = (entries: readonly unknown[]): readonly unknown[] =>
      isNewestFirst ? entries.toReversed() : entries
    const entries = inOrder(logs).map((entry) => ({ entry, lines: linesIn(entry) }))
    const redactedLines = this.#redactor.redactPart(entries.flatMap(({ lines }) => lines))
    let from = 0
    const redacted = entries.map(({ entry, lines }) => {
      const own = redactedLines.slice(from, (from += lines.length))
      const isClean = lines.every((line, index) => plainText(line) === own[index])
      return isClean || typeof entry !== 'object' ? entry : { ...entry, message: own.join('\n') }
    })
    return { ...json, logs: inOrder(redacted) }
  }

  /** Writes a list of secrets as JSON: in lines, quotes and breaks would depend on the values. */
  #secretsInput(value: string): string {
    const { entries, mistakes } = entriesOf(value)
    const isSound = mistakes.length === 0 && entries.every(({ value }) => value !== undefined)
    if (!isSound || entries.length === 0) return this.text(value)
    const members = entries.map(({ name, value = '' }) =>
      [name, this.#secretText(value)].map((one) => JSON.stringify(one)).join(':'),
    )
    return `{${members.join(',')}}`
  }

  /** No text of a file that has mistakes is kept but its punctuation, which decides what the mistakes are. */
  #secretsFile(text: string): string {
    const { entries, mistakes } = readDotenv(text)
    if (mistakes.length > 0) return text.replace(/(?<!\\)[\p{L}\p{N}]/gu, 'x')
    return entries.map(({ name, value }) => `${name}=${inQuotes(this.#secretText(value))}\n`).join('')
  }

  #headersInput(text: string): string {
    return text.replace(HEADER, (line, head = '', value: string) =>
      value.trim() === '' ? line : `${head} ${this.#nameOf(value.trim())}`,
    )
  }

  #nameOf(secret: string): string {
    // The redaction itself may count as a secret that was found.
    if (secret === '***') return secret
    // In an address, a secret is percent-encoded.
    const key = unquoted(decoded(plainText(secret)))
    const name = this.#names.get(key) ?? nameLike(key, `redacted-${String(this.#names.size + 1).padStart(4, '0')}`)
    this.#names.set(key, name)
    return name
  }
}

/** A line: its name, if it has one, and its value. */
const HEADER = /^([ \t]*[\w-]+:)?(.*)$/gm

/** Texts that a person may have written, or a program that the run does not know. */
const FREE_TEXT: ReadonlySet<string> = new Set(['status_message', 'message', 'detail', 'error'])

function linesIn(entry: unknown): string[] {
  const message = fieldOf(entry, 'message')
  return typeof message === 'string' ? [...linesOf(message)] : []
}

/** Only a value that is too short to be hidden, or public, has such signs. */
function inQuotes(value: string): string {
  if (!/['\\]/.test(value)) return `'${value}'`
  return /["\\]/.test(value) ? `'${value.replace(/['\\]/g, 'x')}'` : `"${value}"`
}

/** A signed address stays an address: a run sends a request to it. */
function nameLike(secret: string, name: string): string {
  const [, scheme] = /^(https?):\/\/\S+$/i.exec(secret) ?? []
  return scheme === undefined ? name : `${scheme.toLowerCase()}://${name}.example/`
}

function parsed(text: string): object | undefined {
  const json = parseOwnJson(text)
  return json.ok && typeof json.value === 'object' && json.value !== null ? json.value : undefined
}
