/** Items of a part: a change copies one part and the list of parts. */
const PART = 128

/** A list of thousands of items that is changed by copies: they share all parts without a change. */
export class LongList<T> implements Iterable<T> {
  /** All items in order. What two lists have in common is the same part. */
  readonly parts: readonly (readonly T[])[]
  readonly length: number

  private constructor(parts: readonly (readonly T[])[], length: number) {
    this.parts = parts
    this.length = length
  }

  static of<T>(items: readonly T[]): LongList<T> {
    const parts = Array.from({ length: Math.ceil(items.length / PART) }, (_, part) =>
      items.slice(part * PART, (part + 1) * PART),
    )
    return new LongList(parts, items.length)
  }

  at(place: number): T | undefined {
    return this.parts[Math.floor(place / PART)]?.[place % PART]
  }

  with(place: number, item: T): LongList<T> {
    const at = Math.floor(place / PART)
    const part = this.parts[at] ?? []
    return new LongList(this.parts.with(at, part.with(place % PART, item)), this.length)
  }

  map<U>(change: (item: T, place: number) => U): LongList<U> {
    return LongList.of([...this].map(change))
  }

  /** @param change keeps the length */
  mapParts<U>(change: (part: readonly T[]) => readonly U[]): LongList<U> {
    return new LongList(this.parts.map(change), this.length)
  }

  *[Symbol.iterator](): Generator<T, undefined> {
    for (const part of this.parts) yield* part
    return undefined
  }
}
