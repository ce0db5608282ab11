/** A part of a text, from its first character to the one behind its last. */
export type Stretch = [start: number, end: number]

/** Masking shorter values, like `1` or `on`, would blank out numbers and ids, and with them outputs of the job. */
export const MIN_SECRET_LENGTH = 3
/** Sizes the table of beginnings; a power of 2. */
const BEGINNINGS = 65_536

/** A beginning that secrets share. Those that share it are neighbours in the order of code units. */
interface Beginning {
  length: number
  /** The first secret that has it, and the one behind the last. */
  first: number
  behind: number
  /** The longest end of this beginning that is a beginning, too; undefined for the empty one. */
  ending: Beginning | undefined
  /** The length of the longest secret that this beginning ends with; 0 if there is none. */
  secret: number
  /** By the next code unit. Most beginnings that occur in a text have one, so that a map would cost more. */
  longer: Beginning | Map<number, Beginning> | undefined
  /** If `longer` is a single one. */
  unit: number
}

/**
 * Finds thousands of secrets in one pass over a text, as Aho and Corasick do: the longest beginning of a secret that ends
 * at a place follows from the one that ends before it. So a secret that begins with a long run of one character takes no
 * longer than others. Only beginnings that occur in a text are made: all of them would take too much memory.
 */
export class SecretIndex {
  /** The length of the longest secret. */
  readonly longest: number
  readonly #sorted: readonly string[]
  readonly #none: Beginning
  /** Marks the beginnings of the secrets: most places of a text need no search. */
  readonly #beginnings = new Uint8Array(BEGINNINGS)

  constructor(secrets: Iterable<string>) {
    // By UTF-16 code units, as #placeOf compares.
    this.#sorted = [...secrets].sort((one, other) => (one < other ? -1 : Number(one > other)))
    this.longest = this.#sorted.reduce((longest, { length }) => Math.max(longest, length), 0)
    this.#none = beginning(0, 0, this.#sorted.length)
    for (const secret of this.#sorted) this.#beginnings[beginningAt(secret, 0)] = 1
  }

  /** The stretches that secrets cover. Secrets that overlap or contain each other are one stretch. */
  stretches(text: string): Stretch[] {
    const found: Stretch[] = []
    this.#pass(text, 0, ({ secret }, end) => {
      if (secret === 0) return
      let start = end - secret
      for (let last = found.at(-1); last !== undefined && start < last[1]; last = found.at(-1)) {
        start = Math.min(start, last[0])
        found.pop()
      }
      found.push([start, end])
    })
    return found
  }

  /** Where the text ends with the beginning of a secret, at the earliest; its length if it does not. */
  undecidedFrom(text: string): number {
    let last: Beginning | undefined = this.#pass(text, Math.max(0, text.length - this.longest + 1))
    // A whole secret is decided, unless a longer one begins with it.
    while (last !== undefined && this.#at(last.behind - 1).length === last.length) last = last.ending
    return text.length - (last?.length ?? 0)
  }

  /** The length of the longest end of a secret that the text begins with; 0 if it has not `least` characters. */
  lengthOfEnding(text: string, least: number): number {
    const head = text.slice(0, least)
    const starts = new SecretIndex([text.slice(0, this.longest)])
    let longest = least - 1
    for (const secret of this.#sorted) {
      const from = secret.indexOf(head)
      if (from >= 0) longest = Math.max(longest, starts.#pass(secret, from).length)
    }
    return longest < least ? 0 : longest
  }

  /** The length of the longest secret at a place of a text; 0 if there is none. */
  longestAt(text: string, at: number): number {
    let [first, behind, longest] = [0, this.#sorted.length, 0]
    for (let length = 0; first < behind; length++) {
      if (this.#at(first).length === length) longest = length
      const unit = text.charCodeAt(at + length)
      if (Number.isNaN(unit)) break
      ;[first, behind] = this.#narrowed(first, behind, length, unit)
    }
    return longest
  }

  /** Reads a text, and returns the longest beginning that it ends with. `visit` learns of each one before it. */
  #pass(text: string, from: number, visit?: (last: Beginning, end: number) => void): Beginning {
    let last = this.#none
    for (let at = this.#nextBeginning(text, from); at < text.length; at++) {
      last = this.#continued(last, text.charCodeAt(at))
      visit?.(last, at + 1)
      if (last.length === 0) at = this.#nextBeginning(text, at + 1) - 1
    }
    return last
  }

  /** The next place where a secret may begin: one of the last places of a text may have the beginning of any. */
  #nextBeginning(text: string, from: number): number {
    const beginnings = this.#beginnings
    const behind = text.length - MIN_SECRET_LENGTH
    let at = from
    while (at <= behind && beginnings[beginningAt(text, at)] !== 1) at++
    return at
  }

  /** The longest beginning at the end of a text that ended with another one, and is continued by a code unit. */
  #continued(last: Beginning, unit: number): Beginning {
    for (let shorter: Beginning | undefined = last; shorter !== undefined; shorter = shorter.ending) {
      const longer = this.#longer(shorter, unit)
      if (longer !== undefined) return longer
    }
    return this.#none
  }

  #longer(shorter: Beginning, unit: number): Beginning | undefined {
    const { longer, length } = shorter
    const known = longer instanceof Map ? longer.get(unit) : shorter.unit === unit ? longer : undefined
    if (known !== undefined) return known
    const [first, behind] = this.#narrowed(shorter.first, shorter.behind, length, unit)
    if (first === behind) return undefined
    const made = beginning(length + 1, first, behind)
    made.ending = shorter.ending === undefined ? this.#none : this.#continued(shorter.ending, unit)
    made.secret = this.#at(first).length === made.length ? made.length : made.ending.secret
    if (longer === undefined) [shorter.longer, shorter.unit] = [made, unit]
    else if (longer instanceof Map) longer.set(unit, made)
    else shorter.longer = new Map([[shorter.unit, longer]]).set(unit, made)
    return made
  }

  /** Of secrets that share a beginning: those that continue it with a code unit. */
  #narrowed(first: number, behind: number, length: number, unit: number): [first: number, behind: number] {
    const from = this.#placeOf(first, behind, length, unit)
    return [from, this.#placeOf(from, behind, length, unit + 1)]
  }

  /** The first of them whose next code unit is not less. One that has no next comes first. */
  #placeOf(first: number, behind: number, length: number, unit: number): number {
    let [low, high] = [first, behind]
    while (low < high) {
      const middle = (low + high) >>> 1
      // At the end of a secret the code is NaN.
      if (this.#at(middle).charCodeAt(length) >= unit) high = middle
      else low = middle + 1
    }
    return low
  }

  #at(index: number): string {
    return this.#sorted[index] ?? ''
  }
}

function beginning(length: number, first: number, behind: number): Beginning {
  return { length, first, behind, ending: undefined, secret: 0, longer: undefined, unit: -1 }
}

function beginningAt(text: string, at: number): number {
  const [one, two, three] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)]
  return (one * 961 + two * 31 + three) & (BEGINNINGS - 1)
}
