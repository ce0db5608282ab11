import { fieldOf, numberOf, parseExactJson } from '../http/json.ts'
import { MAX_PAGE_VALUES } from '../http/limits.ts'
import { sha256 } from '../world.ts'
import type { Parameter } from './call.ts'
import type { ListObstacle } from './event.ts'

/** A page of one of the contract's two kinds of lists, or a whole list. Each entry is JSON with its own digits. */
export type ListPage =
  /** `resources` and `offset`: the offset of the next page. */
  | { kind: 'offset'; entries: string[]; offset: number | undefined }
  /** `items` and an opaque cursor; the last page has none. */
  | { kind: 'cursor'; entries: string[]; cursor: string | undefined | typeof UNREADABLE }
  | { kind: 'whole'; entries: string[] }

/** Returns undefined for a body that is not a page, or has too many values, or is nested too deeply. */
export function readPage(body: string): ListPage | undefined {
  const json = parseExactJson(body, MAX_PAGE_VALUES)
  if (!json.ok) return undefined
  const { value } = json
  if (Array.isArray(value)) return { kind: 'whole', entries: entriesOf(value) }
  const resources = fieldOf(value, 'resources')
  if (Array.isArray(resources))
    return { kind: 'offset', entries: entriesOf(resources), offset: numberOf(fieldOf(value, 'offset')) }
  const items = fieldOf(value, 'items')
  if (!Array.isArray(items)) return undefined
  const cursor = CURSORS.map((name) => fieldOf(value, name)).find((one) => !NO_CURSORS.includes(numberOf(one) ?? one))
  return { kind: 'cursor', entries: entriesOf(items), cursor: cursorOf(cursor) }
}

function entriesOf(list: readonly unknown[]): string[] {
  return list.map((entry) => JSON.stringify(entry))
}

/** The usual fields, as the contract names none. */
const CURSORS = ['next_cursor', 'next_page_token', 'cursor', 'next']
/** What services return as the cursor of the last page. */
const NO_CURSORS: readonly unknown[] = [undefined, null, '', false, 0]
/** A value that cannot be sent as a cursor. */
const UNREADABLE = Symbol('cursor')

function cursorOf(value: unknown): string | undefined | typeof UNREADABLE {
  if (value === undefined || typeof value === 'string') return value
  const number = numberOf(value)
  return number !== undefined && Number.isSafeInteger(number) ? String(number) : UNREADABLE
}

export type NextPage =
  | { kind: 'next'; query: Parameter[] }
  | { kind: 'end' }
  /** The service returns no usable next page: the list may be incomplete. */
  | { kind: 'stuck'; because: ListObstacle }

/**
 * Decides how the list continues after a page.
 * @param query of the request for that page
 * @param seen hashes of the cursors so far; this function adds to it
 */
export function nextPage(page: ListPage, query: readonly Parameter[], seen: Set<string>): NextPage {
  switch (page.kind) {
    case 'whole':
      return { kind: 'end' }
    case 'offset': {
      // A short page may have been filtered, so that only an empty page is the last one.
      if (page.entries.length === 0) return { kind: 'end' }
      const before = Number(valueOf(query, 'offset') ?? 0)
      const offset = page.offset ?? before + page.entries.length
      if (offset > before) return { kind: 'next', query: withValue(query, 'offset', String(offset)) }
      return { kind: 'stuck', because: { kind: 'offset-unchanged', offset } }
    }
    case 'cursor': {
      const { cursor } = page
      if (cursor === undefined) return { kind: 'end' }
      if (cursor === UNREADABLE) return { kind: 'stuck', because: { kind: 'unreadable-cursor' } }
      // A list may have many pages with long cursors: hashes need less memory.
      const hash = sha256(cursor, 'base64')
      if (cursor === valueOf(query, 'cursor') || seen.has(hash))
        return { kind: 'stuck', because: { kind: 'repeated-cursor' } }
      seen.add(hash)
      return { kind: 'next', query: withValue(query, 'cursor', cursor) }
    }
  }
}

function valueOf(query: readonly Parameter[], name: string): string | undefined {
  return query.findLast(([key]) => key === name)?.[1]
}

function withValue(query: readonly Parameter[], name: string, value: string): Parameter[] {
  return [...query.filter(([key]) => key !== name), [name, value]]
}
