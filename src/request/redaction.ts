import { parseJson, type ParsedJson } from '../http/json.ts'
import { isDistinctiveInside, isPlainValue } from '../secrets/redact.ts'
import { type FoundSecrets, JsonRedactor, REDACTED, StreamRedactor } from '../secrets/json.ts'
import { asBytes, asText } from '../secrets/text.ts'

/** Secrets that this run sends. The tenant id is not one: it only names a workspace. */
export interface SentSecrets {
  credentials: readonly string[]
  /** From the body, as in `secrets`. */
  values: readonly string[]
  /** Other values of the request: an error may repeat them, and a success may contain them by right. */
  echoes: readonly string[]
  /** Pieces of a body of text: an error that contains one of them may quote a part of it. */
  pieces: ReadonlySet<string>
  /** Those that responses contained and the log must mask. */
  found: FoundSecrets
}

/** Removes secrets from a response piece by piece. Pieces are strings of bytes (latin1). */
export type AnswerRedactor = Pick<JsonRedactor, 'pass' | 'end' | 'depth'>

/**
 * Redacts credentials everywhere. A success loses only values that are distinctive: later steps compute with names that
 * contain a common one. An error repeats the request, and no step computes with it: it loses every value.
 */
export function redactorFor(
  { credentials, values, echoes, found }: SentSecrets,
  { isError, isJson }: { isError: boolean; isJson: boolean },
): AnswerRedactor {
  const distinctive = values.filter((value) => !isPlainValue(value))
  const inside = [...credentials, ...(isError ? [...values, ...echoes] : values.filter(isDistinctiveInside))]
  if (!isJson) return new StreamRedactor(inside, 'text')
  if (!isError) return new JsonRedactor(found, new StreamRedactor(inside, 'json', distinctive))
  const keys = new StreamRedactor([...credentials, ...distinctive], 'json')
  return new JsonRedactor(found, keys, new StreamRedactor(inside, 'json'))
}

const QUOTES_BODY = JSON.stringify({ detail: 'the explanation is omitted because it quotes the body' })

/** Redacts a complete text for a message or an output. JSON stays JSON. */
export function redactText(text: string, secrets: SentSecrets, isError: boolean): string {
  const distinctive = secrets.values.filter((value) => !isPlainValue(value))
  if (new StreamRedactor(distinctive, 'text').isOne(asBytes(text.trim()))) return REDACTED
  const json: ParsedJson = beginsLikeJson(text) ? parseJson(text) : { ok: false, bloated: false }
  const isMixed = !json.ok && (json.bloated || isError)
  const redactor = isMixed ? mixedRedactorFor(secrets, isError) : redactorFor(secrets, { isError, isJson: json.ok })
  const redacted = asText(redactor.pass(asBytes(text)) + redactor.end())
  return isError && quotes(redacted, secrets.pieces) ? QUOTES_BODY : redacted
}

/** Redacts a text that may contain JSON, or only begin like it: everywhere, and then by its structure. */
export function mixedRedactorFor(secrets: SentSecrets, isError: boolean): AnswerRedactor {
  const inJson = redactorFor(secrets, { isError, isJson: true })
  const inText = redactorFor(secrets, { isError, isJson: false })
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

/** So many characters of a word may be a part of a secret. */
const PIECE = 4

/** JSON may escape any character, and be itself in a string of JSON. */
const ESCAPED = /(?<!\\)\\+u([0-9a-f]{4})/gi

const OF_EXPLANATIONS = `array body boolean character column content data delimiter detail error errors expected expecting false field
  input invalid json length line message missing null number object parse parsing position property required status string
  syntax text token true type undefined unexpected unknown valid value`
/** The other words of the usual names of statuses, as "Bad Gateway". */
const OF_STATUSES = `a acceptable accepted allowed already also authentication bad bandwidth choices conflict continue
  created dependency detected early entity exceeded expectation extended failed fields for forbidden found gateway gone header
  hints http i m im implemented information insufficient internal large legal limit locked long loop many media method
  misdirected modified moved multi-status multiple negotiates network no non-authoritative not ok other partial payload
  payment permanent permanently precondition processing protocols proxy range reasons redirect reported request requests
  reset satisfiable see server service storage supported switching teapot temporary timeout too unauthorized unavailable
  unprocessable unsupported upgrade uri use used variant version`
/** The usual words of explanations, which show nothing of a body. */
const USUAL = new Set(wordsOf(`${OF_EXPLANATIONS} ${OF_STATUSES}`).map(trimmed))

/** Returns each sequence of {@link PIECE} characters in the words of a text, as it is and without punctuation. */
export function quotablePieces(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).flatMap((word) => [...piecesIn(word), ...piecesIn(plain(word))]))
}

/**
 * Whether an explanation may quote a part of the text of these pieces, cut anywhere. A server may write punctuation in
 * its own way. It is no proof: any part of an unusual word in common counts.
 */
export function quotes(explanation: string, pieces: ReadonlySet<string>): boolean {
  if (pieces.size === 0) return false
  const words = wordsOf(explanation).filter((word) => !USUAL.has(trimmed(word)))
  return words.some((word) => [word, plain(word)].some((form) => piecesIn(form).some((piece) => pieces.has(piece))))
}

function wordsOf(text: string): string[] {
  return text
    .replace(ESCAPED, (_escape, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    .toLowerCase()
    .split(/[\s"'`]+/)
}

/** Without the punctuation around a word. Other marks may be a part of a secret. */
function trimmed(word: string): string {
  return /[\p{L}\p{N}+/=_-](?:[^]*[\p{L}\p{N}+/=_-])?/u.exec(word)?.[0] ?? ''
}

function plain(word: string): string {
  return word.replace(/[^\p{L}\p{N}]+/gu, '')
}

function piecesIn(word: string): string[] {
  return Array.from({ length: Math.max(0, word.length - PIECE + 1) }, (_, at) => word.slice(at, at + PIECE))
}
