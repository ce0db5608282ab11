import { UnusableAnswerError } from './unusable.ts'

/** The character sets that are read; every other one is refused by its name. */
export type Charset = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** The names of the type's parameter `charset`. UTF-16 without a byte order mark is big-endian (RFC 2781). */
const CHARSETS: Readonly<Record<string, Charset>> = {
  '': 'utf-8',
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'utf-16': 'utf-16be',
  'utf-16be': 'utf-16be',
  'utf-16le': 'utf-16le',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
}

/** The bytes of a text that `charsetOf` needs, if there are so many. */
const HEAD_BYTES = 4

/**
 * Returns the character set of a text. Its first bytes count more than its type, as parsers of JSON read it by them.
 * @throws UnusableAnswerError for a character set that is not read
 */
export function charsetOf(head: Uint8Array, contentType: string | undefined): Charset {
  const [a, b, c, d] = head
  const zeros = [a, b, c, d].map((byte) => (byte === 0 ? '0' : 'x')).join('')
  const isMarked32 = (a === 0xff && b === 0xfe && zeros === 'xx00') || (zeros === '00xx' && c === 0xfe && d === 0xff)
  if (isMarked32 || zeros === 'x000' || zeros === '000x') throw refused('utf-32')
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (b === 0 && a !== 0) return 'utf-16le'
  if (a === 0 && b !== 0 && b !== undefined) return 'utf-16be'
  const name = /;\s*charset\s*=\s*["']?([\w.:+-]*)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? ''
  const charset = CHARSETS[name]
  if (charset === undefined) throw refused(name)
  return charset
}

/** Names of usual character sets. */
const USUAL =
  /^(?:utf-(?:7|16|32)|utf-(?:16|32)[bl]e|iso-8859-\d{1,2}|iso-2022-(?:jp|kr|cn)|windows-\d{3,4}|cp\d{3,4}|ibm\d{3,4}|shift[_-]jis|euc-(?:jp|kr|tw)|gb2312|gbk|gb18030|big5|koi8-[ru]|macintosh|ucs-[24])$/

function refused(name: string): UnusableAnswerError {
  // Another name may repeat the request.
  const shown = USUAL.test(name) ? `the character set ${name}` : 'an unknown character set'
  return new UnusableAnswerError(`text in ${shown}, which this action does not read`)
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
  charset: (head: Uint8Array) => Charset,
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
function decoderOf(charset: Charset): (chunk?: Uint8Array) => Uint8Array {
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
