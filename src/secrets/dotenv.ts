/** The entries of a dotenv file that the packages of npm and Python read alike. Every other line is a mistake. */
interface Dotenv {
  /** The entries in the order of the file. The last of equal names counts. */
  entries: DotenvEntry[]
  mistakes: DotenvMistake[]
}

export interface DotenvEntry {
  name: string
  value: string
  /** The number of the first line of the entry, from 1. */
  line: number
}

/** `message`: the end of a sentence that begins with the file. It contains no value. */
export interface DotenvMistake {
  line: number
  message: string
}

/** The blanks of both packages. JavaScript also ends a line at a line separator of Unicode. */
const BLANK = String.raw`[^\S\r\n\u2028\u2029\ufeff]`
const LINE_SEPARATOR = /[\u2028\u2029]/
/** At an end of a value, one package removes these and the other one does not. */
const HALF_BLANK_AT_END = /^[\x1c-\x1f\x85]|[\x1c-\x1f\x85]$/
const BYTE_ORDER_MARK = '\ufeff'

const EMPTY_OR_COMMENT = new RegExp(`^${BLANK}*(?:#.*)?$`, 's')
const ENTRY = new RegExp(`^${BLANK}*(?:export${BLANK}+)?([\\w.-]+)${BLANK}*=`)
const QUOTED = new RegExp(`^${BLANK}*(["'])`)
const COMMENT = new RegExp(`${BLANK}#.*$`, 's')

