import { open } from 'node:fs/promises'
import { piecesOf } from '../files.ts'
import { exchange } from '../http/exchange.ts'
import { isSuccess } from './api-request.ts'
import type { ControlPlane } from './client.ts'
import { RefusedError, UnreachableError } from './errors.ts'
import type { UploadTicket } from './model.ts'
import { pauseToRepeat, TEMPORARY, type Sending } from './transport.ts'

export interface UploadDependencies extends Sending {
  controlPlane: ControlPlane
}

interface UploadFile {
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
/** New addresses to request after such a status: if those are refused as well, none had expired. */
const NEW_ADDRESSES = 2

/**
 * Uploads a source archive and returns the path by which the control plane knows it (contract notes,
 * `POST /deployments/{id}/upload-url`). Each attempt requests its own address, as a signed one expires. It sends no
 * credentials of the control plane and follows no redirect.
 * @throws RefusedError when the object store refuses the file, UnreachableError when retries did not help, Error for a
 * file that cannot be read, and what the request for an address throws
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
    const end = await put(ticket, source, attempted, deps)
    if (end.kind === 'stored') return ticket.objectPath
    const cameBack = `PUT ${ticket.url.host}${ticket.url.pathname}: ${end.cameBack}`
    const before = end.kind === 'temporary' ? failures++ : refusals++
    const maxRetries = { temporary: deps.maxRetries, expired: NEW_ADDRESSES, refused: 0 }[end.kind]
    const trouble = { attempted, cameBack, hint: hintOf(end, before >= maxRetries) }
    if (await pauseToRepeat({ trouble }, before, { ...deps, maxRetries })) continue
    if (end.kind === 'temporary') throw new UnreachableError(trouble, { cause: end.cause })
    throw new RefusedError(end.status, end.cameBack, trouble)
  }
}

function hintOf(end: Exclude<PutEnd, { kind: 'stored' }>, isLast: boolean): string {
  if (end.kind === 'temporary')
    return end.cause === undefined
      ? 'The object store has a problem: rerun the job later.'
      : 'Check the network and the proxy settings, then rerun the job.'
  if (end.kind === 'expired')
    return isLast
      ? 'A new address was refused as well: ask the operator of the control plane to check its object store.'
      : 'The signed address may have expired, and no time is left to request a new one: rerun the job with a longer timeout.'
  return end.status === 413
    ? 'Exclude the files that the build does not need by .gitignore or .dockerignore.'
    : 'Ask the operator of the control plane to check its object store.'
}

/** Streams the file. An early response ends the upload. */
async function put(
  ticket: UploadTicket,
  { file, bytes }: UploadFile,
  attempted: string,
  deps: UploadDependencies,
): Promise<PutEnd> {
  const { clock, signal, requestTimeoutMs, deadline } = deps
  signal.throwIfAborted()
  // The case of names does not count: the headers of the ticket override the contract's, except the length.
  const ticketHeaders = Object.entries(ticket.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const { 'content-type': type = 'application/gzip', ...headers } = Object.fromEntries(ticketHeaders)
  const attempt = await exchange(
    {
      method: 'PUT',
      url: ticket.url,
      headers: { 'user-agent': 'deployment-rollout', ...headers },
      content: { type, bytes, open: () => piecesOf(async () => await open(file), clock) },
      receive: async () => await Promise.resolve({ body: '' }),
      timeoutMs: requestTimeoutMs,
      limitMs: Math.max(1, Math.ceil(deadline - clock.now())),
      signal,
      attempted,
    },
    deps,
  )
  signal.throwIfAborted()
  if (attempt.kind === 'failure') {
    const { cause, isTimeout } = attempt
    const stalled = isTimeout ? `no progress for ${Math.round(requestTimeoutMs / 1000)} s` : cause.message
    const why = isTimeout && clock.now() >= deadline ? 'the deadline passed' : stalled
    return { kind: 'temporary', cameBack: `the upload broke off (${why})`, cause }
  }
  const { status } = attempt
  if (isSuccess(status)) return { kind: 'stored' }
  const cameBack = `HTTP ${status}`
  if (TEMPORARY.has(status)) return { kind: 'temporary', cameBack, cause: undefined }
  return { kind: EXPIRED.has(status) ? 'expired' : 'refused', status, cameBack }
}
