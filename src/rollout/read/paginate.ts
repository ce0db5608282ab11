import type { Page, PageQuery } from '../../control-plane/control-plane.ts'

/** The contract's largest page. */
const PAGE_SIZE = 100

/**
 * Yields every entry of a paged list once. A short page is not the last one: a service may filter after it cuts the
 * page. A page without new entries is: a service that ignores the offset repeats the same page.
 */
export async function* readAll<T extends { id: string }>(
  readPage: (query: PageQuery) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
  const seen = new Set<string>()
  for (let offset = 0; ;) {
    const page = await readPage({ limit: PAGE_SIZE, offset })
    const added = page.resources.filter(({ id }) => !seen.has(id))
    for (const entry of added) {
      seen.add(entry.id)
      yield entry
    }
    if (added.length === 0 || page.offset <= offset) return
    offset = page.offset
  }
}
