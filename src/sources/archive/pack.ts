import { createHash } from 'node:crypto'
import { fstatSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { constants, crc32, createDeflateRaw } from 'node:zlib'
import { Header, type HeaderData } from 'tar/header'
import { Pax } from 'tar/pax'
import { openRegularFileAtOnce } from '../../files.ts'
import { codeOf, quote } from '../workspace-path.ts'
import type { ArchiveEntry } from './walk.ts'

/** Takes the path, the size and the first bytes of a file, in memory that is used again. */
type OnFile = (file: string, bytes: number, beginning: Uint8Array) => void

/**
 * Writes a tar.gz to `file`. It depends only on names, contents, links and execute permissions. Contents are streamed.
 * @returns `undefined` if the archive is larger than `maxBytes`; packing then stops early
 * @throws what `checkEnd` throws, which is called before each piece
 */
export async function packEntries(
  root: string,
  entries: readonly ArchiveEntry[],
  { file, maxBytes, checkEnd, onFile }: { file: string; maxBytes: number; checkEnd: () => void; onFile?: OnFile },
): Promise<{ bytes: number; sha256: string } | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  await using target = await open(file, 'wx', 0o600)
  const pieces = tarOf(root, entries, onFile).map((piece) => {
    checkEnd()
    return piece
  })
  for await (const chunk of gzipOf(pieces)) {
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    hash.update(chunk)
    await target.appendFile(chunk)
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Modification time of every entry; some tools reject times before 1980. */
const FIXED_TIME = new Date(Date.UTC(1985, 9, 26, 8, 15))
/** In bytes: headers and contents in a tar begin at multiples of it. */
const TAR_BLOCK = 512
/** Bytes of a tar that are made at once. */
const PIECE = 64 * 1024
const CHANGED = 'it changed while it was read'

/**
 * Yields a tar of the entries piece by piece, with one file open at a time. It keeps only the owner's execute
 * permission of a file. Files are read synchronously: most are small, and a turn of the event loop for each step would
 * take longer than the step. The next piece uses the same memory.
 */
export function* tarOf(root: string, entries: readonly ArchiveEntry[], onFile?: OnFile): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafe(PIECE)
  for (const entry of entries) {
    if (entry.target !== undefined) {
      yield headerOf({ type: 'SymbolicLink', path: entry.path, linkpath: entry.target, mode: 0o755, size: 0 })
      continue
    }
    try {
      yield* fileOf(entry.path, path.join(root, entry.path), piece, onFile)
    } catch (thrown) {
      throw new Error(`${quote(entry.path)} cannot be read (${codeOf(thrown)})`, { cause: thrown })
    }
  }
  yield Buffer.alloc(2 * TAR_BLOCK)
}

function* fileOf(name: string, real: string, piece: Buffer, onFile?: OnFile): Generator<Uint8Array> {
  using file = openRegularFileAtOnce(real)
  const { size, mode, mtimeMs } = file.stats
  if (size === 0) onFile?.(name, size, new Uint8Array())
  yield headerOf({ type: 'File', path: name, mode: (mode & 0o100) === 0 ? 0o644 : 0o755, size })
  for (let position = 0; position < size; position += PIECE) {
    const length = Math.min(PIECE, size - position)
    const padded = piece.subarray(0, TAR_BLOCK * Math.ceil(length / TAR_BLOCK))
    fill(padded.subarray(0, length), file.descriptor)
    if (position === 0) onFile?.(name, size, padded.subarray(0, length))
    yield padded.fill(0, length)
  }
  // A file that changes while it is read would be packed half old, half new.
  const after = fstatSync(file.descriptor)
  if (after.size !== size || after.mtimeMs !== mtimeMs) throw new Error(CHANGED)
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
  const plain = Buffer.alloc(TAR_BLOCK)
  const isTooSmall = new Header(dated).encode(plain)
  return isTooSmall ? Buffer.concat([new Pax(dated).encode(), plain]) : plain
}

const GZIP_BLOCK = 1024 * 1024
/** Blocks that wait or are compressed: libuv has four threads unless the environment says otherwise. */
const AT_ONCE = 5

/** Deflate, no flags, no time, no extra flags, an unknown operating system: the same on every machine. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty block that is marked as the last one. */
const LAST_BLOCK = [3, 0]

async function compress(block: Uint8Array, blockBytes: number): Promise<Uint8Array[]> {
  // `finishFlush`: a block ends at a byte, and is not the last one. Each piece of output would take a turn of the pool.
  const sizes = { chunkSize: blockBytes + 4096, memLevel: 9 }
  const stream = createDeflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, ...sizes })
  stream.end(block)
  return await Array.fromAsync<Uint8Array>(stream)
}

/**
 * Yields a gzip of one member. The thread pool compresses blocks side by side while the next ones are read.
 * Each is compressed independently of all others: more threads change no byte. Pieces are copied.
 */
export async function* gzipOf(source: Iterable<Uint8Array>, blockBytes = GZIP_BLOCK): AsyncGenerator<Uint8Array> {
  const packing: Promise<Uint8Array[]>[] = []
  let sum = 0
  let size = 0
  yield HEADER
  for (const block of blocksOf(source, blockBytes)) {
    sum = crc32(block, sum)
    size += block.length
    packing.push(compress(block, blockBytes))
    const first = packing.length < AT_ONCE ? undefined : packing.shift()
    if (first !== undefined) yield* released(await first)
  }
  for (const block of packing) yield* released(await block)
  const trailer = Buffer.from([...LAST_BLOCK, 0, 0, 0, 0, 0, 0, 0, 0])
  trailer.writeUInt32LE(sum, LAST_BLOCK.length)
  trailer.writeUInt32LE(size % 2 ** 32, LAST_BLOCK.length + 4)
  yield trailer
}

/** Frees the memory of a packed block after its use: the collector would let 64 MB of such memory gather. */
function* released(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  yield* parts
  for (const { buffer } of parts) {
    const isOwn = buffer.byteLength > Buffer.poolSize
    if (isOwn && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
  }
}

/** A block's memory is used again after `AT_ONCE` others: new memory would raise the peak until it is collected. */
function* blocksOf(source: Iterable<Uint8Array>, blockBytes: number): Generator<Uint8Array> {
  const memory = Buffer.allocUnsafe(AT_ONCE * blockBytes)
  let start = 0
  let end = 0
  for (const piece of source) {
    for (let taken = 0; taken < piece.length;) {
      const part = piece.subarray(taken, taken + start + blockBytes - end)
      memory.set(part, end)
      taken += part.length
      end += part.length
      if (end < start + blockBytes) continue
      yield memory.subarray(start, end)
      start = end = end % memory.length
    }
  }
  if (end > start) yield memory.subarray(start, end)
}
