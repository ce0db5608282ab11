import { readFile, rename, rm, truncate } from 'node:fs/promises'
import type { Clock } from '../clock.ts'
import { beginsLikeText, bodyOf, charsetOf, inUtf8, unreadOf } from '../http/body.ts'
import type { Receive } from '../http/exchange.ts'
import { MAX_EXPLANATION_BYTES, MAX_FILE_DEPTH, MAX_UNPACKED_BYTES } from '../http/limits.ts'
import { UnusableAnswerError, type NetworkAnswer } from '../world.ts'
import { StreamRedactor } from '../secrets/json.ts'
import { beginsLikeJson, mixedRedactorFor, redactorFor, type AnswerRedactor, type SentSecrets } from './redaction.ts'
import { type ApiCall, type CallRedaction, isFailure, writeFile } from './call.ts'
import { routeOf } from './catalogue/find.ts'

export interface ReceivedBody {
  status: number
  /** The size in the headers: a response to HEAD has no body. */
  announcedBytes: number | undefined
  bytes: number
}

/** Streams an answer to a file: a download unchanged, any other without its secrets, nothing of an unreadable error. */
export function receiveInto(
  file: string,
  redaction: CallRedaction,
  clock: Clock,
  onReceived: (received: ReceivedBody) => void,
): Receive {
  return async (answer, onMove) => {
    const kind = kindOf(answer, redaction.call)
    const pieces = redacted(answer, kind, redaction.secrets, onMove)
    const { bytes, unread } = await write(pieces, kind.isError, file, clock)
    redaction.maskFound()
    const length = answer.headers['content-length']
    onReceived({ status: answer.status, announcedBytes: length === undefined ? undefined : Number(length), bytes })
    if (bytes === 0 || bytes > MAX_EXPLANATION_BYTES) return { body: '', unread }
    const text = await clock.during(readFile(file, 'utf8'))
    // The explanation of an error may be JSON, whatever its type says.
    return { body: kind.isError ? redaction.redact(answer.status, text) : text }
  }
}

type Kind = ReturnType<typeof kindOf>

/** `isPromised`: the route or the type of the response says that it is JSON. */
function kindOf({ status, headers }: NetworkAnswer, call: ApiCall) {
  const route = routeOf(call.match)
  const type = headers['content-type']?.trim() ?? ''
  const isError = isFailure(call, status)
  // Raw bytes may look like JSON.
  const isPromised = route === undefined ? type !== '' && JSON_TYPES.test(type) : route.raw !== true
  return { type, isError, isPromised, mayBeJson: isError || isPromised || (route === undefined && type === '') }
}

/** An attempt that breaks off must not replace part of an earlier response. */
async function write(pieces: AsyncIterable<Uint8Array>, isError: boolean, file: string, clock: Clock) {
  const part = `${file}.part`
  let unread: string | undefined
  try {
    const bytes = await writeFile(part, pieces, clock).catch(async (thrown: unknown) => {
      unread = unreadOf(thrown, isError)
      await clock.during(truncate(part))
      return 0
    })
    await clock.during(rename(part, file))
    return { bytes, unread }
  } finally {
    await clock.during(rm(part, { force: true }))
  }
}

async function* redacted(
  answer: NetworkAnswer,
  kind: Kind,
  secrets: SentSecrets,
  onMove: () => void,
): AsyncGenerator<Buffer> {
  const body = bodyOf(answer, Infinity, MAX_UNPACKED_BYTES)
  const charset = (head: Uint8Array): string => (isOfNoText(head, kind) ? 'utf-8' : charsetOf(head, kind.type))
  const text = kind.mayBeJson ? inUtf8(body, charset) : body
  let redactor: AnswerRedactor | undefined
  for await (const piece of fromHead(text, onMove)) {
    const begun = redactor === undefined ? piece.replace(BLANK, '') : piece
    if (begun !== '') redactor ??= redactorOf(begun, kind, secrets)
    yield Buffer.from(redactor?.pass(piece) ?? piece, 'latin1')
    if ((redactor?.deepest ?? 0) > MAX_FILE_DEPTH)
      throw new UnusableAnswerError(`JSON that is nested more than ${MAX_FILE_DEPTH} levels deep`)
  }
  yield Buffer.from(redactor?.end() ?? '', 'latin1')
}

function redactorOf(
  head: string,
  { type, isError, isPromised, mayBeJson }: Kind,
  secrets: SentSecrets,
): AnswerRedactor {
  const isJson = beginsLikeJson(head) && (isError ? JSON_TYPES.test(type) : mayBeJson)
  if (isJson) return redactorFor(secrets, { isError, isJson })
  if (isError) return mixedRedactorFor(secrets, isError)
  if (!isPromised) return new StreamRedactor([], 'text')
  // Compressed JSON without a Content-Encoding would keep its secrets.
  if (!beginsLikeText(Buffer.from(head, 'latin1')))
    throw new UnusableAnswerError('bytes that are no text, in place of JSON')
  if (JSON_IN_STRING.test(head)) throw new UnusableAnswerError('JSON inside a JSON string')
  // JSON inside other text, like the call of a function, is redacted by its structure as well.
  return mixedRedactorFor(secrets, isError)
}

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

/** Blanks in bytes after which a piece is passed on, although the body has not begun. */
const MAX_BLANK_BYTES = 4096
/** A byte order mark and blanks, as bytes. */
const BLANK = /^(?:\u00ef\u00bb\u00bf|\s)+/
/** Bytes after the blanks that tell what a body is. */
const HEAD_BYTES = 64
const JSON_IN_STRING = /^"(?:\s|\\[nrt]|\\u0009|\\u000[ad])*[{[]/i

/** Types of JSON, or no type, as not every server sends one. The first bracket does not decide: Markdown may begin with one. */
const JSON_TYPES = /^(?:[^;]*[/+]json|application\/(?:x-ndjson|jsonl))?\s*(?:;|$)/i

/** Whether a response without a type is no JSON in any character set: then it may be a download. */
function isOfNoText(head: Uint8Array, { type, isError }: Kind): boolean {
  const ascii = Buffer.from(head.filter((byte) => byte > 0 && byte < 0x80)).toString('latin1')
  return type === '' && !isError && !/^\s*(?:[{[]|$)/.test(ascii)
}
