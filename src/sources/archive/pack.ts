import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { tarOf } from './tar.ts'
import type { ArchiveEntry } from './walk.ts'

export interface PackOptions {
  root: string
  entries: readonly ArchiveEntry[]
  /** The file to write. */
  file: string
  /** Packing stops when the archive has more bytes than this. */
  maxBytes: number
  signal: AbortSignal
}

export type Packed = { kind: 'packed'; bytes: number; sha256: string } | { kind: 'too-large' }

/** Where a gzip names the system that it was made on, and what stands for none. */
const GZIP_SYSTEM = { at: 9, unknown: 255 }

/**
 * Writes a tar.gz that depends on nothing but names, contents, links and whether a file may be executed. It streams:
 * of the tree only the names are held in memory.
 */
export async function packEntries({ root, entries, file, maxBytes, signal }: PackOptions): Promise<Packed> {
  const hash = createHash('sha256')
  let bytes = 0
  await using target = await open(file, 'wx', 0o600)
  const write = async (packed: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of packed) {
      if (bytes === 0) chunk[GZIP_SYSTEM.at] = GZIP_SYSTEM.unknown
      bytes += chunk.length
      if (bytes > maxBytes) throw new TooLargeError()
      hash.update(chunk)
      await target.appendFile(chunk)
    }
  }
  try {
    await pipeline(tarOf(root, entries), createGzip(), write, { signal })
  } catch (thrown) {
    if (thrown instanceof TooLargeError) return { kind: 'too-large' }
    throw thrown
  }
  return { kind: 'packed', bytes, sha256: hash.digest('hex') }
}

/** Ends the packing from within. */
class TooLargeError extends Error {}
