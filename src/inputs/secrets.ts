import type { SecretReference } from '../control-plane/model.ts'
import { Unacceptable } from './parsers.ts'
import {
  entriesOfJson,
  entriesOfLines,
  type Remark,
  type SecretEntries,
  type SecretEntry,
} from './secret-entries.ts'

/** A secret to be set: its value is known. */
export interface GivenSecret {
  name: string
  value: string
}

const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Lines `NAME=value`, or a JSON object. A value in quotes may span lines; in double quotes `\n`, `\r`, `\t`, `\"` and
 * `\\` stand for what they stand for in a .env file. Blank lines and lines that begin with `#` are passed over.
 * All that is wrong is told at once; no error ever shows a value.
 */
export function parseSecrets(given: string): GivenSecret[] {
  const { secrets, remarks } = readSecrets(given)
  if (remarks.length === 0) return secrets
  const told = remarks.slice(0, MAX_TOLD).map(({ message }) => message)
  const more = remarks.length - told.length
  throw new Unacceptable(...told, ...(more === 0 ? [] : [`has ${more} more problems of the kind`]))
}

interface SecretsReading {
  /** Whatever could be read, also when something is wrong. */
  secrets: GivenSecret[]
  /** All that is wrong, in order. */
  remarks: Remark[]
}

/** As `{}`: a list that was given and holds nothing, which is not the same as no list. */
const EMPTY_LIST = /^\s*\[\s*\]\s*$/

/** Nobody reads more at once. */
const MAX_TOLD = 20

function readSecrets(given: string): SecretsReading {
  if (EMPTY_LIST.test(given)) return { secrets: [], remarks: [] }
  const reading = given.trimStart().startsWith('{') ? entriesOfJson(given) : entriesOfLines(given)
  const broken = [...reading.remarks, ...reading.entries.flatMap((entry) => wrongsOf(entry, reading))]
  const remarks = [...broken, ...doubledNames(reading, broken.length === 0)]
  const secrets = reading.entries.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
  return { secrets, remarks: remarks.sort((one, other) => one.at - other.at) }
}

/** A name that is none may be a piece of a value: only its place is told. */
function wrongsOf({ name, value, at }: SecretEntry, { unit }: SecretEntries): Remark[] {
  const isName = C_IDENTIFIER.test(name)
  const where = `${unit} ${at}`
  const wrongName = `has a name in ${where} that is not a C identifier (letters, digits and _, not a digit first)`
  const wrongValue = `must have a text as the value of ${isName ? `${name}, ` : ''}${where}`
  return [
    ...(isName ? [] : [{ at, message: wrongName }]),
    ...(value === undefined ? [{ at, message: wrongValue }] : []),
  ]
}

/** @param isSound otherwise what looks like a name may be a line of a value, and is not shown */
function doubledNames({ unit, entries }: SecretEntries, isSound: boolean): Remark[] {
  const units = unit === 'line' ? 'lines' : 'entries'
  const seen = new Map<string, number>()
  return entries.flatMap(({ name, at }) => {
    const first = seen.get(name)
    seen.set(name, first ?? at)
    if (first === undefined || !C_IDENTIFIER.test(name)) return []
    return [
      { at, message: `${isSound ? `names ${name}` : 'has a name'} twice, in ${units} ${first} and ${at}` },
    ]
  })
}

/** Lines `ENV_NAME=secret-name/key`. */
export function parseSecretReferences(given: string): SecretReference[] {
  const lines = given.split(/\r\n?|\n/).map((line) => line.trim())
  const references = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, secretName, secretKey] = /^([^=\s]+)\s*=\s*([^/\s]+)\/([^/\s]+)$/.exec(line) ?? []
      if (
        name === undefined ||
        secretName === undefined ||
        secretKey === undefined ||
        !C_IDENTIFIER.test(name)
      ) {
        throw new Unacceptable('must have lines of the form ENV_NAME=secret-name/key')
      }
      return { name, secretName, secretKey }
    })
  const twice = references.find(
    ({ name }, index) => references.findIndex((other) => other.name === name) !== index,
  )
  if (twice !== undefined) throw new Unacceptable(`names ${twice.name} twice`)
  return references
}

/**
 * Every text in the `secrets` input that may be a value, whether it can be parsed or not: to be masked before
 * anything is said about it.
 */
export function secretTexts(given: string): string[] {
  const afterEquals = given.split(/\r\n?|\n/).map((line) => line.slice(line.indexOf('=') + 1).trim())
  const unquoted = afterEquals.map((value) => value.replace(/^(["'])(.*)\1$/, '$2'))
  return [...afterEquals, ...unquoted, ...parsedValues(given)]
}

function parsedValues(given: string): string[] {
  const { secrets, remarks } = readSecrets(given)
  const values = secrets.map(({ value }) => value)
  if (remarks.length === 0) return values
  return [...values, ...[...given.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value ?? '')]
}
