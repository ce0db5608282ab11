import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { tarOf } from './tar.ts'
import type { ArchiveEntry } from './walk.ts'

/** The byte of a gzip header that names the operating system, and its value for an unknown one. */
const GZIP_SYSTEM = { at: 9, unknown: 255 }

/**
 * Writes a tar.gz to `file`. It depends only on names, contents, links and execute permissions. Contents are streamed.
 * @returns `undefined` if the archive is larger than `maxBytes`; packing then stops early
 */
export async function packEntries(
  root: string,
  entries: readonly ArchiveEntry[],
  file: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string } | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  await using target = await open(file, 'wx', 0o600)
  const write = async (packed: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of packed) {
      if (bytes === 0) chunk[GZIP_SYSTEM.at] = GZIP_SYSTEM.unknown
      bytes += chunk.length
      if (bytes > maxBytes) throw new Error('The archive is too large')
      hash.update(chunk)
      await target.appendFile(chunk)
    }
  }
  try {
    await pipeline(tarOf(root, entries), createGzip(), write, { signal })
  } catch (thrown) {
    if (bytes > maxBytes) return undefined
    throw thrown
  }
  return { bytes, sha256: hash.digest('hex') }
}
