import { closeSync, constants, fstatSync, openSync, realpathSync, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

const MB = 1024 * 1024
/** The largest file of ignore rules or YAML, in bytes. */
export const MAX_TEXT_BYTES = MB

/** Without waiting for the writer of a pipe. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Opens a regular file for reading. Never waits for the writer of a pipe.
 * @param real its path without links, as it was checked
 * @throws Error if it is not a regular file, or if a link has replaced a part of the path
 */
export async function openRegularFile(real: string): Promise<FileHandle> {
  const handle = await open(real, FLAGS)
  try {
    check(await handle.stat(), real)
    return handle
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
}

/** Does the same synchronously. */
export function openRegularFileAtOnce(real: string): { descriptor: number; stats: Stats } {
  const descriptor = openSync(real, FLAGS)
  try {
    const stats = fstatSync(descriptor)
    check(stats, real)
    return { descriptor, stats }
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

function check(stats: Stats, real: string): void {
  if (!stats.isFile()) throw new Error('it is not a regular file')
  // The asynchronous form takes as long as all else that is done for a small file of a source.
  if (realpathSync.native(real) !== real) throw new Error('a link has replaced a part of its path')
}

/**
 * Reads a regular file whole.
 * @throws Error if it is larger than `maxBytes`, and what {@link openRegularFile} throws
 */
export async function readWhole(real: string, maxBytes: number): Promise<Buffer> {
  await using handle = await openRegularFile(real)
  const chunks: Uint8Array[] = []
  let size = 0
  // The size that the system reports may be wrong: the last byte read is one too many.
  for await (const chunk of handle.createReadStream({ end: maxBytes, autoClose: false })) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
  }
  if (size > maxBytes) throw new Error(`it is larger than ${maxBytes / MB} MB`)
  return Buffer.concat(chunks)
}
