import { parseJson } from '../http/json.ts'
import { asBytes, asText } from './text.ts'
import { formsInAnswer, isLongEnough } from './forms.ts'
import { MIN_SECRET_LENGTH, SecretIndex } from './secret-index.ts'

export const REDACTED = '***'

/** A JSON escape is one character: no secret begins inside it. */
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|[^])/y
const LONGEST_ESCAPE = 6

/**
 * Replaces known secrets in a stream of bytes (latin1), also where two pieces meet: in any text, or between the quotes of
 * a JSON string, which stays one.
 */
export class StreamRedactor {
  /** A text is not nested. */
  readonly deepest = 0
  readonly #secrets: ReadonlySet<string>
  readonly #isJson: boolean
  readonly #inside: SecretIndex
  /** The length of the longest secret, in bytes: that much may be held back. */
  readonly #longest: number
  readonly #whole: SecretIndex
  /** Bytes that were not returned yet: they may be the beginning of a secret. */
  #rest = ''
  #isStart = true

  /** @param whole secrets that are replaced only if they are a whole text */
  constructor(secrets: readonly string[], where: 'text' | 'json', whole: readonly string[] = []) {
    this.#secrets = new Set([...secrets, ...whole].filter(isLongEnough).map(asBytes))
    this.#isJson = where === 'json'
    this.#inside = new SecretIndex(formsInAnswer(secrets, where))
    this.#longest = Math.max(LONGEST_ESCAPE, this.#inside.longest)
    this.#whole = new SecretIndex(formsInAnswer(whole, where))
  }

  /** Returns as much of the redacted text as is certain so far. */
  pass(piece: string): string {
    const text = this.#rest + piece
    if (this.#isStart && text.length <= this.#whole.longest) {
      this.#rest = text
      return ''
    }
    this.#isStart = false
    return this.#replace(text, text.length - this.#longest + 1)
  }

  /** Returns the rest of the redacted text. The next piece begins another text. */
  end(): string {
    const rest = this.#rest
    const isSecret = this.#isStart && rest !== '' && this.#whole.longestAt(rest, 0) === rest.length
    this.#isStart = true
    const redacted = isSecret ? REDACTED : this.#replace(rest, rest.length - MIN_SECRET_LENGTH + 1) + this.#rest
    this.#rest = ''
    return redacted
  }

  isOne(text: string): boolean {
    return this.#secrets.has(text)
  }

  /** Replaces the secrets that begin before `until`: a later one may continue in the next piece. */
  #replace(text: string, until: number): string {
    this.#rest = ''
    if (this.#inside.longest === 0) return text
    let out = ''
    let from = 0
    let at = 0
    let escape = -1
    let beginning = -1
    for (;;) {
      if (escape < at) escape = this.#nextEscape(text, at)
      if (beginning < at) beginning = this.#inside.nextBeginning(text, at)
      at = Math.max(at, Math.min(until, escape, beginning))
      if (at >= until) break
      const length = this.#inside.longestAt(text, at)
      if (length > 0) {
        out += text.slice(from, at) + REDACTED
        from = at + length
      }
      at += length === 0 ? lengthOfSign(text, at, escape) : length
    }
    this.#rest = text.slice(at)
    return out + text.slice(from, at)
  }

  #nextEscape(text: string, from: number): number {
    const escapeAt = this.#isJson ? text.indexOf('\\', from) : -1
    return escapeAt < 0 ? text.length : escapeAt
  }
}

function lengthOfSign(text: string, at: number, escape: number): number {
  if (at !== escape) return 1
  ESCAPE.lastIndex = at
  return ESCAPE.exec(text)?.[0].length ?? 1
}

/** Values of `secrets`, and credentials, which stay in the text: the log must mask both. */
export class FoundSecrets {
  readonly #values = new Set<string>()
  readonly #maxCount: number
  #charactersLeft: number

  constructor(maxCount: number, maxCharacters: number) {
    this.#maxCount = maxCount
    this.#charactersLeft = maxCharacters
  }

  get all(): string[] {
    return [...this.#values]
  }

  get isFull(): boolean {
    return this.#values.size >= this.#maxCount || this.#charactersLeft <= 0
  }

  add(value: string): void {
    if (this.isFull || this.#values.has(value)) return
    this.#values.add(value)
    this.#charactersLeft -= value.length
  }
}

interface Container {
  isObject: boolean
  /** Whether the value is inside a list or an object named `secrets`. */
  isSecret: boolean
  /** The key of the next value; for a list, the key of the list. */
  key: string
  expectsKey: boolean
}

interface Text {
  /** `credential`: a value that grants access, like a minted token. */
  role: 'key' | 'value' | 'secret' | 'credential'
  /** The bytes of the string so far, for roles other than `value`. */
  kept: string
}

const CREDENTIAL_KEY = /^(.*_)?(token|api_key|password|upload_url)$/i
const MAX_KEPT = 64 * 1024
const BETWEEN = '{}[]:," \t\r\n'
/** A token outside of strings: a sign, blanks, a number or a literal. */
const OUTSIDE = /["{}[\],:]|[ \t\r\n]+|[^"{}[\],: \t\r\n]+/y
/** A token inside a string: its end or its text, but no half of an escape. A longer match would exceed the stack. */
const INSIDE = /"|(?:[^"\\]|\\[^]){1,10000}/y

