import { open, type FileHandle } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { HttpClient } from '@actions/http-client'
import { toError, type Clock } from '../clock.ts'
import type { ControlPlane } from './control-plane.ts'
import { RefusedError, UnreachableError } from './errors.ts'
import type { UploadTicket } from './model.ts'
import { retryDelay, TEMPORARY } from './retry.ts'
import type { RetryNotice } from './transport.ts'

export interface UploadDoors {
  controlPlane: Pick<ControlPlane, 'createUploadTicket'>
  clock: Clock
  random: () => number
  signal: AbortSignal
  /** Monotonic milliseconds after which nothing is tried again. */
  deadline: number
  maxRetries: number
  /** How long the connection may stand still, in milliseconds: an upload as a whole may take longer than a request. */
  stallTimeoutMs: number
  onRetry: (notice: RetryNotice) => void
}

/** A file to upload, and its size in bytes. */
export interface UploadFile {
  file: string
  bytes: number
}

type PutEnd =
  | { kind: 'stored' }
  | { kind: 'refused'; status: number; cameBack: string }
  | { kind: 'temporary'; cameBack: string; cause: Error | undefined }

/**
 * Uploads a source archive and gives the path under which the control plane knows it (contract notes,
 * `POST /deployments/{id}/upload-url`). Every try gets an address of its own, as a signed one expires. None of the
 * control plane's credentials go there, and no redirect is followed.
 * @throws RefusedError when the store refuses for good, UnreachableError when retries did not help
 */
export async function uploadSource(
  deploymentId: string,
  source: UploadFile,
  doors: UploadDoors,
): Promise<string> {
  const attempted = `upload the source (${megabytes(source.bytes)}) of the deployment ${deploymentId}`
  let failures = 0
  let refusals = 0
  for (;;) {
    const ticket = await doors.controlPlane.createUploadTicket(deploymentId)
    const end = await put(ticket, source, doors)
    if (end.kind === 'stored') return ticket.objectPath
    const cameBack = `PUT ${ticket.url.host}${ticket.url.pathname}: ${end.cameBack}`
    const isTemporary = end.kind === 'temporary'
    // An address that has expired says nothing about the network: it has a count of its own.
    const before = isTemporary ? failures++ : refusals++
    const delayMs = retryDelay(before, undefined, doors.random)
    const isLast = before >= (isTemporary ? doors.maxRetries : freshAddresses(end.status))
    if (isLast || doors.clock.now() + delayMs >= doors.deadline) {
      if (isTemporary)
        throw new UnreachableError({ attempted, cameBack, hint: RUN_AGAIN }, undefined, { cause: end.cause })
      throw new RefusedError(end.status, end.cameBack, {
        attempted,
        cameBack,
        hint: hintOf(end.status, isLast),
      })
    }
    doors.onRetry({ attempted, cameBack, delayMs })
    await doors.clock.sleep(delayMs, doors.signal)
  }
}

const RUN_AGAIN = 'Check the network and the proxy settings, then run the job again.'

/** How many are asked for after such a refusal: one that is refused however fresh it is has not expired. */
function freshAddresses(status: number): number {
  return isExpired(status) ? 2 : 0
}

function isExpired(status: number): boolean {
  return status === 401 || status === 403 || status === 410
}

function hintOf(status: number, isLast: boolean): string {
  if (isExpired(status)) {
    return isLast
      ? 'A fresh address was refused as well: ask those who run the control plane to look at its object store.'
      : 'The signed address may have expired, and no time is left to ask for a fresh one: run the job again, with a longer timeout.'
  }
  if (status === 413) return 'Leave out what the build does not need, by .gitignore or .dockerignore.'
  return 'Ask those who run the control plane to look at its object store.'
}

/** Sends the file once. */
async function put(ticket: UploadTicket, source: UploadFile, doors: UploadDoors): Promise<PutEnd> {
  doors.signal.throwIfAborted()
  // The contract's headers first: what the store itself asks for has the last word, but for the length.
  const headers = {
    'content-type': 'application/gzip',
    'user-agent': 'deployment-rollout',
    ...lowerCased(ticket.headers),
    'content-length': String(source.bytes),
  }
  const client = new HttpClient(undefined, [], { keepAlive: false })
  const untilDeadline = AbortSignal.timeout(Math.max(1, Math.ceil(doors.deadline - doors.clock.now())))
  const signal = AbortSignal.any([doors.signal, untilDeadline])
  try {
    const request = (ticket.url.protocol === 'https:' ? https : http).request(ticket.url, {
      method: 'PUT',
      headers,
      agent: client.getAgent(ticket.url.href),
      signal,
      timeout: doors.stallTimeoutMs,
    })
    const status = await exchangeFile(request, source.file, doors.stallTimeoutMs)
    if (status >= 200 && status < 300) return { kind: 'stored' }
    const cameBack = `HTTP ${status}`
    if (TEMPORARY.has(status)) return { kind: 'temporary', cameBack, cause: undefined }
    return { kind: 'refused', status, cameBack }
  } catch (thrown) {
    doors.signal.throwIfAborted()
    const cause = toError(thrown)
    const why = untilDeadline.aborted ? 'the time for the whole run is over' : cause.message
    return { kind: 'temporary', cameBack: `the upload broke off (${why})`, cause }
  }
}

/** Of the file; what is read anew for each of them is collected so late that it shows. */
const PIECE = 64 * 1024

/** Streams the file out and waits for the answer's status; an early answer counts, whatever becomes of the rest. */
async function exchangeFile(
  request: http.ClientRequest,
  file: string,
  stallTimeoutMs: number,
): Promise<number> {
  await using handle = await open(file)
  try {
    return await new Promise<number>((resolve, reject) => {
      request.on('response', (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('timeout', () => {
        reject(new Error(`nothing moved for ${Math.round(stallTimeoutMs / 1000)} s`))
      })
      request.on('error', reject)
      sendFile(handle, request).catch(reject)
    })
  } finally {
    request.destroy()
  }
}

/** Piece by piece, each into the memory of the one before, once that is through. */
async function sendFile(handle: FileHandle, request: http.ClientRequest): Promise<void> {
  const piece = Buffer.allocUnsafeSlow(PIECE)
  for (;;) {
    const { bytesRead } = await handle.read(piece, 0, PIECE)
    if (bytesRead === 0) break
    await new Promise<void>((resolve, reject) => {
      request.write(piece.subarray(0, bytesRead), (error) => {
        if (error) reject(error)
        else resolve()
      })
    })
  }
  request.end()
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
