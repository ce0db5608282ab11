/** A table as Prettier would write it, so that a generated one stays as it is. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) =>
    Math.max(3, ...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** Text of a description, where a bar would end the cell and a tag would be taken for one. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<')
}
