import { codeSpan } from './escape.ts'
import { plainText, withoutEnd } from '../secrets/text.ts'
import type { Redact } from '../secrets/redact.ts'

/** Paragraphs, empty and undefined ones omitted. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

/**
 * A sentence of ours, which may contain names: signs that could be markup are escaped. What GitHub would make a link, a
 * mention or a reference of becomes code, from which it can be copied as it is.
 */
export function sentence(text: string): string {
  return plainText(text).trim().split(/\s+/).map(sentenceWord).join(' ')
}

/** The advice of a message, where it has one. */
export function nextStep(next: string | undefined, redact: Redact): string | undefined {
  return next === undefined ? undefined : `**What to do next:** ${sentence(redact(next))}`
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
