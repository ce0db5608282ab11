import type { Clock } from '../clock.ts'
import { textContent, type Content } from '../http/exchange.ts'
import { openRegularFile, piecesOf } from '../files.ts'
import { newId } from '../world.ts'
import type { CallBody } from './call.ts'

type FileBody = Extract<CallBody, { kind: 'file' }>

interface ContentWorld {
  clock: Clock
  random: () => number
}

export function contentOf(body: CallBody | undefined, world: ContentWorld): Content | undefined {
  switch (body?.kind) {
    case undefined:
      return undefined
    case 'json':
      return textContent('application/json', body.text)
    case 'text':
      return textContent('text/plain; charset=utf-8', body.text)
    case 'file':
      return body.multipart
        ? multipartContent(body, world)
        : { type: 'application/octet-stream', bytes: body.bytes, open: () => contentOfFile(body, world) }
  }
}

/** One part named `file` (RFC 7578). */
function multipartContent(body: FileBody, world: ContentWorld): Content {
  const boundary = `rollout-${newId(world.random)}`
  const name = body.name.replace(/["\\\r\n]/g, '_')
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    yield head
    yield* contentOfFile(body, world)
    yield tail
  }
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + body.bytes + tail.length,
    open: parts,
  }
}

/** Yields exactly the announced number of bytes: with fewer, the server would wait for the rest. */
async function* contentOfFile({ file, bytes }: FileBody, { clock }: ContentWorld): AsyncGenerator<Uint8Array> {
  await using handle = await clock.during(openRegularFile(file))
  let sent = 0
  for await (const piece of piecesOf(handle, clock)) {
    sent += piece.length
    if (sent > bytes) break
    yield piece
  }
  if (sent !== bytes) throw new Error('its size has changed since it was checked')
}
