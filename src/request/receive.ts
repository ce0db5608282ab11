import { createWriteStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Receive } from '../control-plane/api-request.ts'
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
  /** The route returns raw bytes, which may look like JSON. */
  isRaw: boolean
  /** Masks secrets in the response before any of it is shown. */
  mask: (values: readonly string[]) => void
  onReceived: (received: ReceivedBody) => void
}

/** The largest response that explains an error, in bytes. */
const MAX_EXPLANATION = 256 * 1024

/** Streams a response of any length to a file: a download unchanged, any other without its secrets. */
export function receiveInto({ file, secrets, isRaw, mask, onReceived }: ReceiveOptions): Receive {
  return async (message, onMove) => {
    const status = message.statusCode ?? 0
    const isError = status >= 400
    let redactor: Redactor | undefined
    const choose = (piece: string): Redactor => {
      const isJson = (isError || !isRaw) && looksLikeJson(message, piece)
      return isError || isJson ? createRedactor(secrets, { isError, isJson }) : new StreamRedactor([], 'text')
    }
    const redact = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        onMove()
        const piece = Buffer.from(chunk).toString('latin1')
        if (piece.trim() !== '') redactor ??= choose(piece)
        yield Buffer.from(redactor?.pass(piece) ?? piece, 'latin1')
      }
      yield Buffer.from(redactor?.end() ?? '', 'latin1')
    }
    // An attempt that breaks off must not replace part of an earlier response.
    const part = `${file}.part`
    const out = createWriteStream(part, { mode: 0o600 })
    try {
      await pipeline(message, redact, out)
      await rename(part, file)
    } finally {
      await rm(part, { force: true })
    }
    mask(redactor?.found ?? [])
    const length = message.headers['content-length']
    const announcedBytes = length === undefined ? undefined : Number(length)
    onReceived({ status, announcedBytes, bytes: out.bytesWritten })
    if (out.bytesWritten > MAX_EXPLANATION) return ''
    const text = await readFile(file, 'utf8')
    if (!isError) return text
    // The explanation of an error may be JSON, whatever its type says.
    const shown = redactText(text, secrets, isError)
    mask(shown.found)
    return shown.text
  }
}

const JSON_TYPES = /^(?:[^;]*[/+]json|application\/(?:x-ndjson|jsonl))?\s*(?:;|$)/i

/**
 * Whether the type is JSON's or missing, and the first piece begins like JSON: not every server sends a type. Another type
 * counts as it is: Markdown, too, may begin with a bracket.
 */
function looksLikeJson({ headers }: IncomingMessage, piece: string): boolean {
  const type = headers['content-type'] ?? ''
  return JSON_TYPES.test(type.trim()) && beginsLikeJson(piece.replace(/^\u00ef\u00bb\u00bf/, ''))
}
