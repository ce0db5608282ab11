import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { toError, type Clock } from './clock.ts'
import type { Files } from './world.ts'

const MB = 1024 * 1024
/** The largest file of ignore rules or YAML, in bytes. */
export const MAX_TEXT_BYTES = MB
/** The charset of a text by its byte order mark. */
export function charsetOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

/** The bytes of one read. */
const PIECE_BYTES = 64 * 1024

/** Without waiting for the writer of a pipe. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Throws Error if it is not a regular file, or if a link has replaced a part of its path since that was checked. */
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

export function openRegularFileAtOnce(real: string): Disposable & { descriptor: number; stats: Stats } {
  const descriptor = openSync(real, FLAGS)
  try {
    const stats = fstatSync(descriptor)
    check(stats, real)
    return { descriptor, stats, [Symbol.dispose]: () => closeSync(descriptor) }
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

/** Reads a regular file whole. Throws an Error if it is larger, and what {@link openRegularFile} throws. */
export async function readWhole(real: string, maxBytes: number): Promise<Buffer> {
  using file = openRegularFileAtOnce(real)
  const chunks: Uint8Array[] = []
  // The size that the system reports may be wrong: the last byte read is one too many.
  for (let size = 0; size <= maxBytes; size += chunks.at(-1)?.length ?? 0) {
    const chunk = Buffer.alloc(Math.min(PIECE_BYTES, maxBytes + 1 - size))
    const count = readSync(file.descriptor, chunk)
    if (count === 0) return await Promise.resolve(Buffer.concat(chunks))
    chunks.push(chunk.subarray(0, count))
  }
  throw new Error(`it is larger than ${maxBytes / MB} MB`)
}

/** Yields the content of a file. The pieces use the same memory, as new memory would raise the peak. */
export async function* piecesOf(openFile: () => Promise<FileHandle>, clock: Clock): AsyncGenerator<Uint8Array> {
  await using handle = await clock.during(openFile())
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
  for (;;) {
    const { bytesRead } = await clock.during(handle.read(piece, 0, PIECE_BYTES))
    if (bytesRead === 0) return
    yield piece.subarray(0, bytesRead)
  }
}

/** No folder for temporary files can be made, neither in the runner's own nor in that of the system. */
export class NoTemporaryFolderError extends Error {
  override readonly name = 'NoTemporaryFolderError'
}

/**
 * The same files, with temporary folders in the system's own where the runner's cannot be used. `warn` gets one sentence.
 * A folder that the step itself names has no such replacement. Throws NoTemporaryFolderError.
 */
export function withTemporaryFolders(files: Files, warn: (sentence: string) => void): Files {
  let hasWarned = false
  const makeInSystem = async (prefix: string, ...before: Error[]): Promise<string> =>
    await files.makeFolder(prefix, undefined).catch((thrown: unknown) => {
      throw new NoTemporaryFolderError([...before, toError(thrown)].map(({ message }) => message).join('; '))
    })
  const makeFolder: Files['makeFolder'] = async (prefix, parent) => {
    if (parent === undefined) return await makeInSystem(prefix)
    try {
      return await files.makeFolder(prefix, parent)
    } catch (thrown) {
      const failure = toError(thrown)
      const folder = await makeInSystem(prefix, failure)
      if (!hasWarned) warn(replacedText(parent, failure, path.dirname(folder)))
      hasWarned = true
      return folder
    }
  }
  return { ...files, makeFolder }
}

function replacedText(parent: string, failure: Error, system: string): string {
  const code = 'code' in failure ? String(failure.code) : failure.message
  const why = code === 'ENOENT' ? 'which does not exist' : `in which no folder can be made (${code})`
  return `RUNNER_TEMP names ${parent}, ${why}: temporary files, such as the record, are in ${system}. The runner does not empty it. Correct RUNNER_TEMP on the runner.`
}