/** Only Python replaces these escapes. */
const ESCAPE_OF_PYTHON = { '"': /\\[\\'"abftv]/, "'": /\\[\\']/ } as const
type Quote = keyof typeof ESCAPE_OF_PYTHON
/** Only Python replaces it, whatever form the value has. */
const REFERENCE = /\$\{[^}]*\}/

export function readDotenv(source: string): Dotenv {
  const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const entries: DotenvEntry[] = []
  const mistakes: DotenvMistake[] = []
  for (let at = 0, line = 1; at <= text.length;) {
    const reading = readLines(text, at)
    const { name, value, mistake, end } = reading
    const next = line + countLines(text, at, end)
    if (mistake !== undefined) mistakes.push({ line, message: `has in ${placeOf(name, line, next - 1)} ${mistake}` })
    else if (name !== undefined && value !== undefined) entries.push({ name, value, line })
    line = next
    at = end + 1
  }
  return { entries, mistakes }
}

interface Reading {
  name?: string
  value?: string
  mistake?: string | undefined
  /** The place where the last line of the entry ends. */
  end: number
}

function placeOf(name: string | undefined, first: number, last: number): string {
  if (name !== undefined) return `line ${first} (${name})`
  return last > first ? `lines ${first} to ${last}` : `line ${first}`
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function countLines(text: string, at: number, end: number): number {
  return text.slice(at, end).split('\n').length
}

function readLines(text: string, at: number): Reading {
  const end = endOfLine(text, at)
  const line = text.slice(at, end)
  if (EMPTY_OR_COMMENT.test(line)) return { end, mistake: LINE_SEPARATOR.test(line) ? SEPARATED : undefined }
  const [head = '', name] = ENTRY.exec(line) ?? []
  // The first word of such a line may be a piece of a key.
  if (name === undefined) return { mistake: NO_ENTRY, end: endOfLoose(text, end) }
  if (name === 'export') return { name, mistake: NAMED_EXPORT, end }
  const rest = line.slice(head.length)
  const [beginning = '', quote] = QUOTED.exec(rest) ?? []
  if (quote !== '"' && quote !== "'") return { name, ...checked(name, readPlain(name, rest)), end }
  return { name, ...readQuoted(name, quote, text, at + head.length + beginning.length) }
}

/** Returns where the lines end that belong to no entry, like those of a key without quotes. */
function endOfLoose(text: string, from: number): number {
  let end = from
  while (end < text.length) {
    const next = endOfLine(text, end + 1)
    const line = text.slice(end + 1, next)
    if (EMPTY_OR_COMMENT.test(line) || ENTRY.test(line)) break
    end = next
  }
  return end
}

type Value = { value: string } | { mistake: string }

function readPlain(name: string, rest: string): Value {
  const text = rest.replace(COMMENT, '')
  const value = text.trim()
  if (value.startsWith('`')) return { mistake: BACKTICK + otherForm(name, value.replace(/^`|`$/g, '')) }
  const sign = rest.indexOf('#')
  const isComment = sign > 0 && sign === rest.search(COMMENT) + 1
  if (sign >= 0 && !isComment) return { mistake: SIGN + otherForm(name, rest.trim()) }
  if (HALF_BLANK_AT_END.test(value) || text.includes(BYTE_ORDER_MARK)) return { mistake: INVISIBLE }
  return LINE_SEPARATOR.test(rest) && /["'`#]/.test(rest) ? { mistake: SEPARATED } : { value }
}

/** @param from where the value begins, behind its quote */
function readQuoted(name: string, quote: Quote, text: string, from: number): Omit<Reading, 'name'> {
  const close = closingQuote(text, from, quote)
  // Either package may read all that follows as a part of the value.
  if (close === undefined) return { mistake: UNCLOSED, end: text.length }
  const end = endOfLine(text, close)
  const body = text.slice(from, close)
  const tail = text.slice(close + 1, end)
  if (ESCAPE_OF_PYTHON[quote].test(body))
    return {
      mistake: (quote === '"' ? ESCAPED : ESCAPED_IN_SINGLE) + otherForm(name, body.replace(/\\([\\'"])/g, '$1')),
      end,
    }
  if (!EMPTY_OR_COMMENT.test(tail)) return { mistake: FOLLOWED + otherForm(name, text.slice(from - 1, end)), end }
  if (LINE_SEPARATOR.test(tail)) return { mistake: SEPARATED, end }
  const value = quote === '"' ? body.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : body
  return { ...checked(name, { value }), end }
}

/** Neither package ends a value at a quote behind a backslash, if another quote follows. */
function closingQuote(text: string, from: number, quote: Quote): number | undefined {
  let at = text.indexOf(quote, from)
  while (at > from && text[at - 1] === '\\') at = text.indexOf(quote, at + 1)
  return at < 0 ? undefined : at
}

function checked(name: string, value: Value): Value {
  return 'value' in value && REFERENCE.test(value.value) ? { mistake: REFERRING + move(name) } : value
}

/** Names a form of the value that both packages read alike, or another place for it. */
function otherForm(name: string, value: string): string {
  if (REFERENCE.test(value)) return move(name)
  if (!/["\\]/.test(value)) return `write ${name}="…", or ${move(name)}`
  return /'|\\[\\']|\\$/.test(value) ? move(name) : `write ${name}='…', or ${move(name)}`
}

function move(name: string): string {
  return `move ${name} to secrets`
}

const DIFFER = 'which the packages for such files read differently'
const NO_ENTRY =
  'no NAME=value: put a value of several lines in double quotes, as in NAME="…", move it to secrets, or begin a comment with #'
const NAMED_EXPORT = 'export as the name: it belongs before a name, as in export NAME=value'
const BACKTICK = `a value in backticks, ${DIFFER}: `
const SIGN = `a # without a blank before it, ${DIFFER}: write a blank before a comment; if the # belongs to the value, `
const INVISIBLE = `an invisible character at an end of the value, ${DIFFER}: remove it, or put the value in quotes`
const SEPARATED = `a line separator of Unicode (U+2028 or U+2029), ${DIFFER}: remove it`
const REFERRING = `a \${…}, ${DIFFER}: write the value itself, or `
const UNCLOSED = `a quote that is not closed, ${DIFFER}: close it, or, if it belongs to the value, put the value in the other quotes`
const ESCAPED = `a \\ in double quotes before one of \\ ' " a b f t v, ${DIFFER}: `
const ESCAPED_IN_SINGLE = `a \\ in single quotes before \\ or ', ${DIFFER}: `
const FOLLOWED = `text behind the closing quote, ${DIFFER}: begin a comment with #; if the text belongs to the value, `
