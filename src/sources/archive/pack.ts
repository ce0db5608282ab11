import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { gzipOf } from './gzip.ts'
import { tarOf } from './tar.ts'
import type { ArchiveEntry } from './walk.ts'

/**
 * Writes a tar.gz to `file`. It depends only on names, contents, links and execute permissions. Contents are streamed.
 * @returns `undefined` if the archive is larger than `maxBytes`; packing then stops early
 * @throws what `checkEnd` throws, which is called before each piece
 */
export async function packEntries(
  root: string,
  entries: readonly ArchiveEntry[],
  file: string,
  maxBytes: number,
  checkEnd: () => void,
): Promise<{ bytes: number; sha256: string } | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  await using target = await open(file, 'wx', 0o600)
  for await (const chunk of gzipOf(checked(tarOf(root, entries), checkEnd))) {
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    hash.update(chunk)
    await target.appendFile(chunk)
  }
  return { bytes, sha256: hash.digest('hex') }
}

function* checked<Piece>(pieces: Iterable<Piece>, checkEnd: () => void): Generator<Piece> {
  for (const piece of pieces) {
    checkEnd()
    yield piece
  }
}
