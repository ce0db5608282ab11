import { bufferToFormData } from 'hono/utils/buffer'
import { MAX_FILE_BYTES } from './agentws/files.ts'
import { Refusal, refuse } from './answers.ts'

/** Space for boundaries and headers of the parts, in bytes. */
const MOST_AROUND_IT = 64 * 1024

/**
 * Reads the one file of a multipart/form-data body. One that is too large is read to its end, so that the client gets the
 * response, but it is not kept.
 */
export async function readUpload(request: Request, maxBytes = MAX_FILE_BYTES): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const body: AsyncIterable<Uint8Array> | [] = request.body ?? []
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size <= maxBytes + MOST_AROUND_IT) chunks.push(chunk)
  }
  if (size > maxBytes + MOST_AROUND_IT) throw tooLarge()
  const file = await fileIn(joined(chunks, size), request.headers.get('content-type') ?? '')
  if (file.byteLength > maxBytes) throw tooLarge()
  return file
}

function joined(chunks: readonly Uint8Array[], size: number): ArrayBuffer {
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole.buffer
}

async function fileIn(body: ArrayBuffer, type: string): Promise<Uint8Array> {
  try {
    const form = await bufferToFormData(body, type)
    for (const part of form.values()) if (typeof part !== 'string') return new Uint8Array(await part.arrayBuffer())
  } catch {
    // Not multipart/form-data, or cut.
  }
  const problem = { loc: ['body', 'file'], msg: 'Field required', type: 'missing' }
  throw new Refusal(422, [{ ...problem, input: null }])
}

function tooLarge(): Refusal {
  return refuse(413, 'The file is larger than 100 megabytes.')
}
