import { secretsOfText } from './address.ts'
import { entriesOf, formOf, splitLine, type Mistake, type SecretEntries } from './lines.ts'
import { withoutEnd } from './text.ts'

/** The name of an environment variable (contract, "EnvVar"). */
export const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The end of a message about a name. */
export const NO_C_IDENTIFIER =
  'that no environment variable can have: use letters, digits and _ only, and no digit first, as in MY_KEY in place of my-key'

export type Secret = { name: string; value: string }

/** `[]` is an empty list like `{}`: it removes all secrets. An input that is not set leaves them unchanged. */
const EMPTY_LIST = /^\s*\[\s*\]\s*$/

/** Returns every secret that could be read, and the mistakes in the order of the text. */
export function readSecrets(given: string | SecretEntries) {
  const reading = typeof given === 'string' ? entriesOf(EMPTY_LIST.test(given) ? '' : given) : given
  const broken = [...reading.mistakes, ...mistakesOf(reading)]
  const mistakes = [...broken, ...doubledNames(reading, broken.length === 0)]
  const secrets = reading.entries.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
  return { reading, secrets, mistakes: mistakes.sort((one, other) => one.at - other.at) }
}

/** A line of a shell script. */
const EXPORT = /^export\s+[A-Za-z_]\w*$/

/** An invalid name may be part of a value, so its message contains only the place. */
function mistakesOf({ unit, entries }: SecretEntries): Mistake[] {
  return entries.flatMap(({ name, value, at }) => {
    const isName = C_IDENTIFIER.test(name)
    const where = `${unit} ${at}`
    const wrongName = EXPORT.test(name)
      ? `has export in ${where}: write the line without it`
      : `has a name in ${where} ${NO_C_IDENTIFIER}`
    const wrongValue = `must have a string as the value of ${isName ? `${name}, ` : ''}${where}`
    const messages = [...(isName ? [] : [wrongName]), ...(value === undefined ? [wrongValue] : [])]
    return messages.map((message) => ({ at, message }))
  })
}

/** @param isSound whether all else is correct; otherwise a name may be part of a value and is not shown */
function doubledNames({ unit, entries }: SecretEntries, isSound: boolean): Mistake[] {
  const units = unit === 'line' ? 'lines' : 'entries'
  const seen = new Map<string, number>()
  return entries.flatMap(({ name, at }) => {
    const first = seen.get(name)
    seen.set(name, first ?? at)
    if (first === undefined || !C_IDENTIFIER.test(name)) return []
    const what = isSound ? `names ${name}` : 'has a name'
    return [{ at, message: `${what} twice, in ${units} ${first} and ${at}` }]
  })
}

/** Lists the values of the input `variables` that can be read. */
export function variableValues(given: string): string[] {
  return readSecrets(given).secrets.map(({ value }) => value)
}

export function secretTexts(given: string): string[] {
  const lines = given.split(/\r\n?|\n/)
  const form = formOf(lines)
  const rests = lines.map((line) => splitLine(line, form).rest.trim())
  const unquoted = rests.map((value) => value.replace(/^(["'])(.*)\1$/, '$2'))
  const { reading, secrets, mistakes } = readSecrets(given)
  const values = secrets.map(({ value }) => value)
  const inAddresses = secretsOfText(given)
  if (mistakes.length === 0) return [...rests, ...unquoted, ...values, ...inAddresses]
  const strings = [...given.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value ?? '')
  const wrong = mistakes.map(({ at }) => lines[at - 1] ?? '')
  const doubtful = reading.unit === 'line' ? [...wrong, ...reading.loose] : lines
  return [...rests, ...unquoted, ...values, ...inAddresses, ...strings, ...doubtful.flatMap(possibleValues)]
}

/** The parts of a line that cannot be read. Base64 may end in =, so what precedes it is a part of the secret. */
function possibleValues(line: string): string[] {
  const whole = line.trim()
  const pieces = whole.split(/\s(?=[A-Za-z_]\w*(?:=|:(?!\S)))/).flatMap((part) => [...part.matchAll(BEHIND_SIGN)])
  return [whole, withoutEnd(whole, '='), ...pieces.map(([, value = '']) => value.trim().replace(/^["']|["']$/g, ''))]
}

/** What follows a sign, up to the end of a member of a list or mapping. */
const BEHIND_SIGN = /[=:]([^,}\]]*)/g
