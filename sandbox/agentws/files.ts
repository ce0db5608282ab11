import path from 'node:path'
import { Refusal, refuse } from '../answers.ts'

/** Files over 100 megabytes get 413 (contract, "Limits", which uses MiB for binary units only). */
export const MAX_FILE_BYTES = 100_000_000

interface FilePage {
  items: { path: string; size: number }[]
  next_cursor: string | null
}

/** One page of the files under a path that a glob pattern matches, in the order of their paths. */
export function listFiles(
  files: ReadonlyMap<string, Uint8Array>,
  wanted: { path: string; pattern: string; pageSize: number; cursor: string | undefined },
): FilePage {
  const folder = wanted.path.replace(/\/*$/, '/')
  const after = wanted.cursor === undefined ? undefined : readCursor(wanted.cursor)
  const found = [...files.keys()]
    .filter((file) => file.startsWith(folder) && path.posix.matchesGlob(file.slice(folder.length), wanted.pattern))
    .sort()
    .filter((file) => after === undefined || file > after)
  const items = found.slice(0, wanted.pageSize).map((file) => ({ path: file, size: files.get(file)?.byteLength ?? 0 }))
  const last = items.at(-1)
  const isMore = last !== undefined && found.length > items.length
  return { items, next_cursor: isMore ? Buffer.from(`after ${last.path}`).toString('base64url') : null }
}

function readCursor(cursor: string): string {
  const after = /^after (.*)$/s.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (after !== undefined) return after
  const problem = { loc: ['query', 'cursor'], msg: 'Value error, unknown cursor', type: 'value_error' }
  throw new Refusal(422, [{ ...problem, input: cursor }])
}

/** The bytes of a Range header with one range (RFC 9110); an unreadable header counts as missing. */
export function partOf(
  bytes: Uint8Array,
  range: string | undefined,
): { part: Uint8Array; from: number; to: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const size = bytes.byteLength
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (from > to) throw refuse(416, `The file has ${size} bytes.`, { 'content-range': `bytes */${size}` })
  return { part: bytes.subarray(from, to + 1), from, to }
}
