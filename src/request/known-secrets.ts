const IN_PLACE = '***'

/** Takes texts that are known to be secret out of a stream of bytes (latin1), also where two pieces meet. */
export class KnownSecrets {
  readonly #any: RegExp | undefined
  readonly #longest: number
  #rest = ''

  constructor(secrets: readonly string[]) {
    const forms = secrets.filter((text) => text.length >= MIN_LENGTH).flatMap(formsOf)
    // At one and the same place the longest has to go.
    const sorted = [...new Set(forms)].sort((one, other) => other.length - one.length)
    this.#any = sorted.length === 0 ? undefined : new RegExp(sorted.map(RegExp.escape).join('|'), 'g')
    this.#longest = sorted[0]?.length ?? 1
  }

  pass(piece: string): string {
    const text = this.#rest + piece
    return this.#replace(text, text.length - this.#longest + 1)
  }

  /** What was held back, as it might have been the beginning of a secret. */
  end(): string {
    return this.#replace(this.#rest, this.#rest.length)
  }

  /** A secret that begins at `until` or later may have more to come. */
  #replace(text: string, until: number): string {
    let out = ''
    let from = 0
    for (const { 0: secret, index } of this.#any === undefined ? [] : text.matchAll(this.#any)) {
      if (index >= until) break
      out += text.slice(from, index) + IN_PLACE
      from = index + secret.length
    }
    const end = Math.max(from, until)
    this.#rest = text.slice(end)
    return out + text.slice(from, end)
  }
}

/** Shorter ones, like `1`, would blank out half of what is there. */
const MIN_LENGTH = 3

/** As it is, and as it stands in JSON; each as bytes. */
function formsOf(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1)].map((form) => Buffer.from(form, 'utf8').toString('latin1'))
}
