import { UnusableAnswerError } from './unusable.ts'

/** The bytes of a text that `charsetOf` needs, if there are so many. */
const HEAD_BYTES = 4

/** How a text in UTF-16 or UTF-32 begins: with a mark of its byte order, or with an ASCII character. */
const WIDE = /^(?:[^]?\0|\xff\xfe|\xfe\xff)/
/** How a text begins that is in another order of bytes than its type says, or in UTF-32. */
const NOT_IN_ORDER: Readonly<Record<string, RegExp>> = {
  'utf-16le': /^(?:\0|\xfe\xff|[^]{2}\0\0)/,
  'utf-16be': /^(?:[^\0]\0|\xff\xfe|\0\0)/,
}

/**
 * Returns the character set that the type of a text names, as `TextDecoder` calls it.
 * @param head the first bytes of the text: secrets are found only in a text that is what its type says
 * @throws UnusableAnswerError for a character set that is not read
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
    // Another name may repeat the request.
    const name = label.toLowerCase()
    throw refused(USUAL.test(name) ? `the character set ${name}` : 'an unknown character set')
  }
}

/** Names of character sets that `TextDecoder` does not know. */
const USUAL = /^(?:cp|euc|ibm|iso-2022|ucs|utf)-?(?:\d{1,4}(?:[bl]e)?|cn|kr|tw)$/

function refused(what: string): UnusableAnswerError {
  return new UnusableAnswerError(`text in ${what}, which this action does not read`)
}

/** @throws UnusableAnswerError for a character set that is not read */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes)
}

/**
 * Yields a text in UTF-8; one that is in UTF-8 unchanged.
 * @param charset from the first bytes of the text, if there are so many
 * @throws what `charset` throws
 */
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
