/** Items of a part: a change copies one part and the list of parts. */
const PART = 128

/** Cuts a list into chunks of a size; the last one may be shorter. */
export function chunksOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )
}

/** A list of thousands of items with a name each. It is changed by copies: they share all parts without a change. */
export class LongList<T extends { name: string }> implements Iterable<T> {
  /** All items in order. Two lists share the parts that are the same. */
  readonly parts: readonly (readonly T[])[]
  readonly #places: ReadonlyMap<string, number>

  private constructor(parts: readonly (readonly T[])[], places: ReadonlyMap<string, number>) {
    this.parts = parts
    this.#places = places
  }

  static from<T extends { name: string }>(items: readonly T[]): LongList<T> {
    return new LongList(chunksOf(items, PART), new Map(items.map(({ name }, place) => [name, place])))
  }

  get length(): number {
    return this.#places.size
  }

  get(name: string): T | undefined {
    const place = this.#places.get(name) ?? -1
    return this.parts[Math.floor(place / PART)]?.[place % PART]
  }

  with(name: string, change: (item: T) => T): LongList<T> {
    const place = this.#places.get(name)
    if (place === undefined) return this
    const at = Math.floor(place / PART)
    const part = this.parts[at]?.map((one, index) => (index === place % PART ? change(one) : one)) ?? []
    return new LongList(this.parts.with(at, part), this.#places)
  }

  map<U extends { name: string }>(change: (item: T, place: number) => U): LongList<U> {
    return LongList.from([...this].map(change))
  }

  /** @param change keeps the names */
  mapParts<U extends { name: string }>(change: (part: readonly T[]) => readonly U[]): LongList<U> {
    return new LongList(this.parts.map(change), this.#places)
  }

  *[Symbol.iterator](): Generator<T, undefined> {
    for (const part of this.parts) yield* part
    return undefined
  }
}
