import { Readable } from 'node:stream'
import { textContent, type Content } from '../control-plane/api-request.ts'
import { openRegularFile } from '../regular-file.ts'
import type { CallBody } from './api-call.ts'

type FileBody = Extract<CallBody, { kind: 'file' }>

/** Returns the content that is sent. A file is streamed. */
export function contentOf(body: CallBody | undefined): Content | undefined {
  switch (body?.kind) {
    case undefined:
      return undefined
    case 'json':
      return textContent('application/json', body.text)
    case 'text':
      return textContent('text/plain; charset=utf-8', body.text)
    case 'file':
      return body.multipart
        ? multipartContent(body)
        : { type: 'application/octet-stream', bytes: body.bytes, open: () => streamOf(piecesOf(body)) }
  }
}

/** One part named `file` (RFC 7578). */
function multipartContent(body: FileBody): Content {
  const boundary = `rollout-${process.getBuiltinModule('node:crypto').randomUUID()}`
  const name = body.name.replace(/["\\\r\n]/g, '_')
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const parts = async function* (): AsyncGenerator<Buffer> {
    yield head
    yield* piecesOf(body)
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + body.bytes + tail.length,
    open: () => streamOf(parts()),
  }
}

function streamOf(pieces: AsyncGenerator<Buffer>): Readable {
  return Readable.from(pieces, { objectMode: false })
}

/** Yields exactly the announced number of bytes: with fewer, the server would wait for the rest. */
async function* piecesOf({ file, bytes }: FileBody): AsyncGenerator<Buffer> {
  await using handle = await openRegularFile(file)
  let sent = 0
  for await (const chunk of handle.createReadStream({ autoClose: false })) {
    const piece = Buffer.from(chunk)
    sent += piece.length
    if (sent > bytes) break
    yield piece
  }
  if (sent !== bytes) throw new Error('its size has changed since it was checked')
}
