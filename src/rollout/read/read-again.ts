import { BrokenContractError, ifReadable, isNotFound } from '../../control-plane/errors.ts'
import type { Deployment, Revision } from '../../control-plane/model.ts'
import { pauseWithin, type Run, type Reader } from '../dependencies.ts'
import { phaseOf } from '../outcome.ts'
import { READ_AGAIN_MS, REPLICA_LAG_MS, STALE_READ_MS } from '../timing.ts'

export async function readRevision(deploymentId: string, id: string, deps: Reader): Promise<Revision> {
  return await pastReplicaLag(async () => await deps.controlPlane.getRevision(deploymentId, id), deps)
}

export async function readDeployment(id: string, deps: Reader): Promise<Deployment> {
  return await pastReplicaLag(async () => await deps.controlPlane.getDeployment(id), deps)
}

export async function readIfThere(id: string, deps: Reader): Promise<Deployment | undefined> {
  const read = async (): Promise<Deployment> => await deps.controlPlane.getDeployment(id)
  return await ifReadable(async () => await pastBrokenAnswers(read, deps), isNotFound)
}

/** Reads again after a broken response, such as one about another resource. */
export async function pastBrokenAnswers<T>(read: () => Promise<T>, deps: Reader): Promise<T> {
  return await pastReplicaLag(read, deps, () => false)
}

/** A proxy may answer in place of the control plane: this many unreadable responses are read again. */
const BROKEN_RESPONSES = 2

/** Reads again, while a replica may lag, after a 404 or a broken response what the control plane has reported. */
export async function pastReplicaLag<T>(
  read: () => Promise<T>,
  { clock, signal, deadline }: Reader,
  mayPass: (thrown: unknown) => boolean = isNotFound,
): Promise<T> {
  const giveUpAt = Math.min(clock.now() + REPLICA_LAG_MS, deadline - READ_AGAIN_MS)
  let broken = 0
  for (;;) {
    try {
      return await read()
    } catch (thrown) {
      const isBroken = thrown instanceof BrokenContractError && ++broken <= BROKEN_RESPONSES
      if ((!mayPass(thrown) && !isBroken) || clock.now() >= giveUpAt) throw thrown
      await clock.sleep(READ_AGAIN_MS, signal)
    }
  }
}

/** Reads; once more, past the lag of replicas, if the first read may be of one that shows an earlier state. */
export async function readPastStale<T>(
  read: () => Promise<T>,
  mayBeStale: (first: T) => boolean,
  deps: Reader,
): Promise<T> {
  const first = await read()
  if (!mayBeStale(first)) return first
  await pauseWithin(STALE_READ_MS, deps)
  return await read()
}

/** Looks after each of these pauses, in milliseconds, until one look finds something: for the last time at the deadline. */
export async function readUntil(
  look: () => Promise<boolean>,
  pauses: Iterable<number>,
  deps: Reader,
): Promise<boolean> {
  for (const pauseMs of pauses) {
    if (pauseMs > 0) await pauseWithin(pauseMs, deps)
    if (await look()) return true
    if (deps.clock.now() >= deps.deadline) return false
  }
  return false
}

/** How long an unfinished revision may take to report its commit, before the run creates its own. */
const COMMIT_GRACE_MS = 20_000

/** Reads the revision until it reports its commit, or ends, or time is over. */
export async function awaitCommit(
  latest: Revision,
  current: { id: string } | undefined,
  { controlPlane, clock, signal, deadline, emit }: Run,
): Promise<Revision> {
  emit({ kind: 'commit-awaited', revisionId: latest.id, limitMs: COMMIT_GRACE_MS })
  const endsAt = Math.min(clock.now() + COMMIT_GRACE_MS, deadline)
  let revision = latest
  while (current !== undefined && clock.now() + READ_AGAIN_MS <= endsAt) {
    await clock.sleep(READ_AGAIN_MS, signal)
    revision = (await ifReadable(async () => await controlPlane.getRevision(current.id, latest.id))) ?? revision
    if (revision.repoCommitSha !== undefined || phaseOf(revision.status) === 'terminal') break
  }
  return revision
}
