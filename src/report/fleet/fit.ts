/** Rows of items that fit into so many bytes of UTF-8, each with its line break, and the number of those that do not. */
export function fit<Of>(
  items: readonly Of[],
  cellsOf: (item: Of) => string[],
  maxBytes: number,
): { rows: string[][]; more: number } {
  let bytes = 0
  const rows: string[][] = []
  for (const item of items) {
    const cells = cellsOf(item)
    // A cell is followed by its separator.
    bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 3, 3)
    if (bytes > maxBytes) break
    rows.push(cells)
  }
  return { rows, more: items.length - rows.length }
}
