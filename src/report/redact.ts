import { plainText } from './escape.ts'

/** Knows every secret of the run, and takes them out of whatever is about to leave the process. */
export interface Redactor {
  /** Learns secrets; gives those that it did not know, to be masked in the log at once. */
  learn: (values: readonly string[]) => string[]
  redact: (text: string) => string
  /** Every text inside a value that is made of plain JSON. */
  redactDeep: (value: object) => unknown
}

/**
 * Shorter values, like `1` or `on`, are no secrets, and masking them would blank out numbers, ids and with them whole
 * outputs of the job.
 */
const MIN_SECRET_LENGTH = 3

export function createRedactor(): Redactor {
  const known = new Set<string>()
  let longestFirst: string[] = []
  // What is invisible goes first: it could stand inside a secret, and leave it whole when it is taken out later.
  const redact = (text: string): string =>
    longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '***'), plainText(text))
  return {
    learn(values) {
      const fresh = values.flatMap(formsOf).filter((form) => !known.has(form))
      for (const form of fresh) known.add(form)
      // A secret may contain another one: the longer has to go first.
      if (fresh.length > 0) longestFirst = [...known].sort((one, other) => other.length - one.length)
      return [...new Set(fresh)]
    },
    redact,
    redactDeep(value) {
      const replace = (_key: string, one: unknown): unknown => (typeof one === 'string' ? redact(one) : one)
      const redacted: unknown = JSON.parse(JSON.stringify(value, replace))
      return redacted
    },
  }
}

/** A secret as it is, each of its lines, and as it looks inside JSON and inside an address. */
function formsOf(value: string): string[] {
  const lines = value.split(/\r\n?|\n/).map((line) => line.trim())
  const escaped = [value, ...lines].flatMap((form) => [JSON.stringify(form).slice(1, -1), encodeSafely(form)])
  const forms = [value, ...lines, ...escaped]
  return [...forms, ...forms.map(plainText)].filter((form) => form.length >= MIN_SECRET_LENGTH)
}

/** A lone surrogate cannot be percent-encoded. */
function encodeSafely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : ''
}
