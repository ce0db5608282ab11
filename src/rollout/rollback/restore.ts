import { type Deployment, type Revision, type RevisionDraft, sameId } from '../../control-plane/model.ts'
import { pauseWithin, type Run } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import type { Restoration } from '../plan/plan.ts'
import type { KnownDeployment } from '../apply/basis.ts'
import { createRevisionOnce, reviseOnce, type Written, findCreated } from '../apply/revise-once.ts'
import { ambiguous, AmbiguousWriteError, ifReadable, mayLackRoute, RefusedError } from '../../control-plane/errors.ts'
import { distinction } from './plan.ts'
import { isUnfinished } from '../plan/compare-active.ts'
import { readRevision } from '../read/read-again.ts'
import { LOST_WRITE_WINDOW_MS, READ_AGAIN_MS, READS_AFTER_REDEPLOY } from '../timing.ts'
import { findLostWrite, type Look, Sent } from '../apply/write-once.ts'
import type { RolloutOutcome } from '../outcome.ts'
import { sameCommit } from '../plan/repository.ts'
import type { EndedRevision } from '../watch/watched.ts'

export type Restored = {
  kind: 'made'
  change: 'redeployed' | 'revised'
  revisionId: string
  /** As read, if it can be read. */
  revision: Revision | undefined
} & Written

/** By the redeploy route, or else by repeating its configuration. */
export async function restoreRevision(
  known: KnownDeployment,
  { to, draft }: Restoration,
  deps: Run,
): Promise<Restored | NewerRevision | NotRedeployed> {
  const sentAt = deps.clock.now()
  const redeployed = await redeployOnce(known, to, deps)
  const before = known.state
  if (redeployed.kind === 'made') return { ...redeployed, change: 'redeployed' }
  if (redeployed.kind === 'newer-revision') return redeployed
  if (draft === undefined) return redeployed
  const made = await reviseTo(known, draft, deps)
  if (redeployed.because !== 'no-revision') return made
  // The control plane may still act on a redeploy that it has accepted.
  const sinceFirstMs = deps.clock.now() - sentAt
  const redeploy: Repeated = { kind: 'revision', before, settings: to.settings, sinceFirstMs }
  return { ...made, repeated: [redeploy, ...made.repeated] }
}

export async function reviseTo(known: KnownDeployment, draft: RevisionDraft, deps: Run): Promise<Restored> {
  const revised = await reviseOnce(known, draft, deps)
  return { kind: 'made', change: 'revised', ...revised, revisionId: revised.revision.id }
}

/** Nothing was created. `no-revision`: the request was accepted, and no revision became the latest or active one. */
export interface NotRedeployed {
  kind: 'not-made'
  because: 'no-route' | 'refused' | 'no-revision'
  cameBack: string
}

/** `builds`: the commit by which alone the revision differs: the redeploy, or another client, has built another one. */
export interface NewerRevision {
  kind: 'newer-revision'
  revisionId: string
  builds?: string
}

/**
 * Deploys an earlier revision again, once. If the response was lost, a newer one with its configuration counts as ours.
 */
export async function redeployOnce(
  known: KnownDeployment,
  to: Revision,
  deps: Run,
): Promise<Omit<Restored, 'change'> | NewerRevision | NotRedeployed> {
  const deployment = known.state
  const made = await tryRedeploy(known, to, deps)
  if ('kind' in made) return made
  const { id: revisionId, revision: followed, ...written } = made
  if (sameId(revisionId, to.id)) return { kind: 'made', revisionId, revision: undefined, ...written }
  const revision = followed ?? (await ifReadable(async () => await readRevision(deployment.id, revisionId, deps)))
  const difference = revision && distinction(revision, to)
  if (difference === undefined) return { kind: 'made', revisionId, revision, ...written }
  const builds = difference === 'commit' ? revision?.repoCommitSha : undefined
  return { kind: 'newer-revision', revisionId, ...(builds !== undefined && { builds }) }
}

/** What follows a redeploy. `revision`: as read. */
interface Followed {
  id: string
  revision?: Revision | undefined
}

