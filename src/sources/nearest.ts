/** Finds the known name that was probably meant; `undefined` if none is similar. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const wanted = flatten(given)
  const farthest = Math.max(1, Math.floor(wanted.length / 3))
  const [best] = known
    .map((name) => ({ name, letters: flatten(name) }))
    // The distance is no less than that of the lengths, and takes much longer to count.
    .filter(({ letters }) => Math.abs(letters.length - wanted.length) <= farthest)
    .map(({ name, letters }) => ({ name, distance: editDistance(wanted, letters) }))
    .sort((one, other) => one.distance - other.distance)
  return best !== undefined && best.distance <= farthest ? best.name : undefined
}

/** Makes `memoryMb`, `memory-mb` and `memory_mb` equal. */
function flatten(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return letters.slice(0, 64)
}

/** Counts insertions, deletions, replacements, and swaps of neighbours. */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[other.length] ?? 0
}
