import { AmbiguousWriteError, ifReadable, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, RevisionDraft } from '../../control-plane/model.ts'
import { retryDelay } from '../../control-plane/retry.ts'
import { findByName } from '../read/find-deployment.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { findLostWrite } from './lost-write.ts'
import { findCreated, matchesDraft } from './find-created.ts'
import { READS_AFTER_REDEPLOY, READ_AGAIN_MS } from '../timing.ts'

/**
 * Creates the deployment once. When the answer was lost, or the name is taken, looks for the deployment before it
 * repeats anything.
 * @returns `exists`: another client has created a deployment of that name
 * @throws AmbiguousWriteError when it is unknown whether the deployment was created
 */
export async function createOnce(
  draft: DeploymentDraft,
  deps: WriteDependencies,
): Promise<{ kind: 'created' | 'exists'; deployment: Deployment }> {
  const look = async (): Promise<Deployment | undefined> => await findByName(draft.name, deps.controlPlane)
  let lastLost: AmbiguousWriteError | undefined
  for (let retry = 0; ; retry++) {
    try {
      return { kind: 'created', deployment: await deps.controlPlane.createDeployment(draft) }
    } catch (thrown) {
      const lost = thrown instanceof AmbiguousWriteError
      if (!lost && !isNameTaken(thrown)) throw thrown
      if (lost) lastLost = thrown
      const found = lastLost ? await findLostWrite(lastLost, retry, look, deps) : await look()
      if (found !== undefined) {
        return { kind: lastLost && matchesDraft(found, draft) ? 'created' : 'exists', deployment: found }
      }
      if (retry >= deps.maxRetries) throw lost ? thrown : takenByInvisible(draft.name, thrown)
      // The name was taken just now: the next look may find the deployment.
      if (!lost) await deps.clock.sleep(retryDelay(retry, undefined, deps.random), deps.signal)
    }
  }
}

/** Creates the revision once. When the answer was lost, a newer revision with our configuration counts as ours. */
export async function reviseOnce(
  deployment: Deployment,
  draft: RevisionDraft,
  deps: WriteDependencies,
): Promise<Revision> {
  const { controlPlane } = deps
  const create = async (): Promise<Revision> => await controlPlane.createRevision(deployment.id, draft)
  return await createRevisionOnce(deployment, draft.settings, create, deps)
}

/**
 * Deploys an earlier revision again, once. When the answer was lost, a newer revision with its configuration counts as
 * ours.
 * @returns the id of the new revision, or of the earlier one itself; undefined when the service has no such route, or
 * when neither became the latest or active one
 */
export async function redeployOnce(
  deployment: Deployment,
  to: Revision,
  deps: WriteDependencies,
): Promise<string | undefined> {
  const { controlPlane, clock, signal } = deps
  const redeploy = async (): Promise<{ id: string } | undefined> => {
    let now = await controlPlane.redeploy(deployment.id, to.id)
    for (let look = 0; ; look++) {
      const { latestRevisionId: latest, activeRevisionId: active } = now
      const isNew = latest !== undefined && latest !== deployment.latestRevisionId && latest !== to.id
      if (isNew) return { id: latest }
      if (active === to.id) return to
      if (look >= READS_AFTER_REDEPLOY) return undefined
      await clock.sleep(READ_AGAIN_MS, signal)
      now = (await ifReadable(async () => await controlPlane.getDeployment(deployment.id))) ?? now
    }
  }
  try {
    return (await createRevisionOnce(deployment, to.settings, redeploy, deps))?.id
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
): Promise<Created | Revision> {
  const look = async (): Promise<Revision | undefined> => await findCreated(deployment, settings, deps)
  for (let retry = 0; ; retry++) {
    try {
      return await create()
    } catch (thrown) {
      if (!(thrown instanceof AmbiguousWriteError)) throw thrown
      const found = await findLostWrite(thrown, retry, look, deps)
      if (found !== undefined) return found
      if (retry >= deps.maxRetries) throw thrown
    }
  }
}

/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown: unknown): thrown is RefusedError {
  if (!(thrown instanceof RefusedError)) return false
  if (thrown.status === 409) return true
  return (
    thrown.status === 400 &&
    /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i.test(thrown.detail)
  )
}

function takenByInvisible(name: string, thrown: unknown): unknown {
  if (!(thrown instanceof RefusedError)) return thrown
  return new RefusedError(thrown.status, thrown.detail, {
    ...thrown.trouble,
    hint: `The name "${name}" is taken by a deployment that these credentials cannot see: choose another name, or set tenant-id.`,
  })
}
