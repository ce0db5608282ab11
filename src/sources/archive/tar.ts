import { constants, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { Header } from 'tar/header'
import { Pax } from 'tar/pax'
import type { ArchiveEntry } from './walk.ts'
import { codeOf, quote } from './quote.ts'

/** Modification time of every entry; some tools reject times before 1980. */
const FIXED_TIME = new Date(Date.UTC(1985, 9, 26, 8, 15))
/** Headers and contents in a tar begin at multiples of it. */
const BLOCK = 512
/** Bytes of a file's content that are read at once. */
const PIECE = 64 * 1024

/**
 * Yields a tar of the entries piece by piece, with one file open at a time. Of a file's permissions, only its owner's
 * execute permission is kept.
 */
export async function* tarOf(root: string, entries: readonly ArchiveEntry[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    if (entry.target !== undefined) {
      yield encode({ type: 'SymbolicLink', path: entry.path, linkpath: entry.target, mode: 0o755, size: 0 })
      continue
    }
    try {
      // The file may have been replaced by a link to another directory.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW
      await using handle = await open(path.join(root, entry.path), flags)
      const stats = await handle.stat()
      const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755
      yield* withContent(encode({ type: 'File', path: entry.path, mode, size: stats.size }), handle, stats)
      // A file that changes while it is read would be packed half old, half new.
      if (hasChanged(stats, await handle.stat())) throw new Error('it changed while it was read')
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
    if (bytesRead === 0) throw new Error('it changed while it was read')
    filled += bytesRead
  }
}

function hasChanged(before: Stats, after: Stats): boolean {
  return before.size !== after.size || before.mtimeMs !== after.mtimeMs
}

/** The facts that a header describes. */
interface Described {
  type: 'File' | 'SymbolicLink'
  path: string
  linkpath?: string
  mode: number
  size: number
}

/** Encodes a header, preceded by an extended one if the plain one is too small. */
function encode(entry: Described): Buffer {
  const header = new Header({ ...entry, mtime: FIXED_TIME })
  const plain = Buffer.alloc(BLOCK)
  if (!header.encode(plain)) return plain
  const extended = new Pax({ ...entry, mtime: FIXED_TIME })
  return Buffer.concat([extended.encode(), plain])
}
