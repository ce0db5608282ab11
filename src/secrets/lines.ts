import { parseOwnJson } from '../http/json.ts'
import { secretsOfText } from './address.ts'
import { unquoted } from './forms.ts'
import {
  BLANK_OR_COMMENT,
  describeBegin,
  describeFolded,
  describeJoined,
  describeLoose,
  describeTail,
  formOf,
  isFoldedComment,
  type LineForm,
  splitLine,
  type ValuesContext,
} from './line-form.ts'
import { startsOf, withoutEnd } from './text.ts'

/** One secret as it is set, correct or not; `value` is `undefined` unless it is a string. */
interface SecretEntry {
  name: string
  value: string | undefined
  /** The number of the first line of the entry, or of the entry itself, from 1. */
  at: number
  /** The form of the value, where it may be a mistake. */
  form?: ValueForm
}

/** A value without quotes, or one in double quotes in which an escape was replaced. */
type ValueForm = 'unquoted' | 'escaped'

/** A mistake in a line or an entry; the message is the end of a sentence and contains no value. */
interface Mistake {
  at: number
  message: string
  /** The number of its lines; 1 if not set. */
  count?: number
}

export interface SecretEntries {
  unit: 'line' | 'entry'
  entries: SecretEntry[]
  mistakes: Mistake[]
}

/** The tokens of valid JSON that determine the position of a string. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

const NO_JSON =
  'begins with { but is not a JSON object: put every name and every value in double quotes, as in {"NAME": "value"}, or write lines NAME=value'

/** Lists the entries of a list of secrets or variables: a JSON object, or lines. `context`: for the examples of messages. */
export function entriesOf(text: string, context?: ValuesContext): SecretEntries {
  return text.trimStart().startsWith('{') ? entriesOfJson(text) : entriesOfLines(text, context)
}

/** Lists the entries of a JSON object, duplicate names included; JSON.parse keeps only the last duplicate. */
function entriesOfJson(json: string): SecretEntries {
  const entries: SecretEntry[] = []
  if (!parseOwnJson(json).ok) return { unit: 'entry', entries, mistakes: [{ at: 0, message: NO_JSON }] }
  let depth = 0
  let before = ''
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth--
    if (depth === 1 && token.startsWith('"')) {
      const text = String(JSON.parse(token))
      const last = entries.at(-1)
      if (before !== ':') entries.push({ name: text, value: undefined, at: entries.length + 1 })
      else if (last !== undefined) last.value = text
    }
    if (token === '{' || token === '[') depth++
    before = token
  }
  return { unit: 'entry', entries, mistakes: [] }
}

// eslint-disable-next-line sonarjs/cognitive-complexity, max-lines-per-function -- each branch is a form of a line, in their order
function entriesOfLines(source: string, context: ValuesContext | undefined): SecretEntries {
  const lines = source.replace(/\r\n?/g, '\n').split('\n')
  const form = formOf(lines, context)
  const text = lines.join('\n')
  const starts = startsOf(lines, '\n')
  const isAlone = !text.trim().includes('\n')
  const isOnly = lines.filter((line) => !BLANK_OR_COMMENT.test(line)).length === 1
  const entries: SecretEntry[] = []
  const mistakes: Mistake[] = []
  let open: number | undefined
  // Every line before it belongs to an entry.
  let sound = 0
  for (let index = 0; index < lines.length;) {
    const at = index + 1
    const line = lines[index] ?? ''
    if (BLANK_OR_COMMENT.test(line)) {
      if (isAlone && isFoldedComment(line)) mistakes.push({ at, message: describeFolded(form) })
      index++
      continue
    }
    const { end, next } = index < sound ? { end: index, next: sound } : looseFrom(lines, index, form)
    sound = next
    if (end > index) {
      const message = describeLoose(at, lines.slice(index, end), form, open)
      mistakes.push({ at, message, count: end - index })
      index = end
      continue
    }
    const { name, rest } = splitLine(line, form)
    const start = (starts[at] ?? 0) - 1 - rest.trimStart().length
    const { value, tail, count, form: valueForm } = readValue(rest.trim(), text, start)
    const isQuoted = valueForm !== 'unquoted'
    open = isQuoted ? undefined : at
    if (value !== undefined) entries.push({ name, value, at, ...(valueForm && { form: valueForm }) })
    const broken = isQuoted ? describeTail(at, tail, form) : describeBegin(at, tail, form)
    const joined = isOnly ? describeJoined(name, tail, form, isAlone) : undefined
    const message = joined ?? broken
    if (message !== undefined) mistakes.push({ at, message })
    index += count
  }
  return { unit: 'line', entries, mistakes }
}

/** The last line of a text in Base64; it looks like a name without a value. */
const PADDED = /^\s*[\w+/-]+={1,2}\s*$/

/**
 * Returns where the lines from a place on end that belong to no entry, like those of a key without quotes, and where the
 * next entry with a value begins. A line `abc=` among them, or right behind them, is one of them.
 */
