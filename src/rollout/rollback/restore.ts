import type { ControlPlane } from '../../control-plane/client.ts'
import { type Deployment, type Revision, type RevisionDraft, sameId } from '../../control-plane/model.ts'
import { pauseWithin, type Run } from '../dependencies.ts'
import type { Applied, NotRedeployed, Repeated, RollbackObstacle } from '../event.ts'
import type { Restoration } from '../plan/plan.ts'
import type { KnownDeployment } from '../apply/basis.ts'
import { createRevisionOnce, reviseOnce, type Recovery, findCreated } from '../apply/revise-once.ts'
import { ambiguous, ifReadable, mayLackRoute, RefusedError } from '../../control-plane/errors.ts'
import { distinction } from './plan.ts'
import { isUnfinished } from '../plan/compare-active.ts'
import { readRevision } from '../read/read-again.ts'
import { LOST_WRITE_WINDOW_MS, READ_AGAIN_MS, READS_PAST_LAG } from '../timing.ts'
import { findLostWrite, type Look, uncertain } from '../apply/write-once.ts'
import { sameCommit } from '../plan/repository.ts'
import type { EndedRevision } from '../watch/watched.ts'

/** `revision`: as read, if it can be read. */
export type Restored = Omit<Applied, 'deployment'>

/**
 * `not-redeployed`: nothing was created; `no-revision`: the request was accepted, and no revision became the latest or
 * active one. `other-commit`: the redeploy, or another client, has built another commit.
 */
type RedeployObstacle = Extract<RollbackObstacle, { kind: 'not-redeployed' | 'newer-revision' | 'other-commit' }>

/**
 * By the redeploy route, or else by repeating its configuration. `onlyByRevision`: a redeploy would not restore
 * everything that the draft does. `patch` restores the settings that need no revision: it comes first, and only if the
 * revision can be restored.
 */
export async function restoreRevision(
  basis: KnownDeployment,
  { to, draft, onlyByRevision = false }: Restoration & { onlyByRevision?: boolean },
  deps: Run,
  patch?: () => Promise<void>,
): Promise<Restored | RedeployObstacle> {
  if (draft !== undefined) await patch?.()
  if (draft !== undefined && onlyByRevision) return await reviseTo(basis, draft, deps)
  const sentAt = deps.clock.now()
  const redeployed = await redeployOnce(basis, to, deps)
  if (redeployed.kind !== 'not-redeployed' || draft === undefined) return redeployed
  const before = basis.state
  const made = await reviseTo(basis, draft, deps)
  if (redeployed.because !== 'no-revision') return made
  // The control plane may still act on a redeploy that it has accepted.
  const sinceFirstMs = deps.clock.now() - sentAt
  const redeploy: Repeated = { kind: 'revision', before, settings: to.settings, sinceFirstMs }
  return { ...made, repeated: [redeploy, ...made.repeated] }
}

async function reviseTo(basis: KnownDeployment, draft: RevisionDraft, deps: Run): Promise<Restored> {
  const revised = await reviseOnce(basis, draft, deps)
  return { kind: 'applied', change: 'revised', ...revised, revisionId: revised.revision.id }
}

/** Deploys an earlier revision again, once. After a lost response, a newer one with its configuration is ours. */
export async function redeployOnce(
  basis: KnownDeployment,
  to: Revision,
  deps: Run,
): Promise<Restored | RedeployObstacle> {
  const { settings, repoCommitSha: commit } = to
  const sought = { settings, commit, mayMove: true }
  const notMade = (because: NotRedeployed['because'], cameBack: string): NotRedeployed => {
    return { kind: 'not-redeployed', because, cameBack, commit }
  }
  let before = basis.state
  let sentAt = deps.clock.now()
  const redeploy = async (now: Deployment): Promise<Followed | undefined> => {
    before = now
    sentAt = deps.clock.now()
    return await redeployedBy(before, to, deps)
  }
  try {
    const { revision: created, ...written } = await createRevisionOnce(basis, sought, redeploy, deps)
    return created === undefined
      ? notMade('no-revision', NOTHING_FOLLOWED)
      : await restoredBy(created, written, { before, to }, deps)
  } catch (thrown) {
    if (mayLackRoute(thrown)) return notMade('no-route', thrown.trouble.cameBack)
    if (!(thrown instanceof RefusedError) || ![400, 409, 422].includes(thrown.status)) throw thrown
    const refused = notMade('refused', thrown.trouble.cameBack)
    if (thrown.status !== 409) return refused
    // A gateway may have sent the request twice: then the refusal is due to the redeploy that is under way.
    const find = async (look: Look) => await findCreated({ ...sought, before }, look, deps)
    const result = await findLostWrite(ambiguous(thrown), sentAt, find, deps)
    return result ? await restoredBy(result, { repeated: [], isFound: true }, { before, to }, deps) : refused
  }
}

/** The revision that follows a redeploy. `revision`: as read. */
interface Followed {
  id: string
  revision?: Revision | undefined
}

