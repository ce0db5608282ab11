import type { SecretReference } from '../control-plane/model.ts'
import { Unacceptable } from './parsers.ts'
import { entriesOfJson, entriesOfLines, type Mistake, type SecretEntries } from './secret-entries.ts'

const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/
const REFERENCE = /^([A-Za-z_]\w*)\s*=\s*([^/\s]+)\/([^/\s]+)$/

/**
 * Parses lines `NAME=value`, or a JSON object. A quoted value may span lines; double quotes have the escapes of a .env
 * file: `\n`, `\r`, `\t`, `\"` and `\\`. Blank lines and lines that begin with `#` are skipped.
 * Throws every mistake together; no message contains a value.
 */
export function parseSecrets(given: string): { name: string; value: string }[] {
  const { secrets, mistakes } = readSecrets(given)
  if (mistakes.length === 0) return secrets
  const shown = mistakes.slice(0, MAX_SHOWN).map(({ message }) => message)
  const more = mistakes.length - shown.length
  throw new Unacceptable(...shown, ...(more === 0 ? [] : [`has ${more} more problems`]))
}

/** `[]` is an empty list like `{}`: it removes all secrets. An input that is not set leaves them unchanged. */
const EMPTY_LIST = /^\s*\[\s*\]\s*$/

/** More messages than this do not help. */
const MAX_SHOWN = 20

/** Returns every secret that could be read, and the mistakes in the order of the text. */
function readSecrets(given: string) {
  if (EMPTY_LIST.test(given)) return { secrets: [], mistakes: [] }
  const reading = given.trimStart().startsWith('{') ? entriesOfJson(given) : entriesOfLines(given)
  const broken = [...reading.mistakes, ...mistakesOf(reading)]
  const mistakes = [...broken, ...doubledNames(reading, broken.length === 0)]
  const secrets = reading.entries.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
  return { secrets, mistakes: mistakes.sort((one, other) => one.at - other.at) }
}

/** An invalid name may be part of a value, so its message contains only the place. */
function mistakesOf({ unit, entries }: SecretEntries): Mistake[] {
  return entries.flatMap(({ name, value, at }) => {
    const isName = C_IDENTIFIER.test(name)
    const where = `${unit} ${at}`
    const wrongName = `has a name in ${where} that is not a C identifier (letters, digits and _, not a digit first)`
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
      const [, name, secretName, secretKey] = REFERENCE.exec(line) ?? []
      if (name === undefined || secretName === undefined || secretKey === undefined)
        throw new Unacceptable('must be lines of the form ENV_NAME=secret-name/key')
      return { name, secretName, secretKey }
    })
  const names = references.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Unacceptable(`names ${twice} twice`)
  return references
}

/** Lists every text of the input `secrets` that may be a value, even if the input cannot be parsed. */
export function secretTexts(given: string): string[] {
  const afterEquals = given.split(/\r\n?|\n/).map((line) => line.slice(line.indexOf('=') + 1).trim())
  const unquoted = afterEquals.map((value) => value.replace(/^(["'])(.*)\1$/, '$2'))
  const { secrets, mistakes } = readSecrets(given)
  const values = secrets.map(({ value }) => value)
  if (mistakes.length > 0) values.push(...given.matchAll(/"((?:[^"\\]|\\.)*)"/g).map(([, value]) => value ?? ''))
  return [...afterEquals, ...unquoted, ...values]
}
