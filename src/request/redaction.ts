import { parseJson, type ParsedJson } from '../http/json.ts'
import { isPlainValue } from '../plain-value.ts'
import type { FoundSecrets } from './found-secrets.ts'
import { JsonRedactor } from './redact-json.ts'
import { quotes } from './quotes.ts'
import { asBytes, asText, REDACTED, StreamRedactor } from './redact-stream.ts'

/** Secrets that this run sends. The tenant id is not one: it only names a workspace. */
export interface SentSecrets {
  credentials: readonly string[]
  /** From the body, as in `secrets`. */
  values: readonly string[]
  /** Other values of the request: an error may repeat them, and a success may contain them by right. */
  echoes: readonly string[]
  /** Of a body of text: an error that contains one of them may quote a part of it. */
  pieces: ReadonlySet<string>
  /** Those that responses contained and the log must mask. */
  found: FoundSecrets
}

/** Removes secrets from a response piece by piece. Pieces are strings of bytes (latin1). */
export interface Redactor {
  pass(piece: string): string
  end(): string
  /** How deeply the current value is nested. */
  readonly depth: number
}

/**
 * Redacts credentials everywhere. A success loses only values that are distinctive: later steps compute with names that
 * contain a common one. An error repeats the request, and no step computes with it: it loses every value.
 */
export function createRedactor(
  { credentials, values, echoes, found }: SentSecrets,
  { isError, isJson }: { isError: boolean; isJson: boolean },
): Redactor {
  const distinctive = values.filter(isDistinctive)
  const inside = [...credentials, ...(isError ? [...values, ...echoes] : values.filter(isDistinctiveInside))]
  if (!isJson) return new StreamRedactor(inside, 'text')
  if (isError) {
    const keys = new StreamRedactor([...credentials, ...distinctive], 'json')
    return new JsonRedactor(keys, new StreamRedactor(inside, 'json'), found)
  }
  const create = (): StreamRedactor => new StreamRedactor(inside, 'json', distinctive)
  return new JsonRedactor(create(), create(), found)
}

/** In place of an error that may quote the body. */
const QUOTES_BODY = JSON.stringify({ detail: 'the explanation is omitted because it quotes the body' })

/** Redacts a complete text for a message or an output. JSON stays JSON. */
export function redactText(text: string, secrets: SentSecrets, isError: boolean): string {
  if (new StreamRedactor(secrets.values.filter(isDistinctive), 'text').isOne(asBytes(text.trim()))) return REDACTED
  const json: ParsedJson = beginsLikeJson(text) ? parseJson(text) : { ok: false, bloated: false }
  const isMixed = !json.ok && (json.bloated || isError)
  const redactor = isMixed
    ? createMixedRedactor(secrets, isError)
    : createRedactor(secrets, { isError, isJson: json.ok })
  const redacted = asText(redactor.pass(asBytes(text)) + redactor.end())
  return isError && quotes(redacted, secrets.pieces) ? QUOTES_BODY : redacted
}

/** Redacts a text that may contain JSON, or only begin like it: everywhere, and then by its structure. */
export function createMixedRedactor(secrets: SentSecrets, isError: boolean): Redactor {
  const inJson = createRedactor(secrets, { isError, isJson: true })
  const inText = createRedactor(secrets, { isError, isJson: false })
  return {
    pass: (piece) => inJson.pass(inText.pass(piece)),
    end: () => inJson.pass(inText.end()) + inJson.end(),
    get depth() {
      return inJson.depth
    },
  }
}

export function beginsLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** Whether a string or a number hardly equals the value by chance. */
function isDistinctive(value: string): boolean {
  return !isPlainValue(value)
}

/** No value of so many characters is inside another text by chance. */
const MIN_INSIDE = 16
const MIN_KEY = 8
const MIN_CLASSES = 3
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]
/** The parts of names and addresses, like `us-east-1`, `v1.2.3-rc1` or `release/2026.11`. */
const WORDS = /^(?:[a-z]+\d{0,2}|\d{1,4})(?:[-_./:@]+(?:[a-z]+\d{0,2}|\d{1,4}))*$/i

/** Whether a longer string hardly contains the value by chance: it is long or looks like a key. */
function isDistinctiveInside(value: string): boolean {
  if (value.length >= MIN_INSIDE) return true
  if (value.length < MIN_KEY || WORDS.test(value)) return false
  return CLASSES.filter((one) => one.test(value)).length >= MIN_CLASSES
}
