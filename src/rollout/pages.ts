import type { Page, PageQuery } from '../control-plane/control-plane.ts'

/** The contract's largest page. */
const PAGE_SIZE = 100

/**
 * Everything that a paged list holds, as it comes. Only an empty page is the last one: a service may filter after it has
 * cut the page, and send a short one. An offset that does not advance would have us read the same page for ever.
 */
export async function* readAll<T>(readPage: (query: PageQuery) => Promise<Page<T>>): AsyncGenerator<T, void> {
  for (let offset = 0; ;) {
    const page = await readPage({ limit: PAGE_SIZE, offset })
    yield* page.resources
    if (page.resources.length === 0 || page.offset <= offset) return
    offset = page.offset
  }
}
