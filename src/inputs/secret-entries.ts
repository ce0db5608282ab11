/** One secret as it is set, correct or not; `value` is `undefined` unless it is a string. */
export interface SecretEntry {
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
  let open: number | undefined
  for (let index = 0; index < lines.length; index++) {
    const at = index + 1
    const line = lines[index] ?? ''
    if (BLANK_OR_COMMENT.test(line)) continue
    const count = countLoose(lines.slice(index))
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
    const quoted = readQuoted([rest.trimStart(), ...lines.slice(at)], quote)
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

/**
 * Counts the lines at the beginning that belong to no entry, like those of a key without quotes. A line `abc=` among
 * them, or right behind them, is one of them.
 */
function countLoose(lines: string[]): number {
  const next = lines.findIndex((line) => NAMED.test(line))
  const block = next < 0 ? lines : lines.slice(0, next)
  const last = block.findLastIndex((line) => !line.includes('=') && !BLANK_OR_COMMENT.test(line))
  return last >= 0 && PADDED.test(block[last + 1] ?? '') ? last + 2 : last + 1
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

/** `isClean`: the closing quote ends its line. Returns `undefined` if the quote is never closed. */
function readQuoted(lines: string[], quote: string) {
  const pattern = quote === '"' ? /^"((?:[^"\\]|\\[^])*)"([^\n]*)/ : /^'([^']*)'([^\n]*)/
  const found = pattern.exec(lines.join('\n'))
  if (found === null) return undefined
  const [, body = '', tail = ''] = found
  const value = quote === '"' ? body.replace(/\\([^])/g, (whole, letter: string) => ESCAPES[letter] ?? whole) : body
  return { value, lines: body.split('\n').length, isClean: tail.trim() === '' }
}
