import { C_IDENTIFIER } from '../control-plane/forms.ts'
import type { SecretReference } from '../control-plane/model.ts'
import type { Masks } from '../secrets/learn.ts'
import { secretsOfAddress, secretsOfText } from '../secrets/address.ts'
import { ADDRESSES, type InputName } from './names.ts'
import { Unacceptable, type Finding, type Parser } from './parsers.ts'
import { formOf, splitLine, entriesOfJson, entriesOfLines, type Mistake, type SecretEntries } from '../secrets/lines.ts'
import { withoutEnd } from '../secrets/text.ts'

/** A key of a secret of the cluster. */
export const SECRET_KEY = /^([^/\s]+)\/([^/\s]+)$/

const REFERENCE = /^([A-Za-z_]\w*)\s*=([^]*)/

/** The end of a message about a name. */
export const NO_C_IDENTIFIER =
  'that no environment variable can have: use letters, digits and _ only, and no digit first, as in MY_KEY in place of my-key'

type Secret = { name: string; value: string }

/** What a list of secrets may contain. */
export interface SecretRules {
  allowsEmpty: boolean
  /** The names and the values of inputs that no deployment may get. */
  forbidden: readonly { input: string; value: string }[]
}

/**
 * Creates the parser of lines `NAME=value` or `NAME: value`, or of a JSON object. A quoted value may span lines; double quotes have the
 * escapes of a .env file: `\n`, `\r`, `\t`, `\"` and `\\`. Blank lines and lines that begin with `#` are skipped.
 * It throws every mistake together; no message contains a value.
 */
export function secretsParser(rules: SecretRules): Parser<Secret[]> {
  return (given) => {
    const { reading, secrets, mistakes } = readSecrets(given)
    const messages: Finding[] = mistakes.map(({ message }) => message)
    // A name may be part of a value as long as there is another mistake.
    if (messages.length === 0) messages.push(...emptyValues(reading, rules), ...credentialsIn(secrets, rules))
    if (messages.length > 0) throw new Unacceptable(...messages)
    return secrets
  }
}

function emptyValues({ unit, entries }: SecretEntries, { allowsEmpty }: SecretRules): Finding[] {
  if (allowsEmpty) return []
  const empty = entries.flatMap(({ name, value, at }, index) => {
    if (value === undefined || !BLANK.test(value)) return []
    const mayBeRest = unit === 'line' && (entries[index - 1]?.value?.length ?? 0) >= BASE64_LINE
    return [mayBeRest && !CONVENTIONAL.test(name) ? `line ${at}` : name]
  })
  if (empty.length === 0) return []
  return [{ text: `has an empty value for ${empty.join(', ')}: ${EMPTY_CAUSES}`, count: empty.length }]
}

/** Blanks, line breaks and characters that are not visible are no value. */
const BLANK = /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*$/u

/** The shortest length of the lines into which Base64 is broken. `abc=` after such a line may be its rest. */
const BASE64_LINE = 60
const CONVENTIONAL = /^[A-Z_][A-Z0-9_]*$/

const EMPTY_CAUSES =
  "look for a typo in the name of the workflow's secret or variable, for an environment that this job does not name, and for a run of Dependabot or from a fork, which gets no secrets; with allow-empty-secrets: true, empty values are accepted"

function credentialsIn(secrets: readonly Secret[], { forbidden }: SecretRules): string[] {
  const found = secrets.flatMap(({ name, value }) => {
    const same = forbidden.find((one) => one.value !== '' && one.value === value.trim())
    return same === undefined ? [] : [`${name} (the value of ${same.input})`]
  })
  if (found.length === 0) return []
  return [
    `must not pass this action's own credentials on to the deployment: ${found.join(', ')}; list the secrets that it needs one by one, because \${{ toJSON(secrets) }} contains the credentials of the job`,
  ]
}

/** `[]` is an empty list like `{}`: it removes all secrets. An input that is not set leaves them unchanged. */
const EMPTY_LIST = /^\s*\[\s*\]\s*$/

/** Returns every secret that could be read, and the mistakes in the order of the text. */
function readSecrets(given: string) {
  const text = EMPTY_LIST.test(given) ? '' : given
  const reading = text.trimStart().startsWith('{') ? entriesOfJson(text) : entriesOfLines(text)
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

/** Parses lines `ENV_NAME=secret-name/key`. */
export function parseSecretReferences(given: string): SecretReference[] {
  const lines = given.split(/\r\n?|\n/).map((line) => line.trim())
  const references = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, key = ''] = REFERENCE.exec(line) ?? []
      const [, secretName, secretKey] = SECRET_KEY.exec(key.trim()) ?? []
      if (name === undefined || secretName === undefined || secretKey === undefined)
        throw new Unacceptable('must be lines of the form ENV_NAME=secret-name/key')
      return { name, secretName, secretKey }
    })
  const names = references.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Unacceptable(`names ${twice} twice`)
  return references
}

/** Lists the values of the input `variables` that can be read. */
export function variableValues(given: string): string[] {
  return readSecrets(given).secrets.map(({ value }) => value)
}

/** The values of the input `variables` are no secrets; a password of an address in them is one. */
export function maskVariables(masks: Masks, values: readonly string[]): void {
  masks.allow(values)
  masks.values(values.flatMap(secretsOfText))
}

/** Lists every text of the input `secrets` that may be a value, even if the input cannot be parsed. */
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

/** Lists the texts of an input's addresses that must be masked: it is an address itself, or may contain some. */
export function secretsIn(name: InputName, text: string): string[] {
  return ADDRESSES.includes(name) ? secretsOfAddress(text.trim()) : secretsOfText(text)
}
