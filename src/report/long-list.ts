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

  /** @param place of an item that the list has */
  with(place: number, item: T): LongList<T> {
    const at = Math.floor(place / PART)
    const part = this.parts[at] ?? []
    return new LongList(this.parts.with(at, part.with(place % PART, item)), this.length)
  }

  /** `after`: the result for `before`, whose items are not changed anew. */
  map<U>(change: (item: T, place: number) => U, before?: LongList<T>, after?: LongList<U>): LongList<U> {
    const parts = this.parts.map((part, at) => {
      const [old, done] = [before?.parts[at], after?.parts[at]]
      if (old === part && done !== undefined) return done
      return part.map((item, place) => {
        const known = old?.[place] === item ? done?.[place] : undefined
        return known ?? change(item, at * PART + place)
      })
    })
    return new LongList(parts, this.length)
  }

  *[Symbol.iterator](): Generator<T, undefined> {
    for (const part of this.parts) yield* part
    return undefined
  }
}
