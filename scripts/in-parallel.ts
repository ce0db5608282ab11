import { forEachOfFew } from '../src/async.ts'

/** Works on so many items at the same time, in their order. Returns the results in that order. */
export async function inParallel<T, R>(
  atOnce: number,
  items: readonly T[],
  work: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  await forEachOfFew(items.entries(), atOnce, async ([place, item]) => {
    results[place] = await work(item, place)
  })
  return results
}
