import type { Api } from '../../control-plane/api.ts'
import { AmbiguousWriteError, ifReadable, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, RevisionDraft } from '../../control-plane/model.ts'
import { retryDelay } from '../../control-plane/retry.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { findByName } from '../read/find-deployment.ts'
import { READS_AFTER_REDEPLOY, READ_AGAIN_MS } from '../timing.ts'
import { findCreated, matchesDraft } from './find-created.ts'
import { findLostWrite } from './lost-write.ts'

/**
 * Creates the deployment once. If the response was lost, or the name is taken, looks for the deployment before it
 * repeats anything.
 * @returns `exists`: another client has created a deployment of that name
 * @throws AmbiguousWriteError when it is unknown whether the deployment was created
 */
export async function createOnce(
  draft: DeploymentDraft,
  deps: WriteDependencies,
): Promise<{ kind: 'created'; deployment: Deployment } | { kind: 'exists' }> {
  const { controlPlane, clock, signal, random, maxRetries } = deps
  const find = async (): Promise<Deployment | undefined> => await findByName(draft.name, controlPlane)
  let lastLost: AmbiguousWriteError | undefined
  for (let retry = 0; ; retry++) {
    try {
      return { kind: 'created', deployment: await controlPlane.createDeployment(draft) }
    } catch (thrown) {
      const isLost = thrown instanceof AmbiguousWriteError
      if (!isLost && !isNameTaken(thrown)) throw thrown
      if (isLost) lastLost = thrown
      const found = lastLost === undefined ? await find() : await findLostWrite(lastLost, retry, find, deps)
      if (found !== undefined) {
        const isOurs = lastLost !== undefined && matchesDraft(found, draft)
        return isOurs ? { kind: 'created', deployment: found } : { kind: 'exists' }
      }
      if (retry >= maxRetries) throw isLost ? thrown : takenByInvisible(draft.name, thrown, controlPlane.api)
      // The name was taken just now: the next read may find the deployment.
      if (!isLost) await clock.sleep(retryDelay(retry, undefined, random), signal)
    }
  }
}

/** Creates the revision once. If the response was lost, a newer revision with our configuration counts as ours. */
export async function reviseOnce(
  deployment: Deployment,
  draft: RevisionDraft,
  deps: WriteDependencies,
): Promise<Revision> {
  const create = async (): Promise<Revision> => await deps.controlPlane.createRevision(deployment.id, draft)
  return await createRevisionOnce(deployment, draft.settings, create, deps)
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
): Promise<string | undefined> {
  const { controlPlane, clock, signal } = deps
  const redeploy = async (): Promise<{ id: string } | undefined> => {
    let now = await controlPlane.redeploy(deployment.id, to.id)
    for (let read = 0; ; read++) {
      const { latestRevisionId: latest, activeRevisionId: active } = now
      const isNew = latest !== undefined && latest !== deployment.latestRevisionId && latest !== to.id
      if (isNew) return { id: latest }
      if (active === to.id) return to
      if (read >= READS_AFTER_REDEPLOY) return undefined
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
  const find = async (): Promise<Revision | undefined> => await findCreated(deployment, settings, deps)
  for (let retry = 0; ; retry++) {
    try {
      return await create()
    } catch (thrown) {
      if (!(thrown instanceof AmbiguousWriteError)) throw thrown
      const found = await findLostWrite(thrown, retry, find, deps)
      if (found !== undefined) return found
      if (retry >= deps.maxRetries) throw thrown
    }
  }
}

/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown: unknown): thrown is RefusedError {
  if (!(thrown instanceof RefusedError)) return false
  const saysTaken = /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i
  return thrown.status === 409 || (thrown.status === 400 && saysTaken.test(thrown.detail))
}

const TRACING_PROJECT =
  'Or a deleted deployment has left its tracing project, which reserves the name: delete that project, and set delete-tracing-project to true in the step that deletes the deployment.'

function takenByInvisible(
  name: string,
  { status, detail, trouble }: RefusedError,
  { hasTracingProjects }: Pick<Api, 'hasTracingProjects'>,
): RefusedError {
  const hidden = `The name "${name}" is taken by a deployment that these credentials cannot see: choose another name, or set tenant-id.`
  const hint = hasTracingProjects ? `${hidden} ${TRACING_PROJECT}` : hidden
  return new RefusedError(status, detail, { ...trouble, hint })
}
