/** A part of a text, from its first character to the one behind its last. */
export type Stretch = [start: number, end: number]

/** Masking shorter values, like `1` or `on`, would blank out numbers and ids, and with them outputs of the job. */
export const MIN_SECRET_LENGTH = 3
/** Two secrets that overlap by more are found as one that ends early: it keeps the search fast for long secrets. */
const MAX_OVERLAP = 256
/** Sizes the table of beginnings; a power of 2. */
const BEGINNINGS = 65_536

/** Finds thousands of secrets in one pass over a text. */
export class SecretIndex {
  /** The length of the longest secret. */
  readonly longest: number
  readonly #sorted: readonly string[]
  /** For each secret, the longest other one that it begins with; -1 if there is none. */
  readonly #shorter: Int32Array
  /** Marks the beginnings of the secrets: most places of a text need no search. */
  readonly #beginnings = new Uint8Array(BEGINNINGS)

  constructor(secrets: Iterable<string>) {
    // By UTF-16 code units, as isBehind compares.
    this.#sorted = [...secrets].sort((one, other) => (one < other ? -1 : Number(one > other)))
    this.longest = this.#sorted.reduce((longest, { length }) => Math.max(longest, length), 0)
    this.#shorter = new Int32Array(this.#sorted.length)
    const open: number[] = []
    for (const [index, secret] of this.#sorted.entries()) {
      while (open.length > 0 && !secret.startsWith(this.#at(open.at(-1)))) open.pop()
      this.#shorter[index] = open.at(-1) ?? -1
      open.push(index)
      this.#beginnings[beginningAt(secret, 0)] = 1
    }
  }

  /** The stretches that secrets cover. Secrets that overlap or contain each other are one stretch. */
  stretches(text: string): Stretch[] {
    const found: Stretch[] = []
    let last: Stretch | undefined
    const behind = text.length - MIN_SECRET_LENGTH
    for (let at = 0; at <= behind; at++) {
      if (this.#beginnings[beginningAt(text, at)] !== 1) continue
      const end = at + this.longestAt(text, at)
      if (end === at || end <= (last?.[1] ?? 0)) continue
      if (last !== undefined && at < last[1]) last[1] = end
      else found.push((last = [at, end]))
      at = Math.max(at, end - MAX_OVERLAP)
    }
    return found
  }

  /** Where the text ends with the beginning of a secret, at the earliest; its length if it does not. */
  undecidedFrom(text: string): number {
    for (let at = Math.max(0, text.length - this.longest + 1); at < text.length; at++) {
      const rest = text.length - at
      if (rest >= MIN_SECRET_LENGTH && this.#beginnings[beginningAt(text, at)] !== 1) continue
      if (sharedLength(this.#at(this.#firstBehind(text, at)), text, at) === rest) return at
    }
    return text.length
  }

  /** The length of the longest end of a secret that the text begins with; 0 if it has not `least` characters. */
  lengthOfEnding(text: string, least: number): number {
    const head = text.slice(0, least)
    let longest = least - 1
    for (const secret of this.#sorted) {
      for (let at = secret.indexOf(head); at >= 0 && secret.length - at > longest; at = secret.indexOf(head, at + 1))
        if (text.startsWith(secret.slice(at))) longest = secret.length - at
    }
    return longest < least ? 0 : longest
  }

  /** The length of the longest secret at a place of a text; 0 if there is none. */
  longestAt(text: string, at: number): number {
    // Every secret at this place is the one found or one that it begins with.
    let index = this.#firstBehind(text, at) - 1
    const same = sharedLength(this.#at(index), text, at)
    while (this.#at(index).length > same) index = this.#shorter[index] ?? -1
    return this.#at(index).length
  }

  /** The first secret that comes behind the rest of the text, in the order of code units. */
  #firstBehind(text: string, at: number): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBehind(this.#at(middle), text, at)) high = middle
      else low = middle + 1
    }
    return low
  }

  #at(index = -1): string {
    return this.#sorted[index] ?? ''
  }
}

function beginningAt(text: string, at: number): number {
  const [one, two, three] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)]
  return (one * 961 + two * 31 + three) & (BEGINNINGS - 1)
}

function sharedLength(secret: string, text: string, at: number): number {
  let length = 0
  while (length < secret.length && secret.charCodeAt(length) === text.charCodeAt(at + length)) length++
  return length
}

/** Whether a secret comes behind the rest of the text in the order of code units. */
function isBehind(secret: string, text: string, at: number): boolean {
  const same = sharedLength(secret, text, at)
  if (same === secret.length) return false
  // At the end of the text the code is NaN.
  return !(secret.charCodeAt(same) < text.charCodeAt(at + same))
}
