import { asBytes } from './bytes.ts'

const IN_PLACE = '***'

/** Shorter ones, like `1`, would blank out half of what is there. */
const MIN_LENGTH = 3

/** An escape of JSON is one character: no secret begins in the middle of it. */
const ESCAPE = String.raw`\\u[0-9a-fA-F]{4}|\\.`
const LONGEST_ESCAPE = 6

/**
 * Takes texts that are known to be secret out of a stream of bytes (latin1), also where two pieces meet: out of any text,
 * or out of what stands between the quotes of a JSON string, which then still is one.
 */
export class KnownSecrets {
  readonly #secrets: ReadonlySet<string>
  readonly #any: RegExp | undefined
  readonly #each: RegExp | undefined
  readonly #longest: number
  #rest = ''

  constructor(secrets: readonly string[], where: 'text' | 'json') {
    const long = secrets.filter((text) => text.length >= MIN_LENGTH)
    const forms = long.flatMap((text) => (where === 'json' ? jsonForms(text) : [text, ...jsonForms(text)]))
    // At one and the same place the longest has to go.
    const sorted = [...new Set(forms.map(asBytes))].sort((one, other) => other.length - one.length)
    const pattern = sorted.map(RegExp.escape).join('|')
    this.#secrets = new Set(long.map(asBytes))
    this.#any = sorted.length === 0 ? undefined : new RegExp(pattern)
    this.#each =
      sorted.length === 0
        ? undefined
        : new RegExp(where === 'json' ? `(${pattern})|${ESCAPE}` : `(${pattern})`, 'gs')
    this.#longest = Math.max(LONGEST_ESCAPE, sorted[0]?.length ?? 0)
  }

  pass(piece: string): string {
    if (this.#each === undefined) return piece
    const text = this.#rest + piece
    return this.#replace(text, this.#each, text.length - this.#longest + 1)
  }

  /** What was held back, as it might have been the beginning of a secret. Begins anew after it. */
  end(): string {
    return this.#each === undefined ? '' : this.#replace(this.#rest, this.#each, this.#rest.length)
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
  #replace(text: string, each: RegExp, until: number): string {
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
