import { ambiguous, ifReadable, mayLackRoute, RefusedError } from '../../control-plane/errors.ts'
import { withBranch, type Deployment, type Revision } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { differenceOf } from '../plan/diff.ts'
import { REPORTED_BY_REVISION, setFields } from '../plan/settings.ts'
import { sameCommit } from '../plan/unchanged.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import { READS_AFTER_REDEPLOY, READ_AGAIN_MS } from '../timing.ts'
import { createRevisionOnce, findRevision, type Written } from './write-once.ts'

/** `revision`: as read, if it can be read. */
type Redeployed = { kind: 'made'; revisionId: string; revision: Revision | undefined } & Written

/**
 * Deploys an earlier revision again, once. If the response was lost, a newer revision with its configuration counts as
 * ours.
 * @returns the new revision, or the earlier one itself; `newer-revision`: another client's; undefined when the service
 * has no such route, or when no revision became the latest or active one
 * @throws AmbiguousWriteError when it is unknown whether the control plane has acted; RefusedError when it refuses
 */
export async function redeployOnce(
  deployment: Deployment,
  to: Revision,
  deps: WriteDependencies,
): Promise<Redeployed | { kind: 'newer-revision'; revisionId: string } | undefined> {
  const written = await tryRedeploy(deployment, to, deps)
  if (written === undefined) return undefined
  const { id: revisionId, repeated } = written
  if (sameId(revisionId, to.id)) return { kind: 'made', revisionId, revision: undefined, repeated }
  const read = async (): Promise<Revision> => await deps.controlPlane.getRevision(deployment.id, revisionId)
  const revision = await ifReadable(async () => await pastReplicaLag(read, deps))
  if (revision !== undefined && !isSameBuild(revision, to)) return { kind: 'newer-revision', revisionId }
  return { kind: 'made', revisionId, revision, repeated }
}

async function tryRedeploy(
  deployment: Deployment,
  to: Revision,
  deps: WriteDependencies,
): Promise<({ id: string } & Written) | undefined> {
  let attempts = 0
  const redeploy = async (): Promise<{ id: string } | undefined> => {
    attempts += 1
    return await redeployedBy(deployment, to, deps)
  }
  try {
    const { created, repeated } = await createRevisionOnce(deployment, to.settings, redeploy, deps)
    return created && { id: created.id, repeated }
  } catch (thrown) {
    if (mayLackRoute(thrown)) return undefined
    if (!(thrown instanceof RefusedError) || ![400, 409, 422].includes(thrown.status)) throw thrown
    if (attempts === 1 && thrown.status !== 409) return undefined
    // The refusal may be due to a redeploy that is under way: that of an attempt that was answered with 429.
    const found = await findRevision(ambiguous(thrown), deployment, to.settings, deps)
    return found && { id: found.id, repeated: [] }
  }
}

/** Sends the request, and reads which revision it has made the latest or the active one. */
async function redeployedBy(
  deployment: Deployment,
  to: Revision,
  { controlPlane, clock, signal }: WriteDependencies,
): Promise<{ id: string } | undefined> {
  const known = [to.id, deployment.latestRevisionId, deployment.activeRevisionId]
  let now = await controlPlane.redeploy(deployment.id, to.id)
  for (let read = 0; ; read++) {
    const { latestRevisionId: latest, activeRevisionId: active } = now
    if (latest !== undefined && !known.some((id) => sameId(id, latest))) return { id: latest }
    const isLast = read >= READS_AFTER_REDEPLOY
    // Only the response itself, and a read past the lag of replicas, cannot show the state before.
    if ((read === 0 || isLast) && sameId(active, to.id)) return to
    if (isLast) return undefined
    await clock.sleep(READ_AGAIN_MS, signal)
    now = (await ifReadable(async () => await controlPlane.getDeployment(deployment.id))) ?? now
  }
}

/** Whether nothing that both revisions report distinguishes them. */
function isSameBuild({ settings, repoCommitSha: commit }: Revision, to: Revision): boolean {
  const both = setFields(to.settings, REPORTED_BY_REVISION).filter((field) => settings[field] !== undefined)
  // A revision may show its commit in place of the tag; the commit is compared below.
  const shown = withBranch(settings, to.settings.repoRef)
  if (both.some((field) => differenceOf(field, shown, to.settings) !== 'same')) return false
  return commit === undefined || to.repoCommitSha === undefined || sameCommit(commit, to.repoCommitSha)
}
