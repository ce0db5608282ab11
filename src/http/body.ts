import { pipeline } from 'node:stream'
import { toError } from '../clock.ts'
import { fieldOf } from './json.ts'
import { keepHeapSmall, MAX_ANSWER_BYTES, MAX_EXPLANATION_BYTES, sizeText } from './limits.ts'
import { UnusableAnswerError, type NetworkAnswer } from '../world.ts'

/** For reads: an answer is sent compressed, if the server can. */
export const COMPRESSED: Readonly<Record<string, string>> = { 'accept-encoding': 'gzip' }

/** The text of an answer. `unread`: why the text of an error was not read, as `UnusableAnswerError` words it. */
export interface AnswerText {
  body: string
  unread?: string | undefined
}

/** In bytes: the values made of a larger answer take many times its size. */
const LARGE_BYTES = 1024 * 1024

/**
 * Reads an answer into memory as text. An error counts without a body that cannot be used: that only explains it.
 * @throws UnusableAnswerError for a success that is too large, or in an encoding or character set that is not read; the
 * error of the connection
 */
export async function readText(answer: NetworkAnswer, maxBytes = MAX_ANSWER_BYTES): Promise<AnswerText> {
  const isError = answer.status >= 400
  const limit = isError ? MAX_EXPLANATION_BYTES : maxBytes
  try {
    const bytes = Buffer.concat(await Array.fromAsync(bodyOf(answer, limit, limit)))
    if (bytes.length > LARGE_BYTES) keepHeapSmall()
    return { body: decodeText(bytes, answer.headers['content-type']) }
  } catch (thrown) {
    return { body: '', unread: unreadOf(thrown, isError) }
  }
}

/** Returns why the text of an error is not read, as {@link AnswerText} has it. Throws any other failure. */
export function unreadOf(thrown: unknown, isError: boolean): string {
  if (!isError || !(thrown instanceof UnusableAnswerError)) throw thrown
  return thrown.message
}

/**
 * Yields the body of an answer without its Content-Encoding. Ends the connection if it is not read to its end.
 * @throws UnusableAnswerError beyond a limit as sent or as unpacked, and for an encoding that is unknown or wrong
 */
export async function* bodyOf(answer: NetworkAnswer, sent: number, unpacked: number): AsyncGenerator<Uint8Array> {
  try {
    const mustUnpack = isPacked(answer)
    if (Number(answer.headers['content-length'] ?? 0) > sent) throw tooLarge(sent)
    const packed = limited(answer.body, sent)
    if (mustUnpack) yield* limited(unpack(packed), unpacked)
    else yield* packed
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

/** Registered names, one or several. */
const ENCODINGS =
  /^(?:(?:aes128gcm|br|(?:x-)?compress|dcb|dcz|deflate|exi|(?:x-|pack200-)?gzip|identity|zstd)(?:, ?(?!$)|$)){1,5}$/

/** Only gzip is asked for, and only gzip is read. */
function isPacked({ headers }: NetworkAnswer): boolean {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  // A name that is not registered may repeat a part of the request, and is not shown.
  const name = ENCODINGS.test(encoding) ? `the Content-Encoding "${encoding}"` : 'an unknown Content-Encoding'
  throw new UnusableAnswerError(`${name}, which this action does not read`)
}

/** An answer without a body, like one to HEAD, may name an encoding, too. */
async function* unpack(packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const first = await packed.next()
  if (first.done === true) return
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value
    yield* packed
  }
  const unpacker = process.getBuiltinModule('node:zlib').createGunzip()
  const stream: AsyncIterable<Uint8Array> = pipeline(all, unpacker, () => undefined)
  try {
    yield* stream
  } catch (thrown) {
    const error = toError(thrown)
    // An error of the source, such as a lost connection, is no fault of the encoding.
    const isOfZlib = String(fieldOf(error, 'code')).startsWith('Z_')
    throw isOfZlib ? new UnusableAnswerError(`broken gzip: ${error.message}`) : error
  }
}

/** The number of bytes that `charsetOf` needs of a text; a shorter text is read whole. */
const HEAD_BYTES = 4

/** How a text in UTF-16 or UTF-32 begins: with a mark of its byte order, or with an ASCII character. */
const WIDE = /^(?:[^]?\0|\xff\xfe|\xfe\xff)/
/** How a text begins that is in another order of bytes than its type says, or in UTF-32. */
const NOT_IN_ORDER: Readonly<Record<string, RegExp>> = {
  'utf-16le': /^(?:\0|\xfe\xff|[^]{2}\0\0)/,
  'utf-16be': /^(?:[^\0]\0|\xff\xfe|\0\0)/,
}

/**
 * Returns the character set that a type names, as `TextDecoder` calls it. Throws UnusableAnswerError if it is not read.
 * @param head the first bytes of the text: secrets are found only in a text that is what its type says
 */
export function charsetOf(head: Uint8Array, contentType: string | undefined): string {
  const label = /;\s*charset\s*=\s*["']?([\w.:+-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  const charset = knownCharset(label)
  const begin = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1')
  if ((NOT_IN_ORDER[charset] ?? WIDE).test(begin)) throw refused('UTF-16 or UTF-32, which its type does not say')
  return charset
}

function knownCharset(label: string): string {
  try {
    return new TextDecoder(label).encoding
  } catch {
    // A name that is not registered may repeat a part of the request, and is not shown.
    const name = label.toLowerCase()
    throw refused(USUAL.test(name) ? `the character set ${name}` : 'an unknown character set')
  }
}

/** Names of character sets that `TextDecoder` does not know. */
const USUAL = /^(?:cp|euc|ibm|iso-2022|ucs|utf)-?(?:\d{1,4}(?:[bl]e)?|cn|kr|tw)$/

function refused(encoding: string): UnusableAnswerError {
  return new UnusableAnswerError(`text in ${encoding}, which this action does not read`)
}

/** @throws UnusableAnswerError for a character set that is not read */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes)
}

/** Yields a text in UTF-8. `charset` gets its first bytes, and may throw. */
export async function* inUtf8(
  source: AsyncIterable<Uint8Array>,
  charset: (head: Uint8Array) => string,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array = Buffer.alloc(0)
  let decode: ((chunk?: Uint8Array) => Uint8Array) | undefined
  for await (const chunk of source) {
    head = decode === undefined ? Buffer.concat([head, chunk]) : chunk
    if (decode === undefined && head.length < HEAD_BYTES) continue
    decode ??= decoderOf(charset(head))
    yield decode(head)
  }
  if (decode === undefined) yield (decode = decoderOf(charset(head)))(head)
  yield decode()
}

/** Returns a function that converts a piece, and without one the rest. */
function decoderOf(charset: string): (chunk?: Uint8Array) => Uint8Array {
  if (charset === 'utf-8') return (chunk) => chunk ?? Buffer.alloc(0)
  const decoder = new TextDecoder(charset)
  return (chunk) => Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }))
}

const TEXT_HEAD = 64

/** Whether bytes begin like a text in UTF-8: compressed ones do not. */
export function beginsLikeText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, TEXT_HEAD)
  if (head.some((byte) => byte < 0x20 && (byte < 0x08 || byte > 0x0d))) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
