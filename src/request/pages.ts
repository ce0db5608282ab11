import { createHash } from 'node:crypto'
import { numberOf, parseExactJson } from '../control-plane/json.ts'

/** One page of a list, as the contract has two kinds of them. Entries are JSON, with the digits of the text. */
export type ListPage =
  /** `resources` and `offset`: the offset that the next request passes. */
  | { kind: 'offset'; entries: string[]; offset: number | undefined }
  /** `items` and an opaque cursor; none on the last page. */
  | { kind: 'cursor'; entries: string[]; cursor: string | undefined | typeof UNREADABLE }
  /** A list that comes as a whole. */
  | { kind: 'whole'; entries: string[] }

/** Whoever asks for a list asks for much: a page of small records has far more values than any other answer. */
export const MAX_PAGE_PARTS = 1_000_000

/** Whether it cannot be read for its size or its depth, be it a page or not. */
export function isBloatedPage(body: string): boolean {
  const json = parseExactJson(body, MAX_PAGE_PARTS)
  return !json.ok && json.bloated
}

/** Nothing for what is no page at all. */
export function readPage(body: string): ListPage | undefined {
  const json = parseExactJson(body, MAX_PAGE_PARTS)
  if (!json.ok) return undefined
  if (Array.isArray(json.value)) return { kind: 'whole', entries: textsOf(json.value) }
  const resources = fieldOf(json.value, 'resources')
  if (Array.isArray(resources))
    return {
      kind: 'offset',
      entries: textsOf(resources),
      offset: numberOf(fieldOf(json.value, 'offset')),
    }
  const items = fieldOf(json.value, 'items')
  if (!Array.isArray(items)) return undefined
  const cursors = CURSORS.map((name) => fieldOf(json.value, name))
  return { kind: 'cursor', entries: textsOf(items), cursor: cursorOf(cursors.find(isGiven)) }
}

function textsOf(entries: readonly unknown[]): string[] {
  return entries.map((entry) => JSON.stringify(entry))
}

/** Services have many a word for the end. */
const NO_CURSORS: readonly unknown[] = [undefined, null, '', false, 0]

function isGiven(cursor: unknown): boolean {
  return !NO_CURSORS.includes(numberOf(cursor) ?? cursor)
}

/** Something stands there, but nothing to send back. */
const UNREADABLE = Symbol('cursor')

function cursorOf(given: unknown): string | undefined | typeof UNREADABLE {
  if (given === undefined || typeof given === 'string') return given
  const number = numberOf(given)
  return number !== undefined && Number.isSafeInteger(number) ? String(number) : UNREADABLE
}

/** The contract names no field for the cursor: the usual ones. */
const CURSORS = ['next_cursor', 'next_page_token', 'cursor', 'next']

type Query = readonly (readonly [string, string])[]

export type NextPage =
  | { kind: 'next'; query: [string, string][] }
  | { kind: 'end' }
  /** The service leads in a circle: what was read may not be all. */
  | { kind: 'stuck'; why: string }

/**
 * Where a list goes on after a page that was read with such a query.
 * @param seen the cursors that came before, which it adds to
 */
export function nextPage(page: ListPage, query: Query, seen: Set<string>): NextPage {
  switch (page.kind) {
    case 'whole':
      return { kind: 'end' }
    case 'offset': {
      // Only an empty page is the last one: a service may filter after it has cut the page, and send a short one.
      if (page.entries.length === 0) return { kind: 'end' }
      const before = Number(valueOf(query, 'offset') ?? 0)
      const offset = page.offset ?? before + page.entries.length
      if (offset > before) return { kind: 'next', query: withValue(query, 'offset', String(offset)) }
      return { kind: 'stuck', why: `the offset stays at ${offset}` }
    }
    case 'cursor': {
      const { cursor } = page
      if (cursor === undefined) return { kind: 'end' }
      if (cursor === UNREADABLE) return { kind: 'stuck', why: 'its cursor is neither a text nor a number' }
      // A cursor may be long, and a list may have many pages.
      const mark = createHash('sha256').update(cursor).digest('base64')
      if (cursor === valueOf(query, 'cursor') || seen.has(mark))
        return { kind: 'stuck', why: 'a cursor came for the second time' }
      seen.add(mark)
      return { kind: 'next', query: withValue(query, 'cursor', cursor) }
    }
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function valueOf(query: Query, name: string): string | undefined {
  return query.findLast(([key]) => key === name)?.[1]
}

function withValue(query: Query, name: string, value: string): [string, string][] {
  const others = query.filter(([key]) => key !== name).map(([key, one]): [string, string] => [key, one])
  return [...others, [name, value]]
}
