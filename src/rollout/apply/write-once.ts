import type { Api } from '../../control-plane/api.ts'
import { AmbiguousWriteError, ifReadable, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, RevisionDraft } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { findByName } from '../read/find-deployment.ts'
import { LOST_WRITE_PAUSES_MS, READS_AFTER_REDEPLOY, READ_AGAIN_MS } from '../timing.ts'
import type { Repeated } from '../event.ts'
import { findCreated, findDrafted, matchesDraft } from './find-created.ts'
import { findLostWrite, type Look } from './lost-write.ts'

interface Written {
  repeated: Repeated[]
}

/**
 * Creates the deployment once. If the response was lost, or the name is taken, looks for the deployment before it
 * repeats anything.
 * @returns `exists`: another client has created a deployment of that name
 * @throws AmbiguousWriteError when it is unknown whether the deployment was created
 */
export async function createOnce(
  draft: DeploymentDraft,
  deps: WriteDependencies,
): Promise<({ kind: 'created'; deployment: Deployment } & Written) | { kind: 'exists' }> {
  const { controlPlane, maxRetries } = deps
  const find = async (): Promise<Deployment | undefined> => await findByName(draft.name, controlPlane)
  let lastLost: AmbiguousWriteError | undefined
  for (let retry = 0; ; retry++) {
    const repeated: Repeated[] = lastLost === undefined ? [] : [{ kind: 'deployment', draft }]
    try {
      const deployment = await controlPlane.createDeployment(draft)
      if (lastLost === undefined) return { kind: 'created', deployment, repeated }
      return { kind: 'created', ...(await newestDrafted(deployment, draft, deps)) }
    } catch (thrown) {
      const isLost = thrown instanceof AmbiguousWriteError
      if (!isLost && !isNameTaken(thrown)) throw thrown
      if (isLost) lastLost = thrown
      const found = lastLost === undefined ? await findTaken(find, deps) : await findLostWrite(lastLost, find, deps)
      const isOurs = lastLost !== undefined && found !== undefined && matchesDraft(found, draft, controlPlane.api)
      if (isOurs) return { kind: 'created', deployment: found, repeated }
      if (found !== undefined) return { kind: 'exists' }
      if (!isLost) throw takenByInvisible(draft.name, thrown, controlPlane.api)
      if (retry >= maxRetries) throw thrown
    }
  }
}

/** Looks for a deployment that certainly exists, while a replica may lack it. */
async function findTaken<Found>(
  find: () => Promise<Found | undefined>,
  { clock, signal, deadline }: WriteDependencies,
): Promise<Found | undefined> {
  for (const pauseMs of [0, ...LOST_WRITE_PAUSES_MS]) {
    await clock.sleep(pauseMs, signal)
    const found = clock.now() >= deadline ? undefined : await find()
    if (found !== undefined) return found
  }
  return undefined
}

/** After a repeated create: a service may allow one name twice. The newest deployment of the draft counts as ours. */
async function newestDrafted(
  created: Deployment,
  draft: DeploymentDraft,
  deps: WriteDependencies,
): Promise<{ deployment: Deployment } & Written> {
  const drafted = (await ifReadable(async () => await findDrafted(draft, deps))) ?? []
  const others = drafted.filter(({ id }) => !sameId(id, created.id))
  const [other] = others
  if (other === undefined) return { deployment: created, repeated: [{ kind: 'deployment', draft }] }
  // A list without the one just created is older than it.
  const isNewest = others.length === drafted.length || sameId(drafted[0]?.id, created.id)
  const [deployment, second] = isNewest ? [created, other] : [other, created]
  deps.emit({ kind: 'made-twice', what: 'deployment', ours: deployment.id, other: second.id })
  return { deployment, repeated: [] }
}

/** Creates the revision once. If the response was lost, a newer revision with our configuration counts as ours. */
export async function reviseOnce(
  deployment: Deployment,
  draft: RevisionDraft,
  deps: WriteDependencies,
): Promise<{ revision: Revision } & Written> {
  const known = [deployment.latestRevisionId, deployment.activeRevisionId]
  const create = async (): Promise<Revision> => await deps.controlPlane.createRevision(deployment.id, draft, known)
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
  for (let retry = 0; ; retry++) {
    const repeated: Repeated[] = retry > 0 ? [{ kind: 'revision', before: deployment, settings }] : []
    try {
      return { created: await create(), repeated }
    } catch (thrown) {
      if (!(thrown instanceof AmbiguousWriteError)) throw thrown
      const found = await findLostWrite(thrown, find, deps)
      if (found !== undefined) return { created: found, repeated }
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