async function restoredBy(
  { id: revisionId, revision: followed }: Followed,
  written: Recovery,
  { before, to }: { before: Deployment; to: Revision },
  deps: Run,
): Promise<Restored | RedeployObstacle> {
  const made = { kind: 'applied', change: 'redeployed', revisionId, ...written } as const
  if (sameId(revisionId, to.id)) return { ...made, revision: undefined }
  const revision = followed ?? (await ifReadable(async () => await readRevision(before.id, revisionId, deps)))
  const difference = revision && distinction(revision, to)
  if (difference === undefined) return { ...made, revision }
  const { repoCommitSha: builds } = revision ?? {}
  return difference === 'commit' && builds !== undefined
    ? { kind: 'other-commit', revisionId, builds, wanted: to.repoCommitSha ?? '' }
    : { kind: 'newer-revision', revisionId }
}

const NOTHING_FOLLOWED = 'the control plane accepted the request, and no revision followed'

const NO_TIME_TO_READ = 'the control plane accepted it, and the time was over before a read showed the result'

/**
 * Reads which revision the request has made the latest or the active one. A service that creates none may also take its
 * time: then the earlier one is unfinished again.
 */
async function redeployedBy(deployment: Deployment, to: Revision, deps: Run): Promise<Followed | undefined> {
  const { controlPlane, clock } = deps
  const knownIds = [to.id, deployment.latestRevisionId, deployment.activeRevisionId]
  const isBack = (now: Deployment): boolean => wasMadeCurrent(to.id, deployment, now)
  let theirs: Followed | undefined
  let now = await controlPlane.redeploy(deployment.id, to.id)
  // A service may act as late as on a write that was lost.
  const endsAt = clock.now() + LOST_WRITE_WINDOW_MS
  for (let read = 0; ; read++) {
    const latest = newLatest(now, knownIds)
    const isPastLag = read >= READS_PAST_LAG
    // Only the response itself, and a read past the lag of replicas, cannot show the state before.
    if ((read === 0 || isPastLag) && isBack(now)) return to
    if (latest !== undefined) {
      const revision = await ifReadable(async () => await readRevision(deployment.id, latest, deps))
      const made = { id: latest, revision }
      if (revision === undefined || distinction(revision, to) !== 'settings') return made
      // Another client has made it right before: ours may follow.
      knownIds.push(latest)
      theirs = made
    }
    if (isPastLag && (await isUnderWay(deployment.id, to.id, controlPlane))) return to
    if (clock.now() >= endsAt) return theirs
    await pauseToReadAgain(deployment.id, to.id, deps)
    now = (await ifReadable(async () => await controlPlane.getDeployment(deployment.id))) ?? now
  }
}

function newLatest(
  { latestRevisionId: latest }: Deployment,
  knownIds: readonly (string | null | undefined)[],
): string | undefined {
  return knownIds.some((id) => sameId(id, latest)) ? undefined : latest
}

/** @throws AmbiguousWriteError at the deadline: the redeploy was accepted, and no read has shown its result */
async function pauseToReadAgain(deploymentId: string, id: string, deps: Run): Promise<void> {
  await pauseWithin(READ_AGAIN_MS, deps)
  if (deps.clock.now() >= deps.deadline)
    throw uncertain(`deploy the revision ${id} of the deployment ${deploymentId} again`, NO_TIME_TO_READ)
}

/** Whether the revision is unfinished; false if it cannot be read. */
async function isUnderWay(deploymentId: string, id: string, controlPlane: ControlPlane): Promise<boolean> {
  const revision = await ifReadable(async () => await controlPlane.getRevision(deploymentId, id))
  return revision !== undefined && isUnfinished(revision)
}

/** Whether the revision has become the latest or the active one since `before`. */
function wasMadeCurrent(id: string, before: Deployment, now: Deployment): boolean {
  const { latestRevisionId: latest, activeRevisionId: active } = now
  return (
    (sameId(active, id) && !sameId(before.activeRevisionId, id)) ||
    (sameId(latest, id) && !sameId(before.latestRevisionId, id))
  )
}

/** Whether only its commit shows that what was found after a lost response is the restored revision. */
export function isAdopted({ isFound, revisionId }: Restored, to: Revision): boolean {
  return isFound && !sameId(revisionId, to.id) && to.settings.repoRef !== undefined
}

/** A revision that restores or promotes a commit must build it: a tag may have been moved, and a branch has moved. */
export function confirmCommit(
  ended: EndedRevision,
  { draft, commit: wanted }: { draft: unknown; commit: string | undefined },
): EndedRevision {
  const { outcome, revision } = ended
  if (outcome.kind !== 'deployed' || wanted === undefined) return ended
  const built = revision?.repoCommitSha
  if (built === undefined ? draft !== undefined : sameCommit(built, wanted)) return ended
  return { ...ended, outcome: { kind: 'failed', because: { kind: 'other-commit', wanted, built } } }
}
