import { withoutEnd, plainText } from '../secrets/text.ts'
import { codeBlock, codeSpan, excerpt } from './escape.ts'
import type { Redact } from '../secrets/redact.ts'

/** Paragraphs, empty and undefined ones omitted. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

/** Escapes a sentence of ours. What GitHub would make a link, a mention or a reference of becomes code. */
export function sentence(text: string): string {
  return plainText(text).trim().split(/\s+/).map(sentenceWord).join(' ')
}

interface Opening {
  mark: string
  headline: string
  lead?: string | undefined
  reason?: string | undefined
  serving?: string | undefined
  next?: string | undefined
}

export function opening({ mark, headline, lead, reason, serving, next }: Opening, redact: Redact, isComment = false) {
  const [maxLines, maxCharacters] = isComment ? [30, 3000] : [50, 4000]
  // A comment has a block for an empty message of the control plane, too.
  const hasReason = reason !== undefined && (reason !== '' || isComment)
  return paragraphs(
    `${isComment ? '###' : '##'} ${mark} ${sentence(redact(headline))}`,
    lead,
    hasReason ? codeBlock(excerpt(redact(reason), maxLines, maxCharacters)) : undefined,
    serving,
    next === undefined ? undefined : `**What to do next:** ${sentence(redact(next))}`,
  )
}

/** The end of a log. All of it is redacted before it is cut: a secret may span lines. */
export function lastLines({ lines }: { lines: readonly string[] }, redact: Redact, most: number): string[] {
  return redact(lines.join('\n')).split('\n').slice(-most)
}

const LINKED = /@|#|:\/\/|www\.|^\W*GH-\d/i

function sentenceWord(word: string): string {
  const [before = ''] = /^[("'[]*/.exec(word) ?? []
  const rest = word.slice(before.length)
  const inner = withoutEnd(rest, '.,;:!?)"\']')
  if (!LINKED.test(inner)) return escaped(word)
  return escaped(before) + codeSpan(inner, inner.length) + escaped(rest.slice(inner.length))
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

/** A line for each fact; empty ones are omitted. */
export function factsTable(facts: readonly [string, string][]): string {
  const [first, ...rest] = facts.filter(([, value]) => value.trim() !== '')
  return first === undefined ? '' : table(first, rest)
}

export interface FittedTable<Of> {
  items: readonly Of[]
  headerOf: (shown: readonly Of[]) => string[]
  cellsOf: (item: Of) => string[]
  maxBytes: number
  /** What has the others, as in `the job summary shows them`. */
  others: string
}

/** A table of the items that fit into so many bytes of UTF-8, and how many more there are. Empty without items. */
export function fittedTable<Of>({ items, headerOf, cellsOf, maxBytes, others }: FittedTable<Of>): string {
  let bytes = 0
  const rows: string[][] = []
  for (const item of items) {
    const cells = cellsOf(item)
    // A cell is followed by its separator, a row by its line break.
    bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 3, 3)
    if (bytes > maxBytes) break
    rows.push(cells)
  }
  const more = items.length - rows.length
  return paragraphs(
    rows.length === 0 ? '' : table(headerOf(items.slice(0, rows.length)), rows),
    more > 0 ? `And ${more} more: ${others}.` : undefined,
  )
}

/** A header as wide as the longest text of its column, up to `max` characters: else names break at their hyphens. */
function columnHeader(word: string, texts: readonly (string | undefined)[], max: number): string {
  const longest = texts.reduce((most, text = '') => Math.max(most, text.length), 0)
  // A character of code is almost as wide as two spaces of a header, whose letters are a little narrower.
  const spaces = Math.ceil((Math.min(max, longest) - word.length * 0.9) * 1.85)
  return word + '&nbsp;'.repeat(Math.max(0, spaces))
}

export function nameHeader(names: readonly string[]): string {
  return columnHeader('Deployment', names, 40)
}

export function reasonHeader(reasons: readonly (string | undefined)[]): string {
  return columnHeader('Reason', reasons, 30)
}
