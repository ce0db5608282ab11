/** Consecutive entries of one wave. `wave`: its index. `to`: exclusive. */
export interface Slice {
  wave: number
  from: number
  to: number
}

/**
 * Cuts a fleet into at most `count` shards, in the order of the waves. It depends on the manifest and `count` alone: a
 * job finds its shard without the others. Shards have the smallest size with which no shard has entries of two waves;
 * with fewer shards than waves, all are of equal size.
 * @param sizes the number of entries of each wave, each at least 1
 */
export function cutShards(sizes: readonly number[], count: number): Slice[][] {
  if (count < sizes.length) return cutEqually(sizes, count)
  const size = smallestSize(sizes, count)
  return sizes.flatMap((entries, wave) =>
    Array.from({ length: Math.ceil(entries / size) }, (_, index) => [
      { wave, from: index * size, to: Math.min(entries, (index + 1) * size) },
    ]),
  )
}

/** The number of shards with at most `size` entries, all of one wave. */
export function countShards(sizes: readonly number[], size: number): number {
  return sizes.reduce((sum, entries) => sum + Math.ceil(entries / size), 0)
}

/** A larger size never needs more shards. */
function smallestSize(sizes: readonly number[], count: number): number {
  let [tooSmall, enough] = [0, Math.max(1, ...sizes)]
  while (enough - tooSmall > 1) {
    const middle = Math.floor((tooSmall + enough) / 2)
    if (countShards(sizes, middle) <= count) enough = middle
    else tooSmall = middle
  }
  return enough
}

function cutEqually(sizes: readonly number[], count: number): Slice[][] {
  const total = sizes.reduce((sum, entries) => sum + entries, 0)
  return Array.from({ length: count }, (_, index) =>
    between(sizes, Math.floor((index * total) / count), Math.floor(((index + 1) * total) / count)),
  )
}

/** The entries from one place in the order of the waves to another, exclusive. */
function between(sizes: readonly number[], from: number, to: number): Slice[] {
  let start = 0
  return sizes.flatMap((entries, wave) => {
    const slice = { wave, from: Math.max(0, from - start), to: Math.min(entries, to - start) }
    start += entries
    return slice.from < slice.to ? [slice] : []
  })
}
