import { createReadStream } from 'node:fs'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import { textContent, type Content } from '../control-plane/api-request.ts'
import type { CallBody } from './api-call.ts'

/** Returns the content that is sent. A file is streamed. */
export function contentOf(body: CallBody | undefined): Content | undefined {
  switch (body?.kind) {
    case undefined:
      return undefined
    case 'json':
      return textContent('application/json', body.text)
    case 'text':
      return textContent('text/plain; charset=utf-8', body.text)
    case 'file': {
      const { file, bytes, multipart } = body
      if (multipart) return multipartContent(file, bytes)
      return { type: 'application/octet-stream', bytes, open: () => createReadStream(file) }
    }
  }
}

/** One part named `file` (RFC 7578). */
function multipartContent(file: string, bytes: number): Content {
  const boundary = `rollout-${randomUUID()}`
  const name = path.basename(file).replace(/["\\\r\n]/g, '_')
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const parts = async function* (): AsyncGenerator {
    yield head
    yield* createReadStream(file)
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + bytes + tail.length,
    open: () => Readable.from(parts(), { objectMode: false }),
  }
}
