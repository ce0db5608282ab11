import { constants, crc32, createDeflateRaw } from 'node:zlib'

const BLOCK = 1024 * 1024
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
  const parts: Uint8Array[] = []
  const packed: AsyncIterable<Uint8Array> = stream
  for await (const part of packed) parts.push(part)
  return parts
}

/**
 * Yields a gzip of one member. The thread pool compresses blocks side by side while the next ones are read.
 * @param source its pieces are copied: the next piece may use the same memory
 * @param blockBytes bytes that are compressed at once, independently of all others: more threads change no byte
 */
export async function* gzipOf(source: Iterable<Uint8Array>, blockBytes = BLOCK): AsyncGenerator<Uint8Array> {
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