function looseFrom(lines: readonly string[], from: number, { entry, named, otherForm }: LineForm) {
  let end = from
  let next = from
  for (; next < lines.length && !named.test(lines[next] ?? ''); next++) {
    const line = lines[next] ?? ''
    if (!BLANK_OR_COMMENT.test(line) && (!entry.test(line) || otherForm.test(line))) end = next + 1
  }
  if (end > from && PADDED.test(lines[end] ?? '')) end++
  return { end, next }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/** A value, and the rest of its last line. */
const DOUBLE = /"((?:[^"\\]|\\[^])*)"([^\n]*)/y
const SINGLE = /'([^']*)'([^\n]*)/y

/**
 * Reads the value at a place of a text; `rest` is its first line. `tail`: what follows its closing quote, or is a value
 * without quotes. `count`: of its lines. A quote that is never closed is a tail, and all lines may belong to it.
 */
function readValue(rest: string, text: string, start: number): ReadValue {
  const quote = rest.charAt(0)
  if (quote !== '"' && quote !== "'") return { value: rest, tail: rest, count: 1, form: 'unquoted' }
  const pattern = quote === '"' ? DOUBLE : SINGLE
  pattern.lastIndex = start
  const match = pattern.exec(text)
  if (match === null) return { value: undefined, tail: quote, count: Infinity, form: undefined }
  const [, body = '', tail = ''] = match
  const value = quote === '"' ? body.replace(/\\([^])/g, (whole, letter: string) => ESCAPES[letter] ?? whole) : body
  return { value, tail, count: body.split('\n').length, form: value === body ? undefined : 'escaped' }
}

interface ReadValue {
  value: string | undefined
  tail: string
  count: number
  form: ValueForm | undefined
}

/** The name of an environment variable (contract, "EnvVar"). */
export const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

export const NO_C_IDENTIFIER =
  'that no environment variable can have: use letters, digits and _ only, and no digit first, as in MY_KEY in place of my-key'

export type Secret = { name: string; value: string }

/** `[]` is an empty list like `{}`: it removes all secrets. An input that is not set leaves them unchanged. */
const EMPTY_LIST = /^\s*\[\s*\]\s*$/

/** Returns every secret that could be read, and the mistakes in the order of the text. */
export function readSecrets(list: string | SecretEntries, context?: ValuesContext) {
  const reading = typeof list === 'string' ? entriesOf(EMPTY_LIST.test(list) ? '' : list, context) : list
  const broken = [...reading.mistakes, ...mistakesOf(reading)]
  const mistakes = [...broken, ...doubledNames(reading, broken.length === 0)]
  const secrets = reading.entries.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
  return { reading, secrets, mistakes: mistakes.sort((one, other) => one.at - other.at) }
}

const EXPORT = /^export\s+[A-Za-z_]\w*$/

/** An invalid name may be part of a value, so its message contains only the place. */
function mistakesOf({ unit, entries }: SecretEntries): Mistake[] {
  return entries.flatMap(({ name, value, at }) => {
    const isName = C_IDENTIFIER.test(name)
    const where = `${unit} ${at}`
    const wrongName = EXPORT.test(name)
      ? `has export in ${where}: write the line without it`
      : `has a name in ${where} ${NO_C_IDENTIFIER}`
    const wrongValue = `must have a string as the value of ${isName ? `${name}, ` : ''}${where}; toJSON gives null for a secret that is not set`
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
    const problem = isSound ? `names ${name}` : 'has a name'
    return [{ at, message: `${problem} twice, in ${units} ${first} and ${at}` }]
  })
}

export function secretTexts(list: string): string[] {
  const lines = list.split(/\r\n?|\n/)
  const form = formOf(lines)
  const rests = lines.map((line) => splitLine(line, form).rest.trim())
  const { reading, secrets, mistakes } = readSecrets(list)
  const values = secrets.map(({ value }) => value)
  const texts = [...rests, ...rests.map(unquoted), ...values, ...secretsOfText(list)]
  if (mistakes.length === 0) return texts
  const strings = [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value]) => value ?? '')
  const wrong = mistakes.flatMap(({ at, count = 1 }) => lines.slice(at - 1, at - 1 + count))
  return [...texts, ...strings, ...(reading.unit === 'line' ? wrong : lines).flatMap(possibleValues)]
}

/** The parts of a line that cannot be read. Base64 may end in =, so what precedes it is a part of the secret. */
function possibleValues(line: string): string[] {
  const whole = line.trim()
  const pieces = whole.split(/\s(?=[A-Za-z_]\w*(?:=|:(?!\S)))/).flatMap((part) => [...part.matchAll(BEHIND_SIGN)])
  return [whole, withoutEnd(whole, '='), ...pieces.map(([, value = '']) => value.trim().replace(/^["']|["']$/g, ''))]
}

/** The text behind a sign, up to the end of a member of a list or mapping. */
const BEHIND_SIGN = /[=:]([^,}\]]*)/g