async function tryRedeploy(
  known: KnownDeployment,
  to: Revision,
  deps: Run,
): Promise<(Followed & Written) | NotRedeployed> {
  const sought = { settings: to.settings, commit: to.repoCommitSha, mayMove: true }
  let before = known.state
  let sent = new Sent(deps)
  const redeploy = async (now: Deployment): Promise<Followed | undefined> => {
    before = now
    sent = new Sent(deps)
    return await redeployedBy(before, to, deps)
  }
  try {
    const { created, ...written } = await createRevisionOnce(known, sought, redeploy, deps)
    return created === undefined
      ? NOTHING_FOLLOWED
      : { id: created.id, revision: 'revision' in created ? created.revision : undefined, ...written }
  } catch (thrown) {
    if (mayLackRoute(thrown)) return notMade('no-route', thrown)
    if (!(thrown instanceof RefusedError) || ![400, 409, 422].includes(thrown.status)) throw thrown
    if (thrown.status !== 409) return notMade('refused', thrown)
    // A gateway may have sent the request twice: then the refusal is due to the redeploy that is under way.
    const find = async (look: Look) => await findCreated({ ...sought, before }, look, deps)
    const found = await findLostWrite(ambiguous(thrown), sent, find, deps)
    return found === undefined ? notMade('refused', thrown) : { id: found.id, repeated: [], isFound: true }
  }
}

const NOTHING_FOLLOWED: NotRedeployed = {
  kind: 'not-made',
  because: 'no-revision',
  cameBack: 'the control plane accepted the request, and no revision followed',
}

function notMade(because: NotRedeployed['because'], { trouble }: RefusedError): NotRedeployed {
  return { kind: 'not-made', because, cameBack: trouble.cameBack }
}

/**
 * Reads which revision the request has made the latest or the active one. A service that creates none may also take its
 * time: then the earlier one is unfinished again.
 */
async function redeployedBy(deployment: Deployment, to: Revision, deps: Run): Promise<Followed | undefined> {
  const { controlPlane, clock, deadline } = deps
  const known = [to.id, deployment.latestRevisionId, deployment.activeRevisionId]
  const isBack = ({ latestRevisionId: latest, activeRevisionId: active }: Deployment): boolean =>
    (sameId(active, to.id) && !sameId(deployment.activeRevisionId, to.id)) ||
    (sameId(latest, to.id) && !sameId(deployment.latestRevisionId, to.id))
  const isUnderWayAgain = async (): Promise<boolean> => {
    const read = await ifReadable(async () => await controlPlane.getRevision(deployment.id, to.id))
    return read !== undefined && isUnfinished(read)
  }
  let theirs: Followed | undefined
  let now = await controlPlane.redeploy(deployment.id, to.id)
  // A service may act as late as on a write that was lost.
  const endsAt = clock.now() + LOST_WRITE_WINDOW_MS
  for (let read = 0; ; read++) {
    const { latestRevisionId: latest } = now
    const isPastLag = read >= READS_AFTER_REDEPLOY
    // Only the response itself, and a read past the lag of replicas, cannot show the state before.
    if ((read === 0 || isPastLag) && isBack(now)) return to
    if (latest !== undefined && !known.some((id) => sameId(id, latest))) {
      const revision = await ifReadable(async () => await readRevision(deployment.id, latest, deps))
      const made = { id: latest, revision }
      if (revision === undefined || distinction(revision, to) !== 'settings') return made
      // Another client has made it right before: ours may follow.
      known.push(latest)
      theirs = made
    }
    if (isPastLag && (await isUnderWayAgain())) return to
    if (clock.now() >= endsAt) return theirs
    await pauseWithin(READ_AGAIN_MS, deps)
    if (clock.now() >= deadline)
      throw new AmbiguousWriteError({
        attempted: `deploy the revision ${to.id} of the deployment ${deployment.id} again`,
        cameBack: 'the control plane accepted it, and the time was over before a read showed the result',
        hint: 'It may have succeeded. Check the deployment before you rerun the job.',
      })
    now = (await ifReadable(async () => await controlPlane.getDeployment(deployment.id))) ?? now
  }
}

/** What restores or promotes a commit must build it. A tag may have been moved; a branch has moved. */
export function confirmCommit(
  ended: EndedRevision,
  { draft, commit: wanted }: { draft: unknown; commit: string | undefined },
): EndedRevision {
  const { outcome, revision } = ended
  if (outcome.kind !== 'deployed' || wanted === undefined) return ended
  const built = revision?.repoCommitSha
  const isRestored = built === undefined ? draft !== undefined : sameCommit(built, wanted)
  if (isRestored) return ended
  const failed: RolloutOutcome = { kind: 'failed', because: { kind: 'other-commit', wanted, built } }
  return { ...ended, outcome: failed }
}
