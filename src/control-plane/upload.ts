import { open, type FileHandle } from 'node:fs/promises'
import type http from 'node:http'
import { toError } from '../clock.ts'
import { openAgents } from '../http/agents.ts'
import { answerTo, openRequest } from '../http/send.ts'
import type { ControlPlane } from './control-plane.ts'
import { RefusedError, UnreachableError, type ControlPlaneError, type Trouble } from './errors.ts'
import type { UploadTicket } from './model.ts'
import { retryDelay, TEMPORARY } from './retry.ts'
import type { TransportOptions } from './transport.ts'

export interface UploadDependencies extends Pick<
  TransportOptions,
  'clock' | 'random' | 'signal' | 'deadline' | 'maxRetries' | 'onRetry'
> {
  controlPlane: Pick<ControlPlane, 'createUploadTicket'>
  /** The longest time without progress, in milliseconds: an upload may take longer than a request. */
  stallTimeoutMs: number
}

/** A file to upload, and its size in bytes. */
export interface UploadFile {
  file: string
  bytes: number
}

type PutEnd =
  | { kind: 'stored' }
  /** `expired`: the signed address may have expired. */
  | { kind: 'expired' | 'refused'; status: number; cameBack: string }
  /** `cause`: undefined if the object store answered. */
  | { kind: 'temporary'; cameBack: string; cause: Error | undefined }

/** The statuses of an expired address. */
const EXPIRED = new Set([401, 403, 410])
/** New addresses to request after such a refusal: if those are refused as well, none had expired. */
const NEW_ADDRESSES = 2

/**
 * Uploads a source archive and returns the path by which the control plane knows it (contract notes,
 * `POST /deployments/{id}/upload-url`). Each attempt requests its own address, as a signed one expires. It sends no
 * credentials of the control plane and follows no redirect.
 * @throws RefusedError when the object store refuses the file, UnreachableError when retries did not help, and what
 * the request for an address throws
 */
export async function uploadSource(
  deploymentId: string,
  source: UploadFile,
  deps: UploadDependencies,
): Promise<string> {
  const megabytes = (source.bytes / 1024 / 1024).toFixed(1)
  const attempted = `upload the source (${megabytes} MB) of the deployment ${deploymentId}`
  // An expired address is no network error, so it is counted apart.
  let failures = 0
  let refusals = 0
  for (;;) {
    const ticket = await deps.controlPlane.createUploadTicket(deploymentId)
    const end = await put(ticket, source, deps)
    if (end.kind === 'stored') return ticket.objectPath
    const cameBack = `PUT ${ticket.url.host}${ticket.url.pathname}: ${end.cameBack}`
    const before = end.kind === 'temporary' ? failures++ : refusals++
    const isLast = before >= { temporary: deps.maxRetries, expired: NEW_ADDRESSES, refused: 0 }[end.kind]
    const delayMs = retryDelay(before, undefined, deps.random)
    if (isLast || deps.clock.now() + delayMs >= deps.deadline)
      throw failedUpload(end, { attempted, cameBack, hint: hintOf(end, isLast) })
    deps.onRetry({ attempted, cameBack, delayMs })
    await deps.clock.sleep(delayMs, deps.signal)
  }
}

type FailedPut = Exclude<PutEnd, { kind: 'stored' }>

function failedUpload(end: FailedPut, trouble: Trouble): ControlPlaneError {
  return end.kind === 'temporary'
    ? new UnreachableError(trouble, undefined, { cause: end.cause })
    : new RefusedError(end.status, end.cameBack, trouble)
}

function hintOf(end: FailedPut, isLast: boolean): string {
  if (end.kind === 'temporary')
    return end.cause === undefined
      ? 'The object store has a problem: rerun the job later.'
      : 'Check the network and the proxy settings, then rerun the job.'
  if (end.kind === 'expired' && isLast)
    return 'A new address was refused as well: ask the operator of the control plane to check its object store.'
  if (end.kind === 'expired')
    return 'The signed address may have expired, and no time is left to request a new one: rerun the job with a longer timeout.'
  return end.status === 413
    ? 'Exclude the files that the build does not need by .gitignore or .dockerignore.'
    : 'Ask the operator of the control plane to check its object store.'
}

/** Sends the file once. */
async function put(ticket: UploadTicket, source: UploadFile, deps: UploadDependencies): Promise<PutEnd> {
  deps.signal.throwIfAborted()
  const untilDeadline = AbortSignal.timeout(Math.max(1, Math.ceil(deps.deadline - deps.clock.now())))
  try {
    const signal = AbortSignal.any([deps.signal, untilDeadline])
    const request = openRequest(ticket.url, {
      method: 'PUT',
      // Node ignores the case of names: the headers of the ticket override the contract's, except the length.
      headers: {
        'content-type': 'application/gzip',
        'user-agent': 'deployment-rollout',
        ...ticket.headers,
        'content-length': String(source.bytes),
      },
      agent: await openAgents({ keepAlive: false })(ticket.url),
      signal,
      timeout: deps.stallTimeoutMs,
    })
    const status = await exchangeFile(request, source.file, deps.stallTimeoutMs, signal)
    if (status >= 200 && status < 300) return { kind: 'stored' }
    const cameBack = `HTTP ${status}`
    if (TEMPORARY.has(status)) return { kind: 'temporary', cameBack, cause: undefined }
    return { kind: EXPIRED.has(status) ? 'expired' : 'refused', status, cameBack }
  } catch (thrown) {
    deps.signal.throwIfAborted()
    const cause = toError(thrown)
    const why = untilDeadline.aborted ? 'the deadline passed' : cause.message
    return { kind: 'temporary', cameBack: `the upload broke off (${why})`, cause }
  }
}

/** In bytes. One buffer serves all chunks: new ones would raise the peak of memory. */
const CHUNK = 64 * 1024

/** Streams the file and returns the response's status. An early response ends the upload. */
async function exchangeFile(
  request: http.ClientRequest,
  file: string,
  stallTimeoutMs: number,
  signal: AbortSignal,
): Promise<number> {
  await using handle = await open(file)
  try {
    const stalled = `no progress for ${Math.round(stallTimeoutMs / 1000)} s`
    request.on('timeout', () => request.destroy(new Error(stalled)))
    sendFile(handle, request).catch((thrown: unknown) => request.destroy(toError(thrown)))
    const { statusCode = 0 } = await answerTo(request, signal)
    return statusCode
  } finally {
    request.destroy()
  }
}

/** Sends the file in chunks: reads each into the same buffer when the one before is sent. */
async function sendFile(handle: FileHandle, request: http.ClientRequest): Promise<void> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK)
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK)
    if (bytesRead === 0) break
    await new Promise<void>((resolve, reject) => {
      request.write(chunk.subarray(0, bytesRead), (error) => (error ? reject(error) : resolve()))
    })
  }
  request.end()
}
