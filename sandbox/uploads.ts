import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { refuse } from './answers.ts'
import { CREDENTIAL_HEADERS } from './credentials.ts'
import type { RequestUpload } from './schemas.ts'
import type { uploadUrlShape } from './shapes.ts'

/** The upload address. To a client it is another service, so it is not below the path prefix. */
export const UPLOAD_PATTERN = '/object-store/{upload_id}'

type UploadUrl = z.infer<typeof uploadUrlShape> & { headers?: Readonly<Record<string, string>> }

const VALID_FOR_MS = 15 * 60_000

export interface Upload {
  deploymentId: string
  objectPath: string
  signature: string
  expiresAt: number
  /** The headers that the signature covers besides the content type. Names in lower case. */
  signed: Readonly<Record<string, string>>
  /** The received data; undefined before the upload. */
  received: { bytes: number; sha256: string } | undefined
}

/** What a signature covers, and what of it the client learns. */
interface Ticket {
  signed?: Readonly<Record<string, string>>
  /** The `headers` of the answer. */
  headers?: Readonly<Record<string, string>>
}

const SIZE_RANGE = '0,209715200'

/**
 * The public service signs for a range of sizes, and expects its clients to know that. To a client that can send the
 * headers of the answer it gives them.
 */
export function publicTicket(request: RequestUpload, newId: () => string): Ticket {
  if (request?.supports_upload_headers !== true) return { signed: { 'x-goog-content-length-range': SIZE_RANGE } }
  const ticket = newId()
  return {
    signed: { 'x-goog-meta-ticket': ticket },
    headers: { 'Content-Type': 'application/gzip', 'X-Goog-Meta-Ticket': ticket },
  }
}

/** Signed addresses for the sources of internal_source deployments, and the received uploads. */
export class Uploads {
  readonly #uploads = new Map<string, Upload>()
  readonly #now: () => number
  readonly #onUpload: ((archive: Buffer) => void) | undefined
  readonly newId: () => string

  /** @param onUpload takes each upload, which is then in memory as a whole */
  constructor(now: () => number, newId: () => string, onUpload?: (archive: Buffer) => void) {
    this.#now = now
    this.#onUpload = onUpload
    this.newId = newId
  }

  issue(deploymentId: string, origin: string, { signed = {}, headers }: Ticket = {}): UploadUrl {
    const id = this.newId()
    const signature = this.newId().replaceAll('-', '')
    const objectPath = `deployments/${deploymentId}/${id}.tar.gz`
    const expiresAt = this.#now() + VALID_FOR_MS
    this.#uploads.set(id, { deploymentId, objectPath, signature, expiresAt, signed, received: undefined })
    const path = UPLOAD_PATTERN.replace('{upload_id}', id)
    const issued = { upload_url: `${origin}${path}?signature=${signature}`, object_path: objectPath }
    return headers === undefined ? issued : { ...issued, headers }
  }

  all(): Upload[] {
    return [...this.#uploads.values()]
  }

  /** The upload that a deployment got this path for. */
  find(deploymentId: string, objectPath: string): Upload | undefined {
    return [...this.#uploads.values()].find(
      (upload) => upload.deploymentId === deploymentId && upload.objectPath === objectPath,
    )
  }

  /** Receives an upload at a signed address. Measures and hashes the stream, in memory only for `onUpload`. */
  async receive(id: string, request: Request): Promise<void> {
    const leaked = CREDENTIAL_HEADERS.filter((name) => request.headers.has(name))
    if (leaked.length > 0) {
      throw refuse(
        400,
        `CREDENTIALS LEAKED: ${leaked.join(', ')} in a request to the upload address. Send no credentials here.`,
      )
    }
    const upload = this.#uploads.get(id)
    const signature = new URL(request.url).searchParams.get('signature')
    if (upload === undefined || upload.signature !== signature) throw refuse(403, 'The signature does not match.')
    if (this.#now() > upload.expiresAt) throw refuse(403, 'The signed address has expired.')
    if (request.headers.get('content-type') !== 'application/gzip')
      throw refuse(403, 'The signature is for Content-Type: application/gzip.')
    for (const [name, value] of Object.entries(upload.signed))
      if (request.headers.get(name) !== value) throw refuse(403, `The signature is for ${name}: ${value}.`)
    const kept: Uint8Array[] | undefined = this.#onUpload === undefined ? undefined : []
    upload.received = await measure(request.body, kept)
    if (kept !== undefined) this.#onUpload?.(Buffer.concat(kept))
  }
}

async function measure(
  body: ReadableStream<Uint8Array> | null,
  kept: Uint8Array[] | undefined,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    hash.update(chunk)
    kept?.push(chunk)
  }
  return { bytes, sha256: hash.digest('hex') }
}
