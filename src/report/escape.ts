import { plainText, startOf } from '../secrets/text.ts'
import { webAddressOf } from '../secrets/address.ts'

/** Makes text of a server harmless: no workflow command, HTML, markdown, mention or terminal escape is left. */

/** Printable text in one line, cut with an ellipsis after `max` characters. */
export function oneLine(text: string, max = 500): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim()
  return line.length > max ? `${startOf(line, max - 1).trimEnd()}…` : line
}

/** Makes a text printable, and cuts it with a note after a number of lines or characters. */
export function excerpt(text: string, maxLines = 50, maxCharacters = 4000): string {
  const plain = plainText(text).trim()
  const cut = startOf(plain.split('\n').slice(0, maxLines).join('\n'), maxCharacters)
  return cut.length < plain.length ? `${cut.trimEnd()}\n… (cut)` : plain
}

const CUT = '\n… (cut) …\n'

/** Cuts a text to `max` UTF-16 units between words: its end says what to do, and half a secret is not recognised. */
export function withoutMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const room = max - CUT.length
  const tail = Math.floor(room / 3)
  const begin = startOf(text, room - tail).replace(/\s\S{0,200}$/, '')
  const end = text
    .slice(-tail)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/^\S{0,200}\s/, '')
  return `${begin.trimEnd()}${CUT}${end.trimStart()}`
}

/** A line of the log without a workflow command: no `::name::` at its start and no `##[name]` anywhere. */
export function logLine(line: string): string {
  return plainText(line)
    .replace(/\n/g, ' ')
    .replace(/##\[/g, '## [')
    .replace(/^(\s*):(?=:)/, '$1: ')
}

/** A markdown code span: nothing inside one is markup, a link, an image or a mention. */
export function codeSpan(text: string, max = 500): string {
  const line = oneLine(text, max)
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line) + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return fence + pad + line + pad + fence
}

/** A code span for a cell of a table, which a bar would end even in code. */
export function codeCell(text: string, max = 300): string {
  // A backslash before a bar would escape the backslash that is added to the bar.
  return codeSpan(text.replace(/\\(?=\|)/g, '\\ '), max).replaceAll('|', '\\|')
}

/** A fenced block that its content cannot end. */
export function codeBlock(text: string, language = 'text'): string {
  const body = plainText(text).trimEnd()
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1))
  return `${fence}${language}\n${body}\n${fence}`
}

/** A link for a cell of a table, rebuilt from its parts. Text that is no plain web address becomes code. */
export function addressLink(address: string): string {
  const href = webHref(address)
  return href === undefined ? codeCell(address) : `<${href}>`
}

/** A text in code that is a link to an address; without the link if it is no plain web address. */
export function codeLink(text: string, address: string): string {
  return linked(codeCell(text), address)
}

export function linked(markdown: string, address: string): string {
  const href = webHref(address)
  return href === undefined ? markdown : `[${markdown}](<${href}>)`
}

/** Undefined for a text that is no plain web address, or is very long. */
export function webHref(address: string): string | undefined {
  const url = address.length > 500 ? undefined : webAddressOf(address)
  return url?.href.replace(/[^A-Za-z0-9:/?#@!$&'*+,;=.%~-]/g, (character) => encodeURIComponent(character))
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
