/** Rows that fit into so many bytes of UTF-8, each with its line break, and the number of those that do not. */
export function fit(rows: readonly string[][], maxBytes: number): { rows: string[][]; more: number } {
  let bytes = 0
  let count = 0
  for (const cells of rows) {
    // A cell is followed by its separator.
    bytes += cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 3, 3)
    if (bytes > maxBytes) break
    count++
  }
  return { rows: rows.slice(0, count), more: rows.length - count }
}
