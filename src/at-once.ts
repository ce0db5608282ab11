/**
 * Does the work for each item in their order, for several at the same time. After an error the work for no further item
 * begins.
 * @param most the items at the same time
 * @throws the first error of the work, without waiting for what is under way
 */
export async function forEachOfFew<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = Iterator.from(items)
  let hasFailed = false
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (hasFailed) return
      try {
        await work(item)
      } catch (thrown) {
        hasFailed = true
        throw thrown
      }
    }
  }
  await Promise.all(Array.from({ length: most }, worker))
}
