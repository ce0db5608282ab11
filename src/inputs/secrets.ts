import type { SecretReference } from '../control-plane/model.ts'
import { jsonEntries } from './json-entries.ts'
import { Unacceptable } from './parsers.ts'

/** A secret to be set: its value is known. */
export interface GivenSecret {
  name: string
  value: string
}

const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Lines `NAME=value`, or a JSON object. A value in quotes may span lines; in double quotes `\n`, `\r`, `\t`, `\"` and
 * `\\` stand for what they stand for in a .env file. Blank lines and lines that begin with `#` are passed over.
 * No error ever shows a value.
 */
export function parseSecrets(given: string): GivenSecret[] {
  const secrets = given.trimStart().startsWith('{') ? fromJson(given) : fromLines(given)
  const seen = new Set<string>()
  for (const { name } of secrets) {
    if (!C_IDENTIFIER.test(name)) {
      throw new Unacceptable(
        `has an entry whose name is not a C identifier (letters, digits and _, not a digit first)`,
      )
    }
    if (seen.has(name)) throw new Unacceptable(`names ${name} twice`)
    seen.add(name)
  }
  return secrets
}

function fromJson(given: string): GivenSecret[] {
  const entries = jsonEntries(given)
  if (entries === undefined) throw new Unacceptable('begins like a JSON object but is not one')
  return entries.map(({ name, value }) => {
    if (value === undefined) throw new Unacceptable(`must be a JSON object whose values are all strings`)
    return { name, value }
  })
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

function fromLines(given: string): GivenSecret[] {
  const lines = given.replace(/\r\n?/g, '\n').split('\n')
  const secrets: GivenSecret[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (/^\s*(#|$)/.test(line)) continue
    const equals = line.indexOf('=')
    if (equals < 0) throw new Unacceptable(`has a line ${at + 1} that is not NAME=value`)
    const name = line.slice(0, equals).trim()
    const rest = line.slice(equals + 1)
    const quote = /^\s*(["'])/.exec(rest)?.[1]
    if (quote === undefined) {
      secrets.push({ name, value: rest.trim() })
      continue
    }
    const quoted = readQuoted([rest.trimStart(), ...lines.slice(at + 1)], quote)
    if (quoted === undefined)
      throw new Unacceptable(`has a quote in line ${at + 1} that is never closed, or that something follows`)
    secrets.push({ name, value: quoted.value })
    at += quoted.lines - 1
  }
  return secrets
}

function readQuoted(lines: string[], quote: string): { value: string; lines: number } | undefined {
  const pattern = quote === '"' ? /^"((?:[^"\\]|\\[^])*)"[^\S\n]*(?=\n|$)/ : /^'([^']*)'[^\S\n]*(?=\n|$)/
  const found = pattern.exec(lines.join('\n'))
  if (found === null) return undefined
  const body = found[1] ?? ''
  const value =
    quote === '"' ? body.replace(/\\([^])/g, (whole, letter: string) => ESCAPES[letter] ?? whole) : body
  return { value, lines: body.split('\n').length }
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
  try {
    return parseSecrets(given).map(({ value }) => value)
  } catch {
    return [...given.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value ?? '')
  }
}
