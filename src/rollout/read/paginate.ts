import type { Page, PageQuery } from '../../control-plane/control-plane.ts'

/** The contract's largest page. */
const PAGE_SIZE = 100

/**
 * Everything that a paged list holds, each once, as it comes. Only an empty page is the last one: a service may filter
 * after it has cut the page, and send a short one. One that knows no offset sends the same page for ever: a page of
 * nothing new is the last one, too.
 */
export async function* readAll<T extends { id: string }>(
  readPage: (query: PageQuery) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
  const seen = new Set<string>()
  for (let offset = 0; ;) {
    const page = await readPage({ limit: PAGE_SIZE, offset })
    const news = page.resources.filter(({ id }) => !seen.has(id))
    for (const one of news) {
      seen.add(one.id)
      yield one
    }
    if (news.length === 0 || page.offset <= offset) return
    offset = page.offset
  }
}
