import type { Api } from '../../control-plane/api.ts'
import { AmbiguousWriteError, ifReadable, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, DeploymentDraft } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import type { WriteDependencies } from '../dependencies.ts'
import type { Repeated } from '../event.ts'
import { findByName } from '../read/find-deployment.ts'
import { LOST_WRITE_PAUSES_MS } from '../timing.ts'
import { findDrafted, findNamed, matchesDraft } from './find-created.ts'
import { findLostWrite, lostWrite } from './lost-write.ts'
import type { Written } from './revise-once.ts'

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
  let earlier: AmbiguousWriteError | undefined
  for (let retry = 0; ; retry++) {
    const repeated: Repeated[] = earlier === undefined ? [] : [{ kind: 'deployment', draft }]
    try {
      const deployment = await controlPlane.createDeployment(draft)
      if (earlier === undefined) return { kind: 'created', deployment, repeated }
      return { kind: 'created', ...(await newestDrafted(deployment, draft, deps)) }
    } catch (thrown) {
      const lost = lostWrite(thrown, earlier)
      if (lost instanceof AmbiguousWriteError) earlier = lost
      if (lost === undefined) return await nameTaken(thrown, draft.name, deps)
      const found = await findLostWrite(lost, async () => await findNamed(draft, deps), deps, retry)
      if (found !== undefined)
        return matchesDraft(found, draft) ? { kind: 'created', deployment: found, repeated } : { kind: 'exists' }
      if (retry >= maxRetries || thrown instanceof RefusedError) throw lost
    }
  }
}

/**
 * Looks for the deployment that has the name, while a replica may lack it.
 * @throws what came back, unless it says that a name is taken whose deployment is found
 */
async function nameTaken(
  thrown: unknown,
  name: string,
  { controlPlane, clock, signal, deadline }: WriteDependencies,
): Promise<{ kind: 'exists' }> {
  if (!isNameTaken(thrown)) throw thrown
  for (const pauseMs of [0, ...LOST_WRITE_PAUSES_MS]) {
    await clock.sleep(pauseMs, signal)
    if (clock.now() < deadline && (await findByName(name, controlPlane)) !== undefined) return { kind: 'exists' }
  }
  throw takenByInvisible(name, thrown, controlPlane.api)
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

/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown: unknown): thrown is RefusedError {
  if (!(thrown instanceof RefusedError)) return false
  const saysTaken = /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i
  return thrown.status === 409 || (thrown.status === 400 && saysTaken.test(thrown.detail))
}

const TRACING_PROJECT =
  'Or a deleted deployment has left its tracing project, which reserves the name: delete that project, and set delete-tracing-project to true in the step that deletes the deployment.'

const PREVIEW_BUILD = 'Or a preview build of the service itself has the name: then choose another one.'

function takenByInvisible(
  name: string,
  { status, detail, trouble }: RefusedError,
  { hasTracingProjects, hasPreviewBuilds }: Pick<Api, 'hasTracingProjects' | 'hasPreviewBuilds'>,
): RefusedError {
  const hidden = `The name "${name}" is taken by a deployment that these credentials cannot see: choose another name, or set tenant-id.`
  const others = [...(hasTracingProjects ? [TRACING_PROJECT] : []), ...(hasPreviewBuilds ? [PREVIEW_BUILD] : [])]
  return new RefusedError(status, detail, { ...trouble, hint: [hidden, ...others].join(' ') })
}
