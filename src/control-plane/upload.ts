import { open } from 'node:fs/promises'
import { limitTo, toError, type Clock, type Limit } from '../clock.ts'
import { piecesOf } from '../files.ts'
import { isSuccess } from './api-request.ts'
import type { ControlPlane } from './client.ts'
import { RefusedError, UnreachableError } from './errors.ts'
import type { UploadTicket } from './model.ts'
import { retryDelay, TEMPORARY, type RetryNotice } from './transport.ts'
import type { Network } from '../world.ts'

export interface UploadDependencies {
  controlPlane: ControlPlane
  network: Network
  clock: Clock
  random: () => number
  signal: AbortSignal
  /** Monotonic milliseconds of the clock. */
  deadline: number
  maxRetries: number
  onRetry: (notice: RetryNotice) => void
  /** The longest time without progress, in milliseconds: an upload may take longer than a request. */
  stallTimeoutMs: number
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
    if (isLast || deps.clock.now() + delayMs >= deps.deadline) {
      const trouble = { attempted, cameBack, hint: hintOf(end, isLast) }
      if (end.kind === 'temporary') throw new UnreachableError(trouble, { cause: end.cause })
      throw new RefusedError(end.status, end.cameBack, trouble)
    }
    deps.onRetry({ attempted, cameBack, delayMs })
    await deps.clock.sleep(delayMs, deps.signal)
  }
}

function hintOf(end: Exclude<PutEnd, { kind: 'stored' }>, isLast: boolean): string {
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

async function put(ticket: UploadTicket, source: UploadFile, deps: UploadDependencies): Promise<PutEnd> {
  deps.signal.throwIfAborted()
  using deadline = limitTo(deps.clock, Math.max(1, Math.ceil(deps.deadline - deps.clock.now())), deps.signal)
  using stall = limitTo(deps.clock, deps.stallTimeoutMs, deadline.signal)
  try {
    const status = await exchangeFile(ticket, source, stall, deps)
    if (isSuccess(status)) return { kind: 'stored' }
    const cameBack = `HTTP ${status}`
    if (TEMPORARY.has(status)) return { kind: 'temporary', cameBack, cause: undefined }
    return { kind: EXPIRED.has(status) ? 'expired' : 'refused', status, cameBack }
  } catch (thrown) {
    deps.signal.throwIfAborted()
    const cause = toError(thrown)
    const stalled = stall.isReached() ? `no progress for ${Math.round(deps.stallTimeoutMs / 1000)} s` : cause.message
    const why = deadline.isReached() ? 'the deadline passed' : stalled
    return { kind: 'temporary', cameBack: `the upload broke off (${why})`, cause }
  }
}

/** Streams the file and returns the response's status. An early response ends the upload. */
async function exchangeFile(
  { url, headers }: UploadTicket,
  { file, bytes }: UploadFile,
  stall: Limit,
  { network, clock }: UploadDependencies,
): Promise<number> {
  await using handle = await clock.during(open(file))
  const answer = await network.send({
    method: 'PUT',
    url,
    // The case of names does not count: the headers of the ticket override the contract's, except the length.
    headers: {
      'content-type': 'application/gzip',
      'user-agent': 'deployment-rollout',
      ...headers,
      'content-length': String(bytes),
    },
    body: piecesOf(handle, clock, stall.extend),
    signal: stall.signal,
  })
  answer.close()
  return answer.status
}
