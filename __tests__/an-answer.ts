import type { IncomingHttpHeaders } from 'node:http'
import type { NetworkAnswer } from '../src/world.ts'

/** An answer whose pieces arrive one by one; it breaks off with the error, if there is one. */
export function anAnswer(
  status: number,
  pieces: readonly (string | Buffer)[],
  headers: IncomingHttpHeaders = {},
  error?: Error,
): NetworkAnswer & { isClosed: () => boolean } {
  let isClosed = false
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) {
      await new Promise((resolve) => setImmediate(resolve))
      if (piece.length > 0) yield Buffer.from(piece)
    }
    if (error !== undefined) throw error
  }
  return { status, headers, body: body(), close: () => void (isClosed = true), isClosed: () => isClosed }
}
