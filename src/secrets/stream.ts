import { formsInAnswer, isLongEnough } from './forms.ts'
import { SecretIndex } from './secret-index.ts'
import { asBytes } from './text.ts'

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
  readonly depth = 0
  readonly #secrets: ReadonlySet<string>
  readonly #isJson: boolean
  readonly #inside: SecretIndex
  readonly #any: SecretIndex
  /** In bytes: what is held back may be so long. */
  readonly #longest: number
  readonly #whole: ReadonlySet<string>
  readonly #longestWhole: number
  /** Bytes that were not returned yet: they may be the beginning of a secret. */
  #rest = ''
  #isStart = true

  /** @param whole secrets that are replaced only if they are a whole text */
  constructor(secrets: readonly string[], where: 'text' | 'json', whole: readonly string[] = []) {
    const inside = formsInAnswer(secrets, where)
    const alone = formsInAnswer(whole, where)
    this.#secrets = new Set([...secrets, ...whole].filter(isLongEnough).map(asBytes))
    this.#isJson = where === 'json'
    this.#inside = new SecretIndex(inside)
    this.#any = new SecretIndex([...inside, ...alone])
    this.#longest = Math.max(LONGEST_ESCAPE, this.#inside.longest)
    this.#whole = new Set(alone)
    this.#longestWhole = alone.reduce((longest, { length }) => Math.max(longest, length), 0)
  }

  /** Returns as much of the redacted text as is certain so far. */
  pass(piece: string): string {
    const text = this.#rest + piece
    if (this.#isStart && text.length <= this.#longestWhole) {
      this.#rest = text
      return ''
    }
    this.#isStart = false
    return this.#replace(text, text.length - this.#longest + 1)
  }

  /** Returns the rest of the redacted text. The next piece begins another text. */
  end(): string {
    const rest = this.#rest
    const isSecret = this.#isStart && this.#whole.has(rest)
    this.#isStart = true
    this.#rest = ''
    return isSecret ? REDACTED : this.#replace(rest, rest.length)
  }

  /** Whether a complete text contains a secret. */
  isIn(text: string): boolean {
    return this.#any.stretches(text).length > 0
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
    for (;;) {
      if (escape < at) escape = this.#nextEscape(text, at)
      at = Math.max(at, Math.min(until, escape, this.#inside.nextBeginning(text, at)))
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
    const found = this.#isJson ? text.indexOf('\\', from) : -1
    return found < 0 ? text.length : found
  }
}

/** The length of the character at a place, which may be that of an escape. */
function lengthOfSign(text: string, at: number, escape: number): number {
  if (at !== escape) return 1
  ESCAPE.lastIndex = at
  return ESCAPE.exec(text)?.[0].length ?? 1
}
