import { AmbiguousWriteError, ifReadable, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, Revision, RevisionDraft } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { READS_AFTER_REDEPLOY, READ_AGAIN_MS } from '../timing.ts'
import type { Repeated } from '../event.ts'
import { findCreated } from './find-created.ts'
import { findLostWrite, lostWrite, type Look } from './lost-write.ts'
import { ifNew } from './new-revision.ts'

interface Written {
  repeated: Repeated[]
}

/** Creates the revision once. If the response was lost, a newer revision with our configuration counts as ours. */
export async function reviseOnce(
  deployment: Deployment,
  draft: RevisionDraft,
  deps: WriteDependencies,
): Promise<{ revision: Revision } & Written> {
  const known = [deployment.latestRevisionId, deployment.activeRevisionId]
  const create = async (): Promise<Revision> => {
    const answered = await deps.controlPlane.createRevision(deployment.id, draft, known)
    return await ifNew(answered, deployment, draft.settings, deps)
  }
  const { created, repeated } = await createRevisionOnce(deployment, draft.settings, create, deps)
  return { revision: created, repeated }
}

/**
 * Deploys an earlier revision again, once. If the response was lost, a newer revision with its configuration counts as
 * ours.
 * @returns the id of the new revision, or of the earlier one itself; undefined when the service has no such route, or
 * when neither became the latest or active one
 */
export async function redeployOnce(
  deployment: Deployment,
  to: Revision,
  deps: WriteDependencies,
): Promise<({ revisionId: string } & Written) | undefined> {
  const { controlPlane, clock, signal } = deps
  const known = [to.id, deployment.latestRevisionId, deployment.activeRevisionId]
  const redeploy = async (): Promise<{ id: string } | undefined> => {
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
  try {
    const { created, repeated } = await createRevisionOnce(deployment, to.settings, redeploy, deps)
    return created && { revisionId: created.id, repeated }
  } catch (thrown) {
    // A refusal changes nothing, so another route may be tried; but not with credentials that are refused.
    if (thrown instanceof RefusedError && thrown.status !== 401 && thrown.status !== 403) return undefined
    throw thrown
  }
}

async function createRevisionOnce<Created>(
  deployment: Deployment,
  settings: Revision['settings'],
  create: () => Promise<Created>,
  deps: WriteDependencies,
): Promise<{ created: Created | Revision } & Written> {
  const find = async (look: Look): Promise<Revision | undefined> =>
    (await findCreated(deployment, settings, look, deps))[0]
  let earlier: AmbiguousWriteError | undefined
  for (let retry = 0; ; retry++) {
    const repeated: Repeated[] = earlier === undefined ? [] : [{ kind: 'revision', before: deployment, settings }]
    try {
      return { created: await create(), repeated }
    } catch (thrown) {
      const lost = lostWrite(thrown, earlier)
      if (lost === undefined) throw thrown
      if (lost instanceof AmbiguousWriteError) earlier = lost
      const found = await findLostWrite(lost, find, deps, retry)
      if (found !== undefined) return { created: found, repeated }
      if (retry >= deps.maxRetries || thrown instanceof RefusedError) throw lost
    }
  }
}
