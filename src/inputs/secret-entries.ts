/** One secret as it is set, correct or not; `value` is `undefined` unless it is a string. */
interface SecretEntry {
  name: string
  value: string | undefined
  /** The number of its first line, or of the entry, from 1. */
  at: number
}

/** A mistake in a line or an entry; the message is the end of a sentence and contains no value. */
export interface Mistake {
  at: number
  message: string
}

export interface SecretEntries {
  /** The unit of `at`. */
  unit: 'line' | 'entry'
  /** Every entry that could be read. */
  entries: SecretEntry[]
  mistakes: Mistake[]
  /** Lines that belong to no entry. */
  loose: string[]
}

/** The tokens of valid JSON that determine the position of a string. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g

/** Lists the entries of a JSON object, duplicate names included; JSON.parse keeps only the last duplicate. */
export function entriesOfJson(given: string): SecretEntries {
  const entries: SecretEntry[] = []
  try {
    JSON.parse(given)
  } catch {
    const mistake = { at: 0, message: 'begins with { but is not a JSON object' }
    return { unit: 'entry', entries, mistakes: [mistake], loose: [] }
  }
  let depth = 0
  let before = ''
  for (const [token] of given.matchAll(TOKEN)) {
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
  return { unit: 'entry', entries, mistakes: [], loose: [] }
}

const BLANK_OR_COMMENT = /^\s*(#|$)/

export function entriesOfLines(given: string): SecretEntries {
  const lines = given.replace(/\r\n?/g, '\n').split('\n')
  const entries: SecretEntry[] = []
  const mistakes: Mistake[] = []
  const loose: string[] = []
  const countLoose = looseCounter(lines)
  const starts = startsOf(lines)
  const text = lines.join('\n')
  let open: number | undefined
  for (let index = 0; index < lines.length; index++) {
    const at = index + 1
    const line = lines[index] ?? ''
    if (BLANK_OR_COMMENT.test(line)) continue
    const count = countLoose(index)
    if (count > 0) {
      loose.push(...lines.slice(index, index + count))
      mistakes.push({ at, message: describeLoose(at, count, open) })
      index += count - 1
      continue
    }
    const equals = line.indexOf('=')
    const name = line.slice(0, equals).trim()
    const rest = line.slice(equals + 1)
    const quote = /^\s*(["'])/.exec(rest)?.[1]
    open = quote === undefined ? at : undefined
    if (quote === undefined) {
      const value = rest.trim()
      entries.push({ name, value, at })
      if (value.startsWith('#')) mistakes.push({ at, message: describeComment(at) })
      continue
    }
    const quoted = readQuoted(text, (starts[at] ?? 0) - 1 - rest.trimStart().length, quote)
    if (quoted?.isClean !== true) {
      const message = `has a quote in line ${at} that is never closed, or text after its closing quote`
      mistakes.push({ at, message })
    }
    // The following lines may belong to the value that has no end.
    if (quoted === undefined) break
    entries.push({ name, value: quoted.value, at })
    index += quoted.lines - 1
  }
  return { unit: 'line', entries, mistakes, loose }
}

/** A line that names an entry with a value, even if the name is not a valid one. */
const NAMED = /^\s*[\w.-]+\s*=\s*[^=\s]/
/** The last line of a text in Base64; it looks like a name without a value. */
const PADDED = /^\s*[\w+/-]+={1,2}\s*$/

/** Where each line starts in the text, and where one behind the last would. */
function startsOf(lines: readonly string[]): number[] {
  let next = 0
  return [0, ...lines.map((line) => (next += line.length + 1))]
}

/**
 * Returns the function that counts the lines from a place on that belong to no entry, like those of a key without
 * quotes. A line `abc=` among them, or right behind them, is one of them.
 */
function looseCounter(lines: readonly string[]): (from: number) => number {
  let seen = -1
  const lastLoose = lines.map((line, at) => (line.includes('=') || BLANK_OR_COMMENT.test(line) ? seen : (seen = at)))
  let next = lines.length
  const nextNamed = lines.map(() => 0)
  for (let at = lines.length - 1; at >= 0; at--) nextNamed[at] = next = NAMED.test(lines[at] ?? '') ? at : next
  return (from) => {
    const end = nextNamed[from] ?? from
    const last = lastLoose[end - 1] ?? -1
    if (last < from) return 0
    return PADDED.test(lines[last + 1] ?? '') ? last + 2 - from : last + 1 - from
  }
}

function describeComment(at: number): string {
  return `has a value in line ${at} that begins with #: put it in quotes, as in KEY="#…", or a comment on a line of its own`
}

/** @param open the line in which the value without quotes begins that precedes */
function describeLoose(at: number, count: number, open: number | undefined): string {
  const which = count === 1 ? `a line ${at} that is` : `lines ${at} to ${at + count - 1} that are`
  const from = open === undefined ? '' : `, perhaps the rest of the value that begins in line ${open}`
  return `has ${which} not NAME=value${from}: put a value of several lines in quotes, as in KEY="…", or set a JSON object`
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

/**
 * Reads the value that begins with a quote at `start`. `isClean`: the closing quote ends its line. Returns `undefined` if
 * the quote is never closed.
 */
function readQuoted(text: string, start: number, quote: string) {
  const pattern = quote === '"' ? /"((?:[^"\\]|\\[^])*)"([^\n]*)/y : /'([^']*)'([^\n]*)/y
  pattern.lastIndex = start
  const found = pattern.exec(text)
  if (found === null) return undefined
  const [, body = '', tail = ''] = found
  const value = quote === '"' ? body.replace(/\\([^])/g, (whole, letter: string) => ESCAPES[letter] ?? whole) : body
  return { value, lines: body.split('\n').length, isClean: tail.trim() === '' }
}
