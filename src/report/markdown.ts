import { plainText } from './escape.ts'

/** Paragraphs, empty and undefined ones omitted. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

/** A sentence of ours, which may contain names: signs that could be markup are escaped. */
export function sentence(text: string): string {
  return plainText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()<>#|~!&$]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/@|&#35;/g, '$&\u2060')
    .replace(/(https?|www)(?=[:.])/gi, '$1\u2060')
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
