import { pipeline, type Duplex } from 'node:stream'
import type zlib from 'node:zlib'
import { toError } from '../clock.ts'
import { keepHeapSmall, MAX_ANSWER_BYTES, MAX_EXPLANATION_BYTES, sizeText } from './limits.ts'
import type { NetworkAnswer } from '../world.ts'
import { decodeText } from './charset.ts'
import { UnusableAnswerError } from './unusable.ts'

/** For reads: an answer is sent compressed, if the server can. */
export const COMPRESSED: Readonly<Record<string, string>> = { 'accept-encoding': 'gzip' }

/** The text of an answer. `unread`: why the text of an error was not read, as `UnusableAnswerError` words it. */
export interface AnswerText {
  body: string
  unread?: string | undefined
}

/** What is made of a larger answer takes many times its size. */
const LARGE_BYTES = 1024 * 1024

/**
 * Reads an answer into memory as text. The body of an error only explains its status: one that cannot be used is not
 * read, and the answer counts.
 * @throws UnusableAnswerError for an answer that is too large, or whose encoding or character set is not read; the error
 * of the connection
 */
export async function readText(answer: NetworkAnswer, maxBytes = MAX_ANSWER_BYTES): Promise<AnswerText> {
  const isError = answer.status >= 400
  const limit = isError ? MAX_EXPLANATION_BYTES : maxBytes
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of bodyOf(answer, limit, limit)) chunks.push(chunk)
    const [first, ...rest] = chunks
    const bytes = first !== undefined && rest.length === 0 ? first : Buffer.concat(chunks)
    if (bytes.length > LARGE_BYTES) keepHeapSmall()
    return { body: decodeText(bytes, answer.headers['content-type']) }
  } catch (thrown) {
    if (!isError || !(thrown instanceof UnusableAnswerError)) throw thrown
    return { body: '', unread: thrown.message }
  }
}

/**
 * Yields the body of an answer without its Content-Encoding. It ends the connection of an answer that is not read to its
 * end.
 * @param sent the limit as sent, in bytes
 * @param unpacked the limit after decompression, in bytes
 * @throws UnusableAnswerError beyond a limit, and for an encoding that is unknown or wrong
 */
export async function* bodyOf(answer: NetworkAnswer, sent: number, unpacked: number): AsyncGenerator<Uint8Array> {
  try {
    const encoding = encodingOf(answer)
    if (Number(answer.headers['content-length'] ?? 0) > sent) throw tooLarge(sent)
    const packed = limited(answer.body, sent)
    if (encoding === undefined) yield* packed
    else yield* limited(unpack(packed, encoding), unpacked)
  } finally {
    answer.close()
  }
}

async function* limited(source: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    yield chunk
  }
}

function tooLarge(limit: number): UnusableAnswerError {
  return new UnusableAnswerError(`more than ${sizeText(limit)}`)
}

/** A decompressor for each encoding, chosen by the first bytes. The module is loaded when an answer needs it. */
const UNPACKERS = new Map<string, (module: typeof zlib, first: Uint8Array) => Duplex>([
  ['gzip', (module) => module.createGunzip()],
  ['x-gzip', (module) => module.createGunzip()],
  // Some servers send it without the header of zlib.
  ['deflate', (module, first) => (((first[0] ?? 0) & 0x0f) === 8 ? module.createInflate() : module.createInflateRaw())],
  ['br', (module) => module.createBrotliDecompress()],
  ['zstd', (module) => module.createZstdDecompress()],
])

/** Registered names, one or several. */
const ENCODINGS =
  /^(?:(?:aes128gcm|br|(?:x-)?compress|dcb|dcz|deflate|exi|(?:x-|pack200-)?gzip|identity|zstd)(?:, ?(?!$)|$)){1,5}$/

function encodingOf({ headers }: NetworkAnswer): string | undefined {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return undefined
  if (UNPACKERS.has(encoding)) return encoding
  // Another name may repeat the request.
  const name = ENCODINGS.test(encoding) ? `the Content-Encoding "${encoding}"` : 'an unknown Content-Encoding'
  throw new UnusableAnswerError(`${name}, which this action does not read`)
}

/** An answer without a body, like one to HEAD, may name an encoding, too. */
async function* unpack(packed: AsyncGenerator<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const first = await packed.next()
  const module = process.getBuiltinModule('node:zlib')
  const unpacker = first.done === true ? undefined : UNPACKERS.get(encoding)?.(module, first.value)
  if (first.done === true || unpacker === undefined) return
  let broken: Error | undefined
  const all = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield first.value
      yield* packed
    } catch (thrown) {
      throw (broken = toError(thrown))
    }
  }
  const stream: AsyncIterable<Uint8Array> = pipeline(all, unpacker, () => undefined)
  try {
    yield* stream
  } catch (thrown) {
    // What broke the source, as a lost connection, is no fault of the encoding.
    throw broken ?? new UnusableAnswerError(`broken ${encoding}: ${toError(thrown).message}`)
  }
}
