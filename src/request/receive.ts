import { readFile, rename, rm, truncate } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import { beginsLikeText, bodyOf, charsetOf, inUtf8 } from '../http/body.ts'
import type { Receive } from '../http/exchange.ts'
import { MAX_EXPLANATION_BYTES, MAX_FILE_DEPTH, MAX_UNPACKED_BYTES } from '../http/limits.ts'
import { UnusableAnswerError } from '../world.ts'
import { StreamRedactor } from '../secrets/stream.ts'
import {
  beginsLikeJson,
  mixedRedactorFor,
  redactorFor,
  redactText,
  type AnswerRedactor,
  type SentSecrets,
} from './redaction.ts'
import { writeFile } from './call.ts'

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
  /** Whether a response of this status may repeat the request. */
  isFailure: (status: number) => boolean
  /** Masks secrets in the response before any of it is shown. */
  mask: (values: readonly string[]) => void
  onReceived: (received: ReceivedBody) => void
  clock: Pick<Clock, 'during'>
}

/**
 * Streams a response of any length to a file: a download unchanged, any other without its secrets. It receives nothing of
 * an error whose encoding or character set is not read.
 */
export function receiveInto(options: ReceiveOptions): Receive {
  const { file, secrets, content, isFailure, mask, onReceived, clock } = options
  return async (answer, onMove) => {
    const { status, headers } = answer
    const isError = isFailure(status)
    const type = headers['content-type']?.trim() ?? ''
    const isPromised = content === 'json' || (content === 'unknown' && type !== '' && JSON_TYPES.test(type))
    const mayBeJson = isError || isPromised || (content === 'unknown' && type === '')
    let redactor: AnswerRedactor | undefined
    const choose = (head: string): AnswerRedactor => {
      const isJson = beginsLikeJson(head) && (isError ? JSON_TYPES.test(type) : mayBeJson)
      if (isJson) return redactorFor(secrets, { isError, isJson })
      if (isError) return mixedRedactorFor(secrets, isError)
      if (!isPromised) return new StreamRedactor([], 'text')
      // Compressed JSON without a Content-Encoding would keep its secrets.
      if (!beginsLikeText(Buffer.from(head, 'latin1')))
        throw new UnusableAnswerError('bytes that are no text, in place of JSON')
      if (JSON_IN_STRING.test(head)) throw new UnusableAnswerError('JSON inside a JSON string')
      // What wraps JSON, like the call of a function, leaves its structure.
      return mixedRedactorFor(secrets, isError)
    }
    const redact = async function* (): AsyncGenerator<Buffer> {
      const body = bodyOf(answer, Infinity, MAX_UNPACKED_BYTES)
      const charset = (head: Uint8Array): string => (isOfNoText(head, type, isError) ? 'utf-8' : charsetOf(head, type))
      for await (const piece of fromHead(mayBeJson ? inUtf8(body, charset) : body, onMove)) {
        const begun = redactor === undefined ? piece.replace(BLANK, '') : piece
        if (begun !== '') redactor ??= choose(begun)
        yield Buffer.from(redactor?.pass(piece) ?? piece, 'latin1')
        if ((redactor?.depth ?? 0) > MAX_FILE_DEPTH)
          throw new UnusableAnswerError(`JSON that is nested more than ${MAX_FILE_DEPTH} levels deep`)
      }
      yield Buffer.from(redactor?.end() ?? '', 'latin1')
    }
    // An attempt that breaks off must not replace part of an earlier response.
    const part = `${file}.part`
    let unread: string | undefined
    let bytes = 0
    try {
      try {
        bytes = await writeFile(part, redact(), clock)
      } catch (thrown) {
        if (!isError || !(thrown instanceof UnusableAnswerError)) throw thrown
        unread = thrown.message
        await clock.during(truncate(part))
      }
      await clock.during(rename(part, file))
    } finally {
      await clock.during(rm(part, { force: true }))
    }
    mask(secrets.found.all)
    const length = headers['content-length']
    const announcedBytes = length === undefined ? undefined : Number(length)
    onReceived({ status, announcedBytes, bytes })
    if (bytes === 0 || bytes > MAX_EXPLANATION_BYTES) return { body: '', unread }
    const text = await clock.during(readFile(file, 'utf8'))
    if (!isError) return { body: text }
    // The explanation of an error may be JSON, whatever its type says.
    const shown = redactText(text, secrets, isError)
    mask(secrets.found.all)
    return { body: shown }
  }
}

/** Yields a body as strings of bytes (latin1), the first one with enough of it to tell what it is. */
async function* fromHead(body: AsyncIterable<Uint8Array>, onMove: () => void): AsyncGenerator<string> {
  let head: string | undefined = ''
  for await (const chunk of body) {
    onMove()
    const piece: string = (head ?? '') + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    const begun: number = head === undefined ? 0 : piece.replace(BLANK, '').length
    const isShort: boolean = head !== undefined && begun < HEAD_BYTES
    const isLongBlank: boolean = isShort && begun === 0 && piece.length >= MAX_BLANK_BYTES
    head = isLongBlank ? '' : isShort ? piece : undefined
    if (isLongBlank || !isShort) yield piece
  }
  if (head !== undefined) yield head
}

/** So many blanks are passed on, although the body has not begun. */
const MAX_BLANK_BYTES = 4096
/** A byte order mark and blanks, as bytes. */
const BLANK = /^(?:\u00ef\u00bb\u00bf|\s)+/
/** Bytes after the blanks that tell what a body is. */
const HEAD_BYTES = 64
const JSON_IN_STRING = /^"(?:\s|\\[nrt]|\\u0009|\\u000[ad])*[{[]/i

/** Another type counts as it is: Markdown, too, may begin with a bracket. Not every server sends a type. */
const JSON_TYPES = /^(?:[^;]*[/+]json|application\/(?:x-ndjson|jsonl))?\s*(?:;|$)/i

/** Whether a response without a type is no JSON in any character set: then it may be a download. */
function isOfNoText(head: Uint8Array, type: string, isError: boolean): boolean {
  const ascii = Buffer.from(head.filter((byte) => byte > 0 && byte < 0x80)).toString('latin1')
  return type === '' && !isError && !/^\s*(?:[{[]|$)/.test(ascii)
}
