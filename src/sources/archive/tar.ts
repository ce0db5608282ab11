import { closeSync, fstatSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { Header, type HeaderData } from 'tar/header'
import { Pax } from 'tar/pax'
import { codeOf, quote } from '../quote.ts'
import { openRegularFileAtOnce } from '../../files.ts'
import type { ArchiveEntry } from './walk.ts'

/** Modification time of every entry; some tools reject times before 1980. */
const FIXED_TIME = new Date(Date.UTC(1985, 9, 26, 8, 15))
/** Headers and contents in a tar begin at multiples of it. */
const BLOCK = 512
/** Bytes of a tar that are made at once. */
const PIECE = 64 * 1024
const CHANGED = 'it changed while it was read'

/**
 * Yields a tar of the entries piece by piece, with one file open at a time. It keeps only the owner's execute
 * permission of a file. Files are read synchronously: most are small, and a turn of the event loop for each step would
 * take longer than the step. The next piece uses the same memory.
 */
export function* tarOf(root: string, entries: readonly ArchiveEntry[]): Generator<Uint8Array> {
  const realRoot = realpathSync(root)
  const piece = Buffer.allocUnsafe(PIECE)
  for (const entry of entries) {
    if (entry.target !== undefined) {
      yield headerOf({ type: 'SymbolicLink', path: entry.path, linkpath: entry.target, mode: 0o755, size: 0 })
      continue
    }
    try {
      yield* fileOf(entry.path, path.join(realRoot, entry.path), piece)
    } catch (thrown) {
      throw new Error(`${quote(entry.path)} cannot be read (${codeOf(thrown)})`, { cause: thrown })
    }
  }
  yield Buffer.alloc(2 * BLOCK)
}

function* fileOf(name: string, real: string, piece: Buffer): Generator<Uint8Array> {
  const { descriptor, stats } = openRegularFileAtOnce(real)
  try {
    const { size, mode, mtimeMs } = stats
    yield headerOf({ type: 'File', path: name, mode: (mode & 0o100) === 0 ? 0o644 : 0o755, size })
    for (let position = 0; position < size; position += PIECE) {
      const length = Math.min(PIECE, size - position)
      const padded = piece.subarray(0, BLOCK * Math.ceil(length / BLOCK))
      fill(padded.subarray(0, length), descriptor)
      yield padded.fill(0, length)
    }
    // A file that changes while it is read would be packed half old, half new.
    const after = fstatSync(descriptor)
    if (after.size !== size || after.mtimeMs !== mtimeMs) throw new Error(CHANGED)
  } finally {
    closeSync(descriptor)
  }
}

function fill(piece: Buffer, descriptor: number): void {
  for (let filled = 0; filled < piece.length;) {
    const bytesRead = readSync(descriptor, piece, filled, piece.length - filled, null)
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
