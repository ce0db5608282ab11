import { idKey, type Page, type PageQuery } from './model.ts'

/** The contract's largest page. */
export const PAGE_SIZE = 100
/** A service that ignores the limit may end a page here: half of the contract's default page. */
export const SMALLEST_FULL_PAGE = 10

type ReadPage<T> = (query: PageQuery) => Promise<Page<T>>

/**
 * Yields every entry of a paged list once. While the pages are read, other clients add and remove deployments: an entry
 * then moves to a page that was read already. So a list of several pages is read once more, with pages that overlap by
 * half. A consumer that has found its entry ends the reading.
 */
export async function* readAll<T extends { id: string }>(readPage: ReadPage<T>): AsyncGenerator<T, void> {
  const seen = new Set<string>()
  let pageSize: number | undefined
  let isLong = false
  for await (const { resources, offset } of pagesOf(readPage, 1, (next, from) => next - from)) {
    const added = newAmong(resources, seen)
    isLong ||= pageSize === undefined ? mayBeFull(resources.length, offset) : added.length > 0
    pageSize ??= offset
    yield* added
  }
  if (!isLong || pageSize === undefined) return
  const half = Math.ceil(pageSize / 2)
  for await (const { resources } of pagesOf(readPage, 2, () => half)) yield* newAmong(resources, seen)
}

/** Whether more entries may follow the first page. One with an offset beyond its length was cut before it was filtered. */
function mayBeFull(length: number, offset: number): boolean {
  return length >= SMALLEST_FULL_PAGE || offset > length
}

/**
 * Reads page after page. A short page is not the last one: a service may filter after it cuts the page. A page without
 * new entries is: a service that ignores the offset repeats the same page.
 * @param patience the pages in a row without new entries after which the list ends
 * @param stepOf how far to go on, from the offset of the next page and of this one
 */
async function* pagesOf<T extends { id: string }>(
  readPage: ReadPage<T>,
  patience: number,
  stepOf: (next: number, offset: number) => number,
): AsyncGenerator<Page<T>, void> {
  const seen = new Set<string>()
  let pagesWithoutNew = 0
  for (let offset = 0; ;) {
    const page = await readPage({ limit: PAGE_SIZE, offset })
    yield page
    pagesWithoutNew = newAmong(page.resources, seen).length === 0 ? pagesWithoutNew + 1 : 0
    if (pagesWithoutNew === patience || page.offset <= offset) return
    offset += stepOf(page.offset, offset)
  }
}

/** Returns the entries of a page that no earlier page had, and adds them to those seen. */
function newAmong<T extends { id: string }>(entries: readonly T[], seen: Set<string>): T[] {
  const added = entries.filter(({ id }) => !seen.has(idKey(id)))
  for (const { id } of added) seen.add(idKey(id))
  return added
}
