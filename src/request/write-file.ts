import { open } from 'node:fs/promises'
import type { Clock } from '../clock.ts'

/** In bytes: of one write. */
const BLOCK = 64 * 1024

/**
 * Writes a file that only this user may read. Returns its size in bytes.
 * @throws what the pieces throw; the file then holds some of them
 */
export async function writeFile(
  file: string,
  pieces: AsyncIterable<Uint8Array | string>,
  clock: Pick<Clock, 'during'>,
): Promise<number> {
  // Opened first: pieces that throw at once still leave an empty file.
  const out = await clock.during(open(file, 'w', 0o600))
  try {
    let bytes = 0
    let block: Uint8Array[] = []
    let blockBytes = 0
    const flush = async (): Promise<void> => {
      await clock.during(out.appendFile(Buffer.concat(block)))
      bytes += blockBytes
      block = []
      blockBytes = 0
    }
    for await (const piece of pieces) {
      const added = typeof piece === 'string' ? Buffer.from(piece) : piece
      block.push(added)
      blockBytes += added.length
      if (blockBytes >= BLOCK) await flush()
    }
    await flush()
    return bytes
  } finally {
    await clock.during(out.close())
  }
}
