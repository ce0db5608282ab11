export const REDACTED = '***'

/** Shorter secrets, like `1`, would remove half of a response. */
const MIN_LENGTH = 3

/** A JSON escape is one character: no secret begins inside it. */
const ESCAPE = String.raw`\\u[0-9a-fA-F]{4}|\\.`
const LONGEST_ESCAPE = 6

/** Returns the text's bytes as a string (latin1): a piece of a response may end inside a character. */
export function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function asText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/**
 * Replaces known secrets in a stream of bytes (latin1), also where two pieces meet: in any text, or between the quotes of
 * a JSON string, which stays one.
 */
export class StreamRedactor {
  /** A text is not nested. */
  readonly depth = 0
  readonly #secrets: ReadonlySet<string>
  readonly #any: RegExp | undefined
  readonly #each: RegExp | undefined
  readonly #longest: number
  readonly #whole: ReadonlySet<string>
  readonly #longestWhole: number
  /** Bytes that were not returned yet: they may be the beginning of a secret. */
  #rest = ''
  #isStart = true

  /** @param whole secrets that are replaced only if they are a whole text */
  constructor(secrets: readonly string[], where: 'text' | 'json', whole: readonly string[] = []) {
    const inside = formsOf(secrets, where)
    const alone = formsOf(whole, where)
    const each = where === 'json' ? `(${patternOf(inside)})|${ESCAPE}` : `(${patternOf(inside)})`
    this.#secrets = new Set([...secrets, ...whole].filter(isLong).map(asBytes))
    this.#any = inside.length + alone.length === 0 ? undefined : new RegExp(patternOf([...inside, ...alone]))
    this.#each = inside.length === 0 ? undefined : new RegExp(each, 'gs')
    this.#longest = Math.max(LONGEST_ESCAPE, inside[0]?.length ?? 0)
    this.#whole = new Set(alone)
    this.#longestWhole = alone[0]?.length ?? 0
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
    return this.#any?.test(text) === true
  }

  /** Whether a text equals a secret. */
  isOne(text: string): boolean {
    return this.#secrets.has(text)
  }

  /** Replaces the secrets that begin before `until`: a later one may continue in the next piece. */
  #replace(text: string, until: number): string {
    const each = this.#each
    this.#rest = ''
    if (each === undefined) return text
    let out = ''
    let from = 0
    for (const { 0: whole, 1: secret, index } of text.matchAll(each)) {
      if (index >= until) break
      out += text.slice(from, index) + (secret === undefined ? whole : REDACTED)
      from = index + whole.length
    }
    const end = Math.max(from, until)
    this.#rest = text.slice(end)
    return out + text.slice(from, end)
  }
}

function isLong(text: string): boolean {
  return text.length >= MIN_LENGTH
}

/** Returns all forms, the longest first: a pattern takes the first alternative that matches. */
function formsOf(secrets: readonly string[], where: 'text' | 'json'): string[] {
  const forms = secrets
    .filter(isLong)
    .flatMap((text) => [...new Set([text, ...addressForms(text), ...pageForms(text)])])
    .flatMap((text) => (where === 'json' ? jsonForms(text) : [text, ...jsonForms(text)]))
  return [...new Set(forms.map(asBytes))].sort((one, other) => other.length - one.length)
}

function patternOf(forms: readonly string[]): string {
  return forms.map(RegExp.escape).join('|')
}

/** Returns the ways in which a text is written into an address, and those into the address of an address. */
function addressForms(text: string): string[] {
  if (!text.isWellFormed()) return []
  const query = new URLSearchParams({ '': text }).toString().slice(1)
  const once = [
    encodeURIComponent(text),
    encodeURI(text),
    query,
    query.replaceAll('+', '%20'),
    text.replaceAll(' ', '+'),
  ]
  const forms = [...once, ...once.map(encodeURIComponent)]
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))]
}

/** Returns the ways in which a text is written into HTML. */
function pageForms(text: string): string[] {
  return ['&#39;', '&#x27;', '&apos;', "'"].map((quote) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", quote),
  )
}

/** Returns the ways in which servers write a text into JSON: some escape more than they have to. */
function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = escaped(plain, /[^\u0000-\u007f]/g)
  const upper = ascii.replace(/\\u[0-9a-f]{4}/g, (escape) => String.raw`\u${escape.slice(2).toUpperCase()}`)
  const forms = [plain, ascii, upper, escaped(plain, /[<>&'+]/g)]
  return [...forms, ...forms.map((form) => form.replaceAll('/', String.raw`\/`))]
}

function escaped(text: string, which: RegExp): string {
  return text.replace(which, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
