import { constants, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { ArchiveEntry } from './walk.ts'
import { codeOf, quote } from './words.ts'

/** A time that no tool stumbles over: some cannot bear one before 1980. */
const FIXED_TIME = new Date(Date.UTC(1985, 9, 26, 8, 15))
/** Everything in a tar begins at a multiple of it. */
const BLOCK = 512
/** Of a file's content; small, as it is held in memory. */
const PIECE = 64 * 1024

/**
 * A tar of the entries, piece by piece: one file is open at a time, and nothing is kept of one that is done. Of a file's
 * modes only its owner's right to execute it counts.
 */
export async function* tarOf(root: string, entries: readonly ArchiveEntry[]): AsyncGenerator<Buffer> {
  const encode = await loadEncoder()
  for (const entry of entries) {
    if (entry.target !== undefined) {
      yield encode({ type: 'SymbolicLink', path: entry.path, linkpath: entry.target, mode: 0o755, size: 0 })
      continue
    }
    try {
      // A link that has taken the file's place may lead anywhere.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW
      await using handle = await open(path.join(root, entry.path), flags)
      const stats = await handle.stat()
      const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755
      yield* withContent(encode({ type: 'File', path: entry.path, mode, size: stats.size }), handle, stats)
      // One that somebody writes to meanwhile would go in half old and half new.
      if (hasChanged(stats, await handle.stat())) throw new Error('it changed meanwhile')
    } catch (thrown) {
      throw new Error(`${quote(entry.path)} cannot be read (${codeOf(thrown)})`, { cause: thrown })
    }
  }
  yield Buffer.alloc(2 * BLOCK)
}

async function* withContent(header: Buffer, handle: FileHandle, { size }: Stats): AsyncGenerator<Buffer> {
  let lead = header
  let position = 0
  do {
    const length = Math.min(PIECE, size - position)
    const piece = Buffer.alloc(lead.length + BLOCK * Math.ceil(length / BLOCK))
    lead.copy(piece)
    await fill(piece.subarray(lead.length, lead.length + length), handle)
    yield piece
    position += length
    lead = piece.subarray(0, 0)
  } while (position < size)
}

async function fill(piece: Buffer, handle: FileHandle): Promise<void> {
  for (let filled = 0; filled < piece.length;) {
    const { bytesRead } = await handle.read(piece, filled, piece.length - filled)
    if (bytesRead === 0) throw new Error('it changed meanwhile')
    filled += bytesRead
  }
}

function hasChanged(before: Stats, after: Stats): boolean {
  return before.size !== after.size || before.mtimeMs !== after.mtimeMs
}

interface Described {
  type: 'File' | 'SymbolicLink'
  path: string
  linkpath?: string
  mode: number
  size: number
}

/** Writes headers, with an extended one before where the plain one has no room. */
async function loadEncoder(): Promise<(entry: Described) => Buffer> {
  const [{ Header }, { Pax }] = await Promise.all([import('tar/header'), import('tar/pax')])
  return (entry) => {
    const header = new Header({ ...entry, mtime: FIXED_TIME })
    const plain = Buffer.alloc(BLOCK)
    if (!header.encode(plain)) return plain
    const extended = new Pax({ ...entry, mtime: FIXED_TIME })
    return Buffer.concat([extended.encode(), plain])
  }
}
