import type { Redactor } from '../secrets/redact.ts'
import { decoded } from '../secrets/address.ts'
import { plainText } from '../secrets/text.ts'
import { isLongEnough, unquoted } from '../secrets/forms.ts'
import { areReported } from '../rollout/plan/diff.ts'
import { entriesOf } from '../secrets/lines.ts'

/**
 * Replaces each secret by a name, such as `redacted-0001`, the same one everywhere. A run whose secrets are these names
 * does the same: with `***` for all of them, it would take every secret for its own API key, and each one that the
 * control plane reports for one that it hides.
 */
export class TraceRedactor {
  readonly #redactor: Redactor
  readonly #names = new Map<string, string>()

  constructor(redactor: Redactor) {
    this.#redactor = redactor
  }

  readonly text = (text: string): string => this.#redactor.rename(text, (secret) => this.#nameOf(secret))

  /** Text that may be JSON: it stays JSON, unless a secret is more than a value or a name in it. */
  body(text: string): string {
    const json = parsed(text)
    const values = json === undefined ? text : JSON.stringify(this.#value(json))
    if (json === undefined || values === JSON.stringify(json)) return this.text(text)
    return this.text(values)
  }

  variable(name: string, value: string): string {
    if (name === 'INPUT_SECRETS') return this.#secretsInput(value)
    // What is sent to the address is no part of a trace, so that each of these texts may be any other.
    if (name === 'INPUT_VERIFY-BODY') return value.trim() === '' ? value : this.#nameOf(value)
    if (name === 'INPUT_VERIFY-HEADERS') return this.#headersInput(value)
    return this.#redactor.isPlainSecret(value.trim()) ? this.#nameOf(value) : this.body(value)
  }

  #value(value: unknown, isSecret = false): unknown {
    if (typeof value === 'string') return isSecret && this.#isHidden(value) ? this.#nameOf(value) : this.text(value)
    if (typeof value === 'number') return this.text(String(value)) === String(value) ? value : this.text(String(value))
    if (Array.isArray(value)) return value.map((one) => this.#value(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#member(key, one)]))
  }

  #member(key: string, value: unknown): unknown {
    if (key !== 'secrets' || !Array.isArray(value)) return this.#value(value)
    return value.map((one: unknown) => {
      if (typeof one !== 'object' || one === null) return this.#value(one)
      return Object.fromEntries(Object.entries(one).map(([name, text]) => [name, this.#value(text, name === 'value')]))
    })
  }

  /** Every value of `secrets`, also a plain word, which the log does not hide; but not what is public. */
  #isHidden(value: string): boolean {
    return isLongEnough(value) && !this.#redactor.isPublic(value) && areReported([{ name: '', value }])
  }

  /** As JSON: in lines, quotes and breaks of values depend on the secrets. */
  #secretsInput(given: string): string {
    const { entries, mistakes } = entriesOf(given)
    if (mistakes.length > 0 || entries.length === 0) return this.text(given)
    const pairs = entries.map(({ name, value }) => {
      if (value === undefined) return undefined
      return [name, this.#value(value, true)].map((one) => JSON.stringify(one)).join(':')
    })
    return pairs.includes(undefined) ? this.text(given) : `{${pairs.join(',')}}`
  }

  #headersInput(given: string): string {
    const lines = given.split(/\r\n?|\n/).map((line) => {
      const [head = ''] = /^\s*[\w-]+:/.exec(line) ?? []
      const value = line.slice(head.length).trim()
      return value === '' ? line : `${head} ${this.#nameOf(value)}`
    })
    return lines.join('\n')
  }

  #nameOf(secret: string): string {
    // What is redacted already may count as a secret that was found.
    if (secret === '***') return secret
    // In an address, a secret is percent-encoded.
    const key = unquoted(decoded(plainText(secret)))
    const name = this.#names.get(key) ?? nameLike(key, `redacted-${String(this.#names.size + 1).padStart(4, '0')}`)
    this.#names.set(key, name)
    return name
  }
}

/** A signed address stays an address: a run sends a request to it. */
function nameLike(secret: string, name: string): string {
  const [, scheme] = /^(https?):\/\/\S+$/i.exec(secret) ?? []
  return scheme === undefined ? name : `${scheme.toLowerCase()}://${name}.example/`
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
