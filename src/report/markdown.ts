import { plainText } from './escape.ts'

/** Our own sentence, which may name things: what could be markup in it loses its meaning. */
export function sentence(text: string): string {
  return plainText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()<>#|~!&$]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/@|&#35;/g, '$&\u2060')
    .replace(/(https?|www)(?=[:.])/gi, '$1\u2060')
}

/** A table; its cells are markdown already. */
export function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => ':---')), ...rows.map(line)].join('\n')
}

/** What is known, a line each; what is empty is left out. */
export function factsTable(facts: readonly [string, string][]): string {
  const [first, ...rest] = facts.filter(([, value]) => value.trim() !== '')
  return first === undefined ? '' : table(first, rest)
}
