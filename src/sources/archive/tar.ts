import type { Stats } from 'node:fs'
import { realpath, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { Header, type HeaderData } from 'tar/header'
import { Pax } from 'tar/pax'
import { codeOf, quote } from '../quote.ts'
import { openRegularFile } from '../../regular-file.ts'
import type { ArchiveEntry } from './walk.ts'

/** Modification time of every entry; some tools reject times before 1980. */
const FIXED_TIME = new Date(Date.UTC(1985, 9, 26, 8, 15))
/** Headers and contents in a tar begin at multiples of it. */
const BLOCK = 512
/** Bytes of a file's content that are read at once. */
const PIECE = 64 * 1024
const CHANGED = 'it changed while it was read'

/**
 * Yields a tar of the entries piece by piece, with one file open at a time. It keeps only the owner's execute
 * permission of a file.
 */
export async function* tarOf(root: string, entries: readonly ArchiveEntry[]): AsyncGenerator<Buffer> {
  const realRoot = await realpath(root)
  for (const entry of entries) {
    if (entry.target !== undefined) {
      yield headerOf({ type: 'SymbolicLink', path: entry.path, linkpath: entry.target, mode: 0o755, size: 0 })
      continue
    }
    try {
      await using handle = await openRegularFile(path.join(realRoot, entry.path))
      const stats = await handle.stat()
      const mode = (stats.mode & 0o100) === 0 ? 0o644 : 0o755
      yield* withContent(headerOf({ type: 'File', path: entry.path, mode, size: stats.size }), handle, stats)
      // A file that changes while it is read would be packed half old, half new.
      const after = await handle.stat()
      if (after.size !== stats.size || after.mtimeMs !== stats.mtimeMs) throw new Error(CHANGED)
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
    if (bytesRead === 0) throw new Error(CHANGED)
    filled += bytesRead
  }
}

/** Encodes a header, preceded by an extended one if the plain one is too small. */
function headerOf(entry: HeaderData): Buffer {
  const dated = { ...entry, mtime: FIXED_TIME }
  const plain = Buffer.alloc(BLOCK)
  const isTooSmall = new Header(dated).encode(plain)
  return isTooSmall ? Buffer.concat([new Pax(dated).encode(), plain]) : plain
}
