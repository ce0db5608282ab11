/** Requests of one kind that a sweep sends at the same time. */
const AT_ONCE = 4

/** Does the work for each item, for a few at a time, in their order. Ends at the first error. */
export async function forEachOfFew<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
