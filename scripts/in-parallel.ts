/** Works on so many items at the same time, in their order. Returns the results in that order. */
export async function inParallel<T, R>(
  atOnce: number,
  items: readonly T[],
  work: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const queue = items.entries()
  const results: R[] = []
  // The workers share one iterator, so that each item is taken once.
  const worker = async (): Promise<void> => {
    for (const [place, item] of queue) results[place] = await work(item, place)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
