import { asBytes } from './bytes.ts'

const IN_PLACE = '***'

/** Shorter ones, like `1`, would blank out half of what is there. */
const MIN_LENGTH = 3

/** An escape of JSON is one character: no secret begins in the middle of it. */
const ESCAPE = String.raw`\\u[0-9a-fA-F]{4}|\\.`
const LONGEST_ESCAPE = 6

/**
 * Takes texts that are known to be secret out of a stream of bytes (latin1), also where two pieces meet: out of any text,
 * or out of what stands between the quotes of a JSON string, which then still is one. Some are taken out only where they
 * are the whole of it.
 */
export class KnownSecrets {
  readonly #secrets: ReadonlySet<string>
  readonly #any: RegExp | undefined
  readonly #each: RegExp | undefined
  readonly #longest: number
  readonly #whole: ReadonlySet<string>
  readonly #longestWhole: number
  #rest = ''
  /** Nothing of the text was handed on yet. */
  #isStart = true

  /** @param whole those that are taken out only where they are the whole of a text */
  constructor(secrets: readonly string[], where: 'text' | 'json', whole: readonly string[] = []) {
    const inside = formsOf(secrets, where)
    const alone = formsOf(whole, where)
    const pattern = patternOf(inside)
    this.#secrets = new Set([...secrets, ...whole].filter(isLong).map(asBytes))
    this.#any = inside.length + alone.length === 0 ? undefined : new RegExp(patternOf([...inside, ...alone]))
    this.#each =
      inside.length === 0
        ? undefined
        : new RegExp(where === 'json' ? `(${pattern})|${ESCAPE}` : `(${pattern})`, 'gs')
    this.#longest = Math.max(LONGEST_ESCAPE, inside[0]?.length ?? 0)
    this.#whole = new Set(alone)
    this.#longestWhole = alone[0]?.length ?? 0
  }

  pass(piece: string): string {
    const text = this.#rest + piece
    if (this.#isStart && text.length <= this.#longestWhole) {
      this.#rest = text
      return ''
    }
    this.#isStart = false
    return this.#replace(text, text.length - this.#longest + 1)
  }

  /** What was held back, as it might have been a secret or the beginning of one. Begins anew after it. */
  end(): string {
    const rest = this.#rest
    const isSecret = this.#isStart && this.#whole.has(rest)
    this.#isStart = true
    this.#rest = ''
    return isSecret ? IN_PLACE : this.#replace(rest, rest.length)
  }

  /** Whether a secret stands anywhere in a text as a whole. */
  isIn(text: string): boolean {
    return this.#any?.test(text) === true
  }

  /** Whether a text is a secret. */
  isOne(text: string): boolean {
    return this.#secrets.has(text)
  }

  /** A secret that begins at `until` or later may have more to come. */
  #replace(text: string, until: number): string {
    const each = this.#each
    this.#rest = ''
    if (each === undefined) return text
    let out = ''
    let from = 0
    for (const { 0: whole, 1: secret, index } of text.matchAll(each)) {
      if (index >= until) break
      out += text.slice(from, index) + (secret === undefined ? whole : IN_PLACE)
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

/** The longest first: at one and the same place it has to go. */
function formsOf(secrets: readonly string[], where: 'text' | 'json'): string[] {
  const forms = secrets
    .filter(isLong)
    .flatMap((text) => (where === 'json' ? jsonForms(text) : [text, ...jsonForms(text)]))
  return [...new Set(forms.map(asBytes))].sort((one, other) => other.length - one.length)
}

function patternOf(forms: readonly string[]): string {
  return forms.map(RegExp.escape).join('|')
}

/** As servers write a text into JSON: some escape more than they have to. */
function jsonForms(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = escaped(plain, /[^\u0000-\u007f]/g)
  const forms = [plain, ascii, ascii.replace(/\\u[0-9a-f]{4}/g, upperCase), escaped(plain, /[<>&'+]/g)]
  return [...forms, ...forms.map((form) => form.replaceAll('/', String.raw`\/`))]
}

function escaped(text: string, which: RegExp): string {
  return text.replace(which, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function upperCase(escape: string): string {
  return String.raw`\u${escape.slice(2).toUpperCase()}`
}
