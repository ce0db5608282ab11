import type { Stretch } from './text.ts'

/** Masking shorter values, like `1` or `on`, would blank out numbers and ids, and with them outputs of the job. */
export const MIN_SECRET_LENGTH = 3
/** Sizes the table of beginnings; a power of 2. */
const BEGINNINGS = 65_536

/** Up to this number, secrets are compared one by one: an index of them would take longer. */
const FEW = 8

interface Beginning {
  length: number
  /** The secrets that begin so. */
  secrets: readonly string[]
  /** These secrets by their next code unit, if they are many. */
  parts: Map<number, readonly string[]> | undefined
  /** The longest end of this beginning that is a beginning, too; undefined for the empty one. */
  ending: Beginning | undefined
  /** The length of the longest secret that this beginning ends with; 0 if there is none. */
  secret: number
  /** The longer beginnings by their next code unit. Most have a single one, for which a map would cost more. */
  longer: Beginning | Map<number, Beginning> | undefined
  /** If `longer` is a single one. */
  unit: number
}

/**
 * Finds thousands of secrets in one pass over a text, as Aho and Corasick do: the longest beginning of a secret that ends
 * at a place follows from the one that ends before it. So a long run of one character takes no longer than others. Only the
 * beginnings that occur in a text are made: all of them would take too much memory, and sorted secrets too much time.
 */
export class SecretIndex {
  readonly longest: number
  readonly #none: Beginning
  /** Marks the beginnings of the secrets: most places of a text need no search. */
  readonly #beginnings = new Uint8Array(BEGINNINGS)

  constructor(secrets: Iterable<string>) {
    this.#none = beginning(0, [...secrets])
    this.longest = this.#none.secrets.reduce((longest, { length }) => Math.max(longest, length), 0)
    for (const secret of this.#none.secrets) this.#beginnings[slotOf(secret, 0)] = 1
  }

  /** The stretches that secrets cover. Secrets that overlap or contain each other are one stretch. */
  stretches(text: string): Stretch[] {
    const covered: Stretch[] = []
    this.#pass(text, 0, ({ secret }, end) => {
      if (secret === 0) return
      let start = end - secret
      for (let last = covered.at(-1); last !== undefined && start < last[1]; last = covered.at(-1)) {
        start = Math.min(start, last[0])
        covered.pop()
      }
      covered.push([start, end])
    })
    return covered
  }

  /** Where the text ends with the beginning of a secret, at the earliest; its length if it does not. */
  undecidedFrom(text: string): number {
    let last: Beginning | undefined = this.#pass(text, Math.max(0, text.length - this.longest + 1))
    // A whole secret is decided, unless a longer one begins with it.
    while (last?.secrets.every((secret) => secret.length === last?.length) === true) last = last.ending
    return text.length - (last?.length ?? 0)
  }

  /** The length of the longest end of a secret that the text begins with; 0 if it has not `least` characters. */
  lengthOfEnding(text: string, least: number): number {
    const head = text.slice(0, least)
    const starts = new SecretIndex([text.slice(0, this.longest)])
    let longest = least - 1
    for (const secret of this.#none.secrets) {
      const from = secret.indexOf(head)
      if (from >= 0) longest = Math.max(longest, starts.#pass(secret, from).length)
    }
    return longest < least ? 0 : longest
  }

  /** The length of the longest secret at a place of a text; 0 if there is none. */
  longestAt(text: string, at: number): number {
    let longest = 0
    let last: Beginning | undefined = this.#none
    for (let place = at; last !== undefined; place++) {
      if (last.secret === last.length) longest = last.length
      last = place < text.length ? this.#longer(last, text.charCodeAt(place)) : undefined
    }
    return longest
  }

  /** The next place where a secret may begin: one of the last places of a text may have the beginning of any. */
  nextBeginning(text: string, from: number): number {
    const behind = text.length - MIN_SECRET_LENGTH
    let at = from
    while (at <= behind && this.#beginnings[slotOf(text, at)] !== 1) at++
    return at
  }

  /** Reads a text, and returns the longest beginning at its end. Calls `visit` with the longest one at each place. */
  #pass(text: string, from: number, visit?: (last: Beginning, end: number) => void): Beginning {
    let last = this.#none
    for (let at = this.nextBeginning(text, from); at < text.length; at++) {
      last = this.#continued(last, text.charCodeAt(at))
      visit?.(last, at + 1)
      if (last.length === 0) at = this.nextBeginning(text, at + 1) - 1
    }
    return last
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
    const cached = longer instanceof Map ? longer.get(unit) : shorter.unit === unit ? longer : undefined
    if (cached !== undefined) return cached
    const secrets = secretsContinuing(shorter, unit)
    if (secrets === undefined) return undefined
    const made = beginning(length + 1, secrets)
    made.ending = shorter.ending === undefined ? this.#none : this.#continued(shorter.ending, unit)
    made.secret = secrets.some((secret) => secret.length === made.length) ? made.length : made.ending.secret
    if (longer === undefined) [shorter.longer, shorter.unit] = [made, unit]
    else if (longer instanceof Map) longer.set(unit, made)
    else shorter.longer = new Map([[shorter.unit, longer]]).set(unit, made)
    return made
  }
}

function beginning(length: number, secrets: readonly string[]): Beginning {
  return { length, secrets, parts: undefined, ending: undefined, secret: 0, longer: undefined, unit: -1 }
}

/** Returns the secrets whose next code unit after a beginning is this one; undefined if there are none. */
function secretsContinuing(shorter: Beginning, unit: number): readonly string[] | undefined {
  const { secrets, length } = shorter
  if (secrets.length > FEW) return (shorter.parts ??= groupByUnit(secrets, length)).get(unit)
  // At the end of a secret the code is NaN.
  const matching = secrets.filter((secret) => secret.charCodeAt(length) === unit)
  return matching.length === 0 ? undefined : matching
}

function groupByUnit(secrets: readonly string[], length: number): Map<number, readonly string[]> {
  const first = secrets[0]?.charCodeAt(length)
  // Thousands of keys may share a long beginning: they are not copied at each place of it.
  if (first !== undefined && secrets.every((secret) => secret.charCodeAt(length) === first))
    return new Map([[first, secrets]])
  return Map.groupBy(secrets, (secret) => secret.charCodeAt(length))
}

/** Returns the place of the next code units of a text in the table of beginnings. */
function slotOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & (BEGINNINGS - 1)
}

/** Returns a function that makes the index of the forms of the secrets. It is made again only if more secrets are known. */
export function lazyIndex(
  secrets: ReadonlySet<string>,
  formsOf: (secret: string) => Iterable<string>,
): () => SecretIndex {
  const forms = new Set<string>()
  let done = 0
  let index: SecretIndex | undefined
  return () => {
    if (index !== undefined && done === secrets.size) return index
    // The forms of a secret are made only once: that takes longer than the index.
    for (const secret of secrets.values().drop(done)) for (const form of formsOf(secret)) forms.add(form)
    done = secrets.size
    return (index = new SecretIndex(forms))
  }
}
