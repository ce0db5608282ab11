import { createWriteStream } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Receive } from '../control-plane/exchange.ts'
import { HiddenValues } from './hidden-values.ts'
import { KnownSecrets } from './known-secrets.ts'

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
  /** Texts that must not get into the file. */
  secrets: readonly string[]
  /** Told of what an answer carries that must be masked, before anything of it is shown. */
  mask: (values: string[]) => void
  onReceived: (received: ReceivedBody) => void
}

/** So much of an answer may explain an error, in bytes. */
const MAX_EXPLANATION = 256 * 1024

/** Streams an answer of any length to a file, without the secrets in it. */
export function receiveInto({ file, secrets, mask, onReceived }: ReceiveOptions): Receive {
  return async (message, onMove) => {
    const hidden = new HiddenValues()
    let isJson: boolean | undefined
    const known = new KnownSecrets(secrets)
    let bytes = 0
    const clean = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        onMove()
        const piece = Buffer.from(chunk).toString('latin1')
        isJson ??= looksLikeJson(message, piece)
        const out = Buffer.from(known.pass(isJson === true ? hidden.pass(piece) : piece), 'latin1')
        bytes += out.length
        yield out
      }
      const rest = Buffer.from(known.pass(hidden.end()) + known.end(), 'latin1')
      bytes += rest.length
      yield rest
    }
    // A try that breaks off must not leave its half in the place of an answer that came before.
    const part = `${file}.part`
    try {
      await pipeline(message, clean, createWriteStream(part, { mode: 0o600 }))
      await rename(part, file)
    } finally {
      await rm(part, { force: true })
    }
    mask([...hidden.found.secrets, ...hidden.found.keys])
    const status = message.statusCode ?? 0
    onReceived({ status, announcedBytes: announcedBytes(message), bytes })
    return bytes <= MAX_EXPLANATION ? await readFile(file, 'utf8') : ''
  }
}

/**
 * By how it begins, as not every server says what it sends; nothing as long as only blanks have come. What says that it
 * is something else, like an image, is not looked into.
 */
function looksLikeJson({ headers }: IncomingMessage, piece: string): boolean | undefined {
  const type = headers['content-type'] ?? ''
  if (!/^$|^text\/|[/+]json\b/i.test(type)) return false
  const first = piece
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .charAt(0)
  return first === '' ? undefined : first === '{' || first === '['
}

function announcedBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}
