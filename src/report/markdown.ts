import { withoutEnd, plainText, shortLine } from '../secrets/text.ts'
import { codeBlock, codeCell, codeSpan, excerpt, linked } from './escape.ts'
import { asSentence, formatDuration, IN_STEP_LOG, type Message, withShortIds } from './words.ts'
import type { Redact } from '../secrets/redact.ts'

export function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

/** Escapes a sentence of ours. A word becomes code if GitHub would make a link, a mention or a reference of it. */
export function sentence(text: string, asCode = codeSpan): string {
  const words = plainText(text).trim().split(/\s+/)
  return words.map((word) => sentenceWord(word, asCode)).join(' ')
}

/** How a summary and a comment begin. Our own words are prose, and those of others are code. */
export function opening(message: Message & { lead: string }, redact: Redact, isComment = false): string {
  const { mark, headline, lead, reason = '', isSentence, isList = false, serving, written, next } = message
  const [maxLines, maxCharacters] = isComment ? [30, 3000] : [50, 4000]
  const prose = (text: string): string => sentence(withShortIds(redact(text)))
  const why = excerpt(redact(reason), maxLines, maxCharacters)
  return paragraphs(
    `${isComment ? '###' : '##'} ${mark} ${sentence(withoutSchemes(withShortIds(redact(headline))))}`,
    serving && prose(serving),
    lead,
    why && (isSentence === true ? prose(asSentence(why)) : quoted(why, isList)),
    written && prose(written),
    next === undefined ? undefined : `**What to do next:** ${prose(next.replace(IN_STEP_LOG, 'below'))}`,
  )
}

/** A whole address is code, which takes three lines of a heading on a narrow screen. */
function withoutSchemes(text: string): string {
  return text.replace(/\bhttps?:\/\//g, '')
}

/** A text of others. A block of code has long lines, which a narrow screen cuts, and a span of code is wrapped. */
function quoted(text: string, isList: boolean): string {
  const lines = text.split('\n')
  const [first = ''] = lines
  if (lines.length === 1) return codeSpan(first, first.length)
  return isList ? lines.map((line) => `- ${codeSpan(line, line.length)}`).join('\n') : codeBlock(text)
}

export function factsLine(...facts: string[]): string {
  return facts.filter((fact) => fact !== '').join(' · ')
}

/** Formats a duration with blanks at which a narrow screen does not break the line. */
export function durationFact(ms: number): string {
  return formatDuration(ms).replaceAll(' ', '&nbsp;')
}

/** Which run has written a comment, and when. `at`: milliseconds since the epoch. */
export function runFacts(runUrl: string | undefined, at: number): string {
  const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  return factsLine(runUrl === undefined ? '' : linked('run', runUrl), `updated ${time} UTC`)
}

/** The end of a log as code. All of it is redacted before it is cut: a secret may span lines. */
export function logBlock(
  log: { lines: readonly string[] },
  redact: Redact,
  limits: { lines: number; characters: number; ofLine?: number },
): string {
  const { lines, characters, ofLine = Infinity } = limits
  const end = redact(log.lines.join('\n')).split('\n').slice(-lines)
  const text = end.map((line) => shortLine(line, ofLine)).join('\n')
  return codeBlock(text.slice(-characters))
}

const LINKED = /@|#|:\/\/|www\.|^\W*GH-\d/i

function sentenceWord(word: string, asCode: typeof codeSpan): string {
  const [before = ''] = /^[("'[]*/.exec(word) ?? []
  const rest = word.slice(before.length)
  const inner = withoutEnd(rest, '.,;:!?)"\']')
  if (!LINKED.test(inner)) return escaped(word)
  return escaped(before) + asCode(inner, inner.length) + escaped(rest.slice(inner.length))
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#|~!&$]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** A fold: its title is always shown, its markdown only when it is open. Empty without markdown. */
export function details(title: string, markdown: string, isOpen = false): string {
  if (markdown === '') return ''
  return `<details${isOpen ? ' open' : ''}>\n<summary>${title}</summary>\n\n${markdown}\n\n</details>`
}

/** A table; its cells are markdown. */
export function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => ':---')), ...rows.map(line)].join('\n')
}

export function factsTable(facts: readonly [string, string][]): string {
  const [first, ...rest] = facts.filter(([, value]) => value.trim() !== '')
  return first === undefined ? '' : table(first, rest)
}

interface FittedTable<Of> {
  items: readonly Of[]
  headerOf: (shownItems: readonly Of[]) => string[]
  cellsOf: (item: Of) => string[]
  /** The cells if those of all items would have no room. */
  shortOf?: (item: Of) => string[]
  /** How many things an item is about; one if not set. */
  sizeOf?: (item: Of) => number
  maxBytes: number
  /** The place of the other items, as in `the job summary shows them`. */
  others: string
}

/** Renders the items that fit into `maxBytes` of UTF-8, and the number of the others. Empty without items. */
export function fittedTable<Of>(options: FittedTable<Of>): string {
  const { items, headerOf, cellsOf, shortOf = cellsOf, sizeOf = () => 1, maxBytes, others } = options
  const whole = rowsWithin(items, cellsOf, maxBytes)
  const rows = whole.length < items.length ? rowsWithin(items, shortOf, maxBytes) : whole
  const more = items.slice(rows.length).reduce((sum, item) => sum + sizeOf(item), 0)
  return paragraphs(
    rows.length === 0 ? '' : table(headerOf(items.slice(0, rows.length)), rows),
    more > 0 ? `And ${more} more: ${others}.` : undefined,
  )
}

function rowsWithin<Of>(items: readonly Of[], cellsOf: (item: Of) => string[], maxBytes: number): string[][] {
  let bytes = 0
  const rows: string[][] = []
  for (const item of items) {
    const cells = cellsOf(item)
    // A cell is followed by its separator, a row by its line break.
    bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 3, 3)
    if (bytes > maxBytes) break
    rows.push(cells)
  }
  return rows
}

const MAX_HEADER = 17

/**
 * A header as wide as the longest name or text below a name, up to 17 characters: else names break at their hyphens, and a
 * narrow screen has a word in each line. With more, it would not have the next column.
 */
export function nameHeader(texts: readonly (string | undefined)[]): string {
  const word = 'Deployment'
  const longest = texts.reduce((most, text = '') => Math.max(most, text.length), 0)
  // A character of code is almost as wide as two spaces of a header, whose letters are a little narrower.
  const spaces = Math.ceil((Math.min(MAX_HEADER, longest) - word.length * 0.9) * 1.85)
  return word + '&nbsp;'.repeat(Math.max(0, spaces))
}

/** A name with the reason below: on a narrow screen, the first column is what is seen. */
export function withReason(name: string, reason: string | undefined): string {
  return reason === undefined ? name : `${name}<br>${codeCell(reason)}`
}

/** A cell with sentences of ours below. */
export function withSentences(cell: string, ...all: (string | undefined)[]): string {
  const lines = all.flatMap((text) => (text === undefined ? [] : sentence(withShortIds(text), codeCell)))
  return [cell, ...lines].join('<br>')
}
