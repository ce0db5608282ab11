import { createWriteStream } from 'node:fs'
import { readFile, rename, rm, truncate } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Receive } from '../control-plane/api-request.ts'
import { bodyOf } from '../http/body.ts'
import { beginsLikeText, charsetOf, inUtf8, type Charset } from '../http/charset.ts'
import { MAX_EXPLANATION_BYTES, MAX_FILE_DEPTH, MAX_UNPACKED_BYTES } from '../http/limits.ts'
import { UnusableAnswerError } from '../http/unusable.ts'
import { StreamRedactor } from './redact-stream.ts'
import { beginsLikeJson, createRedactor, redactText, type Redactor, type SentSecrets } from './redaction.ts'

/** A response whose body is in a file. */
export interface ReceivedBody {
  status: number
  /** The size in its headers: a response to HEAD has no body. */
  announcedBytes: number | undefined
  /** The size of the file. */
  bytes: number
}

export interface ReceiveOptions {
  file: string
  secrets: SentSecrets
  /** What the route returns: `raw` bytes may look like JSON. */
  content: 'json' | 'raw' | 'unknown'
  /** Masks secrets in the response before any of it is shown. */
  mask: (values: readonly string[]) => void
  onReceived: (received: ReceivedBody) => void
}

/**
 * Streams a response of any length to a file: a download unchanged, any other without its secrets. It receives nothing of
 * an error whose encoding or character set is not read.
 */
export function receiveInto({ file, secrets, content, mask, onReceived }: ReceiveOptions): Receive {
  return async (message, onMove) => {
    const status = message.statusCode ?? 0
    const isError = status >= 400
    const type = message.headers['content-type']?.trim() ?? ''
    const mayBeJson = isError || (content !== 'raw' && JSON_TYPES.test(type))
    let redactor: Redactor | undefined
    const choose = (piece: string): Redactor => {
      const isText = beginsLikeText(Buffer.from(piece, 'latin1'))
      // Compressed JSON without a Content-Encoding would keep its secrets.
      if (mayBeJson && !isError && !isText && (type !== '' || content === 'json'))
        throw new UnusableAnswerError('bytes that are no text, in place of JSON')
      const isJson = mayBeJson && JSON_TYPES.test(type) && beginsLikeJson(piece.replace(/^\u00ef\u00bb\u00bf/, ''))
      return isError || isJson ? createRedactor(secrets, { isError, isJson }) : new StreamRedactor([], 'text')
    }
    const redact = async function* (): AsyncGenerator<Buffer> {
      const body = bodyOf(message, Infinity, MAX_UNPACKED_BYTES)
      const charset = (head: Uint8Array): Charset => (isOfNoText(head, type, isError) ? 'utf-8' : charsetOf(head, type))
      for await (const chunk of mayBeJson ? inUtf8(body, charset) : body) {
        onMove()
        const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
        if (piece.trim() !== '') redactor ??= choose(piece)
        yield Buffer.from(redactor?.pass(piece) ?? piece, 'latin1')
        if ((redactor?.depth ?? 0) > MAX_FILE_DEPTH)
          throw new UnusableAnswerError(`JSON that is nested more than ${MAX_FILE_DEPTH} levels deep`)
      }
      yield Buffer.from(redactor?.end() ?? '', 'latin1')
    }
    // An attempt that breaks off must not replace part of an earlier response.
    const part = `${file}.part`
    const out = createWriteStream(part, { mode: 0o600 })
    let unread: string | undefined
    try {
      try {
        await pipeline(redact, out)
      } catch (thrown) {
        if (!isError || !(thrown instanceof UnusableAnswerError)) throw thrown
        unread = thrown.message
        await truncate(part)
      }
      await rename(part, file)
    } finally {
      await rm(part, { force: true })
    }
    mask(secrets.found.all)
    const length = message.headers['content-length']
    const announcedBytes = length === undefined ? undefined : Number(length)
    const bytes = unread === undefined ? out.bytesWritten : 0
    onReceived({ status, announcedBytes, bytes })
    if (bytes === 0 || bytes > MAX_EXPLANATION_BYTES) return { body: '', unread }
    const text = await readFile(file, 'utf8')
    if (!isError) return { body: text }
    // The explanation of an error may be JSON, whatever its type says.
    const shown = redactText(text, secrets, isError)
    mask(secrets.found.all)
    return { body: shown }
  }
}

/** Another type counts as it is: Markdown, too, may begin with a bracket. Not every server sends a type. */
const JSON_TYPES = /^(?:[^;]*[/+]json|application\/(?:x-ndjson|jsonl))?\s*(?:;|$)/i

/** Whether a response without a type is no JSON in any character set: then it may be a download. */
function isOfNoText(head: Uint8Array, type: string, isError: boolean): boolean {
  const ascii = Buffer.from(head.filter((byte) => byte > 0 && byte < 0x80)).toString('latin1')
  return type === '' && !isError && !/^\s*(?:[{[]|$)/.test(ascii)
}
