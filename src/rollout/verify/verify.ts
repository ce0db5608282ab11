import { ifReadable } from '../../control-plane/errors.ts'
import { addressOf } from '../../control-plane/model.ts'
import type { ProbeResult } from '../../control-plane/probe.ts'
import { pauseBefore } from '../../http/retry.ts'
import { type Run, withTime } from '../dependencies.ts'
import { isDeleted, type RolloutOutcome, type Unverified } from '../outcome.ts'
import type { Verification, WatchRequest } from '../rollout-request.ts'
import { HEARTBEAT_MS, VERIFY_REQUEST_TIMEOUT_MS } from '../timing.ts'
import { confirmAgain } from '../watch/confirm.ts'
import { type EndedRevision, LastSeen } from '../watch/watched.ts'
import { type Bake, beginBake, stepBake } from './bake.ts'
import {
  addressReader,
  endOf,
  filledAddress,
  findingsOf,
  type ProbeEnd,
  type ReadAddress,
  troubleWith,
} from './evidence.ts'

export async function verifyRevision(
  ended: EndedRevision,
  { verification }: WatchRequest,
  deps: Run,
): Promise<RolloutOutcome> {
  const { outcome, revision, url, deploymentId } = ended
  if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined) return outcome
  deps.emit({ kind: 'verifying', url: verification.url })
  const { controlPlane } = withTime(deps, verification.timeoutMs)
  const findUrl = async (): Promise<string | undefined> => addressOf(await controlPlane.getDeployment(deploymentId))
  const end = await verify(verification, { read: addressReader(verification, deps), ownUrl: url, findUrl }, deps)
  if (end !== undefined) deps.emit({ ...end, kind: 'verification-failed' })
  // Verification takes time: the last response may come from another revision that is now active.
  const confirm = async () => await confirmAgain(ended, new LastSeen(ended, deps.controlPlane), deps)
  if (end === undefined) return await confirm()
  const again = await ifReadable(confirm)
  return again !== undefined && (again.kind === 'superseded' || isDeleted(again)) ? again : end
}

export interface Reads {
  read: ReadAddress
  /** The deployment's own address, if an answer has reported it. */
  ownUrl?: string | undefined
  /** Reads that address, which a new deployment may not have yet. */
  findUrl: () => Promise<string | undefined>
}

/** Pauses between the requests of a verification: an address that begins to answer is to be seen soon. */
const BACKOFF = { firstMs: 1_000, factor: 2, longestMs: 5_000 }
/** The last request has at least this long. */
const LEAST_REQUEST_MS = 1_000

/**
 * Reads the address until it answers as expected, or `verify-timeout` is over. With `verify-for`, it must then keep
 * answering so. The end of the run ends both. Returns undefined if the check succeeds.
 */
export async function verify(verification: Verification, reads: Reads, deps: Run): Promise<Unverified | undefined> {
  const { clock, signal, emit, endsAt: runEndsAt } = deps
  const since = clock.now()
  const endsAt = Math.min(since + verification.timeoutMs, runEndsAt)
  const ends: ProbeEnd[] = []
  let { ownUrl } = reads
  let reportedAt = since
  let lastTrouble: string | undefined
  for (let retry = 0; ; retry++) {
    if (verification.url.includes('{url}')) ownUrl ??= await ifReadable(reads.findUrl)
    const address = filledAddress(verification, ownUrl, deps.reveals)
    const url = shownAddress(address, verification)
    const unverified = (trouble: string): Unverified => ({ kind: 'unverified', url, trouble, ...findingsOf(ends) })
    if (typeof address === 'string') return unverified(address)
    const timeoutMs = Math.max(LEAST_REQUEST_MS, Math.min(VERIFY_REQUEST_TIMEOUT_MS, endsAt - clock.now()))
    const result = await readIfKnown(address, timeoutMs, reads)
    ends.push(endOf(result))
    const trouble = troubleWith(result, verification)
    if (trouble === undefined) return address && (await bake(address, verification, reads.read, deps))
    const now = clock.now()
    const leftMs = endsAt - now
    if (now >= runEndsAt) return cut(url, 'failing', lastTrouble ?? trouble)
    lastTrouble = trouble
    if (leftMs <= 0) return unverified(trouble)
    if (now >= reportedAt + HEARTBEAT_MS) {
      emit({ kind: 'not-yet-verified', trouble, forMs: now - since, leftMs })
      reportedAt = now
    }
    await clock.sleep(Math.min(pauseBefore(retry, undefined, BACKOFF), leftMs), signal)
  }
}

/** The address that is checked; as long as that is unknown, `verify-url` as the step sets it. */
function shownAddress(address: URL | string | undefined, { url }: Verification): string {
  return typeof address === 'object' ? address.href : url
}

/** A new deployment may have no address yet: then the check fails until the control plane reports one. */
async function readIfKnown(address: URL | undefined, timeoutMs: number, { read }: Reads): Promise<ProbeResult> {
  return address === undefined ? { kind: 'trouble', trouble: NO_ADDRESS } : await read(address, timeoutMs)
}

/** A check that the end of the run cuts is no evidence against the revision. */
function cut(url: string, cutWhile: 'failing' | 'passing', lastRead: string): Unverified {
  const trouble = `the time of the run was over before the end of the check; at the last read, ${lastRead}`
  return { kind: 'unverified', url, trouble, evidence: 'none', cutWhile }
}

/** Ends a check with the run. A read that the end of the run has cut is no evidence against the revision. */
function cutBake(url: URL, { row }: Bake, { kind }: ProbeResult, trouble: string): Unverified {
  const isFailing = row.length > 0 || kind !== 'lost'
  return cut(url.href, isFailing ? 'failing' : 'passing', isFailing ? trouble : 'it answered as expected')
}

async function bake(
  address: URL,
  verification: Verification,
  read: ReadAddress,
  { clock, signal, endsAt: runEndsAt, emit }: Run,
): Promise<Unverified | undefined> {
  const { forMs } = verification
  if (forMs === undefined) return undefined
  let taken = beginBake(address.href, forMs, clock.now())
  for (;;) {
    taken.events.forEach(emit)
    const { next } = taken
    if (next.kind === 'end')
      return next.end.kind === 'passed' ? undefined : { ...next.end, kind: 'unverified', url: address.href }
    await clock.sleep(Math.max(0, Math.min(next.at, runEndsAt) - clock.now()), signal)
    const startedAt = clock.now()
    const result = await read(address, VERIFY_REQUEST_TIMEOUT_MS)
    const trouble = troubleWith(result, verification)
    if (trouble !== undefined && clock.now() >= runEndsAt) return cutBake(address, taken.bake, result, trouble)
    taken = stepBake(taken.bake, { startedAt, endedAt: clock.now(), end: endOf(result), trouble })
  }
}

const NO_ADDRESS = 'the control plane reports no address for the deployment'
