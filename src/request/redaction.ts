import { parseJson, type ParsedJson } from '../http/json.ts'
import { isDistinctiveInside, isPlainValue } from '../secrets/redact.ts'
import { type FoundSecrets, JsonRedactor, REDACTED, StreamRedactor } from '../secrets/json.ts'
import { asBytes, asText } from '../secrets/text.ts'

/** Secrets that this run sends. The tenant id is not one: it only names a workspace. */
export interface SentSecrets {
  credentials: readonly string[]
  /** Secrets in the body, as in `ApiCall.secrets`. */
  values: readonly string[]
  /** Other values of the request: an error may repeat them, and a success may contain them by right. */
  echoes: readonly string[]
  /** The request has a body of text: an error may quote any part of it, cut anywhere. */
  hasTextBody: boolean
  /** Secrets in the responses, which the log must mask. */
  responseSecrets: FoundSecrets
}

/** Removes secrets from a response piece by piece. Pieces are strings of bytes (latin1). */
export type AnswerRedactor = Pick<JsonRedactor, 'pass' | 'end' | 'deepest'>

/**
 * Redacts credentials everywhere. A success loses only values that are distinctive: later steps compute with names that
 * contain a common one. An error repeats the request, and no step computes with it: it loses every value.
 */
export function redactorFor(
  { credentials, values, echoes, responseSecrets }: SentSecrets,
  { isError, isJson }: { isError: boolean; isJson: boolean },
): AnswerRedactor {
  const distinctive = values.filter((value) => !isPlainValue(value))
  const inside = [...credentials, ...(isError ? [...values, ...echoes] : values.filter(isDistinctiveInside))]
  if (!isJson) return new StreamRedactor(inside, 'text')
  if (!isError) return new JsonRedactor(responseSecrets, new StreamRedactor(inside, 'json', distinctive))
  const keys = new StreamRedactor([...credentials, ...distinctive], 'json')
  return new JsonRedactor(responseSecrets, keys, new StreamRedactor(inside, 'json'))
}

const OMITTED = JSON.stringify({ detail: 'the explanation is omitted because it may quote the text that was sent' })

/** Redacts a complete text for a message or an output. JSON stays JSON. */
export function redactText(text: string, secrets: SentSecrets, isError: boolean): string {
  if (isError && secrets.hasTextBody && text.trim() !== '') return OMITTED
  const distinctive = secrets.values.filter((value) => !isPlainValue(value))
  if (new StreamRedactor(distinctive, 'text').isOne(asBytes(text.trim()))) return REDACTED
  const json: ParsedJson = beginsLikeJson(text) ? parseJson(text) : { ok: false, bloated: false }
  const isMixed = !json.ok && (json.bloated || isError)
  const redactor = isMixed ? mixedRedactorFor(secrets, isError) : redactorFor(secrets, { isError, isJson: json.ok })
  return asText(redactor.pass(asBytes(text)) + redactor.end())
}

/** Redacts a text that may contain JSON, or only begin like it: everywhere, and then by its structure. */
export function mixedRedactorFor(secrets: SentSecrets, isError: boolean): AnswerRedactor {
  const inJson = redactorFor(secrets, { isError, isJson: true })
  const inText = redactorFor(secrets, { isError, isJson: false })
  return {
    pass: (piece) => inJson.pass(inText.pass(piece)),
    end: () => inJson.pass(inText.end()) + inJson.end(),
    get deepest() {
      return inJson.deepest
    },
  }
}

export function beginsLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}
