import { isUtf8 } from 'node:buffer'
import { parseJson, type ParsedJson } from '../../http/json.ts'
import type { DocumentReading } from '../../sources/resource-spec/document.ts'
import type { CallBody, Parameter } from '../../request/call.ts'
import type { InputReader } from '../reader.ts'
import { nonEmptyLines } from './texts.ts'

/** No message repeats the input, which may contain a secret. */
const QUERY_FORMS = 'must be a mapping in YAML or JSON, or text as in limit=10&offset=0'

/** Reads a mapping in YAML or JSON, in which a list repeats its name, or text like `limit=10&offset=0` on any number of lines. */
export async function readQuery(given: string, read: InputReader): Promise<Parameter[]> {
  const lines = nonEmptyLines(given)
  if (lines.every((line) => /^[^\s:{"'=]+=/.test(line))) return lines.flatMap((line) => [...new URLSearchParams(line)])
  const reading = await readYaml(given)
  const pairs =
    reading.kind === 'read' && isPlainObject(reading.value)
      ? Object.entries(reading.value).map(([name, value]) => parametersOf(name, value))
      : [undefined]
  const known = pairs.filter((some) => some !== undefined)
  if (known.length < pairs.length) read.problems.push({ input: 'query', message: QUERY_FORMS })
  return known.flat()
}

/** Returns one parameter for a scalar, several for a list, none for null; `undefined` for a value that a query cannot contain. */
function parametersOf(name: string, value: unknown): Parameter[] | undefined {
  if (value === null) return []
  const all: unknown[] = Array.isArray(value) ? value : [value]
  const areTexts = all.every((one) => ['string', 'number', 'boolean'].includes(typeof one))
  return areTexts ? all.map((one) => [name, String(one)]) : undefined
}

const FIELD = /^[ \t]*(?:- +)?(?:[\w.$/-]+|"[^"\n]*"|'[^'\n]*')[ \t]*:(?:\s|$)/m
const ENTRY = /^[ \t]*-(?:\s|$)/m

/** Whether a mapping or a list was meant: the text begins like JSON, or a line begins with a field or an entry. */
function looksLikeData(given: string): boolean {
  return /^\s*[{[]/.test(given) || FIELD.test(given) || ENTRY.test(given)
}

/** Reads JSON unchanged, a mapping or a list in YAML as JSON, and other text as text. Broken JSON or YAML is a problem. */
export async function readBodyText(given: string, read: InputReader): Promise<CallBody | undefined> {
  const data = await readData(given)
  if (data.kind === 'json') return data
  if (data.kind === 'unreadable' && looksLikeData(given)) {
    const message = `looks like YAML or JSON, but ${data.message}; use file to send it as text`
    read.problems.push({ input: 'body', message })
    return undefined
  }
  return { kind: 'text', text: given }
}

/** Whether a file of this name is sent as JSON, the API's usual format. */
export function isDataFile(name: string): boolean {
  return /\.(json|ya?ml)$/i.test(name)
}

/** Reads the content of such a file, scalars included, as JSON. */
export async function readBodyFile(bytes: Uint8Array, read: InputReader): Promise<CallBody | undefined> {
  // The decoder removes a byte order mark.
  const data: Data = isUtf8(bytes)
    ? await readData(new TextDecoder().decode(bytes))
    : { kind: 'unreadable', message: 'is not UTF-8' }
  if (data.kind === 'json') return data
  if (data.kind === 'scalar') return { kind: 'json', value: data.value, text: JSON.stringify(data.value) }
  read.problems.push({ input: 'file', message: `cannot be sent as JSON: it ${data.message}` })
  return undefined
}

type Data =
  | Extract<CallBody, { kind: 'json' }>
  | { kind: 'scalar'; value: unknown }
  /** The reason, as the end of a sentence. */
  | { kind: 'unreadable'; message: string }

/** Parses JSON without parseJson's limit on values, which is meant for responses. */
function parseOwn(given: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(given)
    return { ok: true, value }
  } catch {
    // parseJson detects text that is too large for the YAML parser as well.
    return parseJson(given)
  }
}

async function readData(given: string): Promise<Data> {
  const json = parseOwn(given)
  // The text stays unchanged because parsing would round large numbers.
  if (json.ok) return { kind: 'json', value: json.value, text: given.trim() }
  if (json.bloated) return { kind: 'unreadable', message: 'has far too many values, or is nested far too deeply' }
  const reading = await readYaml(given)
  if (reading.kind === 'unreadable') return reading
  const { value } = reading
  return typeof value === 'object' && value !== null
    ? { kind: 'json', value, text: JSON.stringify(value) }
    : { kind: 'scalar', value }
}

/** Imported here because yaml comes with it. */
async function readYaml(given: string): Promise<DocumentReading> {
  const { parseYaml } = await import('../../sources/resource-spec/document.ts')
  return parseYaml(given)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
