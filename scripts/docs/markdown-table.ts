/** A table without padding: Prettier would pad a narrow one, so it is asked to ignore each of them. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `|${cells.map((text) => (text === '' ? ' ' : ` ${text} `)).join('|')}|`
  return ['<!-- prettier-ignore -->', line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A description as the text of a cell: a bar would end the cell. */
export function cell(text: string): string {
  return escaped(text).replaceAll('|', '\\|')
}

/** A description as Markdown: GitHub would read `<` as a tag. */
export function escaped(text: string): string {
  return text.replaceAll('<', '\\<')
}
