import { parseJson } from '../control-plane/json.ts'
import { asBytes, asText } from './bytes.ts'
import { HiddenValues, type FoundValues } from './hidden-values.ts'
import { KnownSecrets } from './known-secrets.ts'

/** What was given to this run, and must not come back. The tenant id is none of it: it only names a workspace. */
export interface GivenSecrets {
  credentials: readonly string[]
  /** That the request carries, as in `secrets`. */
  values: readonly string[]
}

/** Takes secrets out of an answer, piece by piece; pieces are strings of bytes (latin1). */
export interface Cleaner {
  pass: (piece: string) => string
  end: () => string
  readonly found: FoundValues
}

/**
 * Of an answer of success a value is taken out where it can be told from all the rest. An error repeats what was sent,
 * and nobody computes with it: of that every value is taken out.
 */
export function cleanerOf(given: GivenSecrets, answer: { isError: boolean; isJson: boolean }): Cleaner {
  const telling = [...given.credentials, ...given.values.filter(isTelling)]
  const all = answer.isError ? [...telling, ...given.values] : telling
  if (answer.isJson)
    return new HiddenValues({
      keys: new KnownSecrets(telling, 'json'),
      values: new KnownSecrets(all, 'json'),
    })
  const known = new KnownSecrets(all, 'text')
  return {
    pass: (piece) => known.pass(piece),
    end: () => known.end(),
    found: { secrets: [], keys: [] },
  }
}

/** A whole text as it may be an output: JSON stays JSON. */
export function cleanText(
  text: string,
  given: GivenSecrets,
  isError: boolean,
): { text: string; found: FoundValues } {
  const cleaned = (isJson: boolean): { text: string; found: FoundValues } => {
    const cleaner = cleanerOf(given, { isError, isJson })
    const passed = cleaner.pass(asBytes(text)) + cleaner.end()
    return { text: asText(passed), found: cleaner.found }
  }
  // What only begins like JSON has secrets also where none of its strings are.
  return cleaned(beginsLikeJson(text) && parseJson(text).ok)
}

export function beginsLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** Under so many characters a plain word or a number, like `true`, `prod` or `2026`, stands in many an answer by chance. */
const MAX_PLAIN = 8
const PLAIN = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+(?:\.\d+)?)$/

function isTelling(value: string): boolean {
  return value.length >= MAX_PLAIN || !PLAIN.test(value)
}
