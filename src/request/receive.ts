import { createWriteStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Receive } from '../control-plane/exchange.ts'
import { beginsLikeJson, cleanerOf, cleanText, type Cleaner, type GivenSecrets } from './redaction.ts'

/** An answer whose body is in a file. */
export interface ReceivedBody {
  status: number
  /** As the answer tells them: of a HEAD nothing comes. */
  announcedBytes: number | undefined
  /** In the file. */
  bytes: number
}

export interface ReceiveOptions {
  file: string
  secrets: GivenSecrets
  /** The route gives raw bytes, whatever they look like. */
  isRaw: boolean
  /** Told of what an answer carries that must be masked, before anything of it is shown. */
  mask: (values: string[]) => void
  onReceived: (received: ReceivedBody) => void
}

/** So much of an answer may explain an error, in bytes. */
const MAX_EXPLANATION = 256 * 1024

/** Streams an answer of any length to a file: a download as it is, anything else without the secrets in it. */
export function receiveInto({ file, secrets, isRaw, mask, onReceived }: ReceiveOptions): Receive {
  return async (message, onMove) => {
    const status = message.statusCode ?? 0
    const isError = status >= 400
    let cleaner: Cleaner | undefined
    let bytes = 0
    const counted = (piece: string): Buffer => {
      const out = Buffer.from(piece, 'latin1')
      bytes += out.length
      return out
    }
    const clean = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        onMove()
        const piece = Buffer.from(chunk).toString('latin1')
        if (piece.trim() !== '' && cleaner === undefined) {
          const isJson = (isError || !isRaw) && looksLikeJson(message, piece)
          cleaner = isError || isJson ? cleanerOf(secrets, { isError, isJson }) : AS_IT_IS
        }
        yield counted(cleaner?.pass(piece) ?? piece)
      }
      yield counted(cleaner?.end() ?? '')
    }
    // A try that breaks off must not leave its half in the place of an answer that came before.
    const part = `${file}.part`
    try {
      await pipeline(message, clean, createWriteStream(part, { mode: 0o600 }))
      await rename(part, file)
    } finally {
      await rm(part, { force: true })
    }
    mask([...(cleaner?.found.secrets ?? []), ...(cleaner?.found.keys ?? [])])
    onReceived({ status, announcedBytes: announcedBytes(message), bytes })
    if (bytes > MAX_EXPLANATION) return ''
    const text = await readFile(file, 'utf8')
    if (!isError) return text
    // What is shown of an error may be JSON, whatever its type says.
    const shown = cleanText(text, secrets, isError)
    mask([...shown.found.secrets, ...shown.found.keys])
    return shown.text
  }
}

const AS_IT_IS: Cleaner = { pass: (piece) => piece, end: () => '', found: { secrets: [], keys: [] } }

const JSON_TYPES = /^(?:[^;]*[/+]json|application\/(?:x-ndjson|jsonl))?\s*(?:;|$)/i

/**
 * By its type and by how it begins, as not every server says what it sends. What says that it is something else is not
 * looked into: of Markdown, too, many a text begins with a bracket.
 */
function looksLikeJson({ headers }: IncomingMessage, piece: string): boolean {
  const type = headers['content-type'] ?? ''
  return JSON_TYPES.test(type.trim()) && beginsLikeJson(piece.replace(/^\u00ef\u00bb\u00bf/, ''))
}

function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