export function findSecrets(json: string): string[] {
  const secrets = new FoundSecrets(Infinity, Infinity)
  new JsonRedactor(secrets).pass(asBytes(json))
  return secrets.all
}

/**
 * Redacts a JSON text of any length piece by piece: the values of `secrets` (contract, "Deployment" and "Secret": a
 * response may contain them) and the known secrets. Pieces are strings of bytes (latin1), as JSON's structure is ASCII.
 * A text that is not JSON never makes it fail.
 */
export class JsonRedactor {
  readonly #foundSecrets: FoundSecrets
  readonly #stack: Container[] = []
  #deepest = 0
  readonly #keys: StreamRedactor
  readonly #values: StreamRedactor
  #text: Text | undefined
  /** A backslash at the end of the piece before, in a string. */
  #cut = ''
  /** The current number or literal. */
  #bare = ''

  /**
   * The last parameters redact other known secrets, in keys and in values. `values` has all secrets of `keys`.
   * @param foundSecrets collects values of `secrets`, and credentials. When it is full, further credentials are redacted.
   */
  constructor(foundSecrets: FoundSecrets, keys = new StreamRedactor([], 'json'), values = keys) {
    this.#keys = keys
    this.#values = values
    this.#foundSecrets = foundSecrets
  }

  /** How deeply the text was nested at most, so far: a piece may open and close what is too deep. */
  get deepest(): number {
    return this.#deepest
  }

  /** Returns as much of the redacted text as is certain so far. */
  pass(piece: string): string {
    const text = this.#cut + piece
    let out = ''
    let at = 0
    while (at < text.length) {
      const pattern = this.#text === undefined ? OUTSIDE : INSIDE
      pattern.lastIndex = at
      if (!pattern.test(text)) break
      const part = text.slice(at, pattern.lastIndex)
      out += this.#text === undefined ? this.#outside(part) : this.#inside(this.#text, part)
      at += part.length
    }
    this.#cut = text.slice(at)
    if (this.#bare.length < MAX_KEPT) return out
    // No number has this length: the text is not JSON.
    const rest = this.#isSecretPlace() ? '' : this.#bare
    this.#bare = ''
    return out + rest
  }

  /** Returns the rest of the redacted text, without a secret that was cut off. */
  end(): string {
    const text = this.#text
    return text === undefined ? this.#endOfBare() : this.#inside(text, this.#cut) + this.#endOfText(text)
  }

  #outside(part: string): string {
    if (!BETWEEN.includes(part.charAt(0))) {
      this.#bare += part
      return ''
    }
    const before = this.#endOfBare()
    if (part === '"') this.#text = { role: this.#roleOfNext(), kept: '' }
    else this.#structure(part)
    return before + part
  }

  #inside(text: Text, part: string): string {
    if (part === '"') return this.#endOfText(text) + part
    if (text.role !== 'value' && text.kept.length < MAX_KEPT) text.kept += part
    return text.role === 'secret' ? '' : this.#redactorOf(text).pass(part)
  }

  #endOfText(text: Text): string {
    this.#close(text)
    return text.role === 'secret' ? REDACTED : this.#redactorOf(text).end()
  }

  #redactorOf({ role }: Text): StreamRedactor {
    return role === 'key' ? this.#keys : this.#values
  }

  #endOfBare(): string {
    const token = this.#bare
    this.#bare = ''
    const isHidden = token !== '' && this.#isSecretPlace() && token !== 'null'
    // Masking a word like true would remove half of the log.
    if (isHidden && /\d/.test(token)) this.#foundSecrets.add(token)
    // In an error, a number may equal a common value by chance; `keys` has no common values.
    return isHidden || this.#keys.isOne(token) ? `"${REDACTED}"` : token
  }

  #isSecretPlace(): boolean {
    const inside = this.#stack.at(-1)
    return inside?.isSecret === true && inside.key !== 'name'
  }

  #roleOfNext(): Text['role'] {
    const inside = this.#stack.at(-1)
    if (inside === undefined) return 'value'
    if (inside.expectsKey) return 'key'
    if (this.#isSecretPlace() || inside.key === 'secrets') return 'secret'
    if (!CREDENTIAL_KEY.test(inside.key)) return 'value'
    return this.#foundSecrets.isFull ? 'secret' : 'credential'
  }

  #close({ role, kept }: Text): void {
    this.#text = undefined
    const inside = this.#stack.at(-1)
    if (role === 'key' && inside !== undefined) {
      inside.key = kept.includes('\\') ? unquoted(kept) : kept
      inside.expectsKey = false
    }
    if (role === 'secret' || role === 'credential') this.#foundSecrets.add(unquoted(kept))
  }

  #structure(character: string): void {
    const inside = this.#stack.at(-1)
    if (character === '{' || character === '[') {
      const isObject = character === '{'
      const isSecret = inside?.isSecret === true || inside?.key === 'secrets'
      const key = isObject ? '' : (inside?.key ?? '')
      this.#stack.push({ isObject, isSecret, key, expectsKey: isObject })
      this.#deepest = Math.max(this.#deepest, this.#stack.length)
    } else if (character === '}' || character === ']') this.#stack.pop()
    else if (character === ',' && inside !== undefined) inside.expectsKey = inside.isObject
  }
}

/** Returns the text of the bytes between the quotes of a JSON string. */
function unquoted(bytes: string): string {
  const text = asText(bytes)
  const json = parseJson(`"${text}"`)
  return json.ok ? String(json.value) : text
}
