import { isInWord } from './redact-words.ts'

/** No text that is compared contains it. */
const SEPARATOR = '\u0000'

/** Texts that every reader of the report knows, like the deployment's name. A value that is a part of one is no secret. */
export class PublicTexts {
  #joined = SEPARATOR
  readonly #values = new Set<string>()

  constructor(texts: readonly string[] = []) {
    this.add(texts)
  }

  /** @param texts names and addresses: their parts are public too, at the limits of words */
  add(texts: readonly string[]): void {
    this.#joined += texts.map((text) => comparable(text) + SEPARATOR).join('')
  }

  /** @param values texts of which no part is public */
  addValues(values: readonly string[]): void {
    for (const value of values) this.#values.add(comparable(value))
  }

  /** Whether a value is public. The case of letters does not matter. */
  has(value: string): boolean {
    const part = comparable(value)
    return part !== '' && (this.#values.has(part) || isPartOf(this.#joined, part))
  }
}

/** Whether a text contains a part that begins and ends where words do. */
function isPartOf(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (!isInWord(text, at - 1) && !isInWord(text, at + part.length)) return true
  return false
}

function comparable(text: string): string {
  return text.trim().toLowerCase()
}
