import { parseJson } from '../control-plane/json.ts'
import { asBytes, asText } from './bytes.ts'
import { HiddenValues, type FoundValues } from './redact-json.ts'
import { KnownSecrets } from './redact-stream.ts'
import { MAX_PAGE_PARTS } from './pages.ts'

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
 * Of an answer of success a value is taken out where it can be told from all the rest: a name that merely has it in it
 * must stay right, as others compute with it. An error repeats what was sent, and nobody computes with it: of that every
 * value is taken out. Credentials are of no use to anybody, and go everywhere.
 */
export function cleanerOf(given: GivenSecrets, answer: { isError: boolean; isJson: boolean }): Cleaner {
  const { credentials, values } = given
  const telling = values.filter(isTelling)
  const inside = [...credentials, ...(answer.isError ? values : values.filter(isTellingInside))]
  if (answer.isJson)
    return new HiddenValues(
      answer.isError
        ? {
            keys: new KnownSecrets([...credentials, ...telling], 'json'),
            values: new KnownSecrets(inside, 'json'),
          }
        : {
            keys: new KnownSecrets(inside, 'json', telling),
            values: new KnownSecrets(inside, 'json', telling),
          },
    )
  const known = new KnownSecrets(inside, 'text')
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
  if (new KnownSecrets(given.values.filter(isTelling), 'text').isOne(asBytes(text.trim())))
    return { text: '***', found: { secrets: [], keys: [] } }
  // What only begins like JSON has secrets also where none of its strings are.
  return cleaned(beginsLikeJson(text) && parseJson(text, MAX_PAGE_PARTS).ok)
}

export function beginsLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** Under so many characters a plain word or a number, like `true`, `prod` or `2026`, stands in many an answer by chance. */
const MAX_PLAIN = 8
const PLAIN = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|\d+(?:\.\d+)?)$/

/** Whether a string or a number that equals it is hardly there by chance. */
function isTelling(value: string): boolean {
  return value.length >= MAX_PLAIN || !PLAIN.test(value)
}

/** Of so many characters none stands inside another text by chance, whatever it is. */
const MIN_INSIDE = 16
const MIN_KEY = 8
const MIN_CLASSES = 3
const CLASSES = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]
/** Like `us-east-1`, `v1.2.3-rc1` or `release/2026.11`: what names and addresses are made of. */
const WORDS = /^(?:[a-z]+\d{0,2}|\d{1,4})(?:[-_./:@]+(?:[a-z]+\d{0,2}|\d{1,4}))*$/i

/** Whether it is hardly there by chance inside a longer string: it is long, or looks like a key. */
function isTellingInside(value: string): boolean {
  if (value.length >= MIN_INSIDE) return true
  if (value.length < MIN_KEY || WORDS.test(value)) return false
  return CLASSES.filter((one) => one.test(value)).length >= MIN_CLASSES
}
