import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { mayLackRoute, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, Integration, Listener, Repository, Revision } from '../../control-plane/model.ts'
import type { ReadDependencies } from '../dependencies.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { findDeployment } from './find-deployment.ts'
import { readAll } from './paginate.ts'
import { pastReplicaLag } from './replica-lag.ts'

/** What the control plane reports, as far as a plan depends on it. The rest is not read and stays `undefined`. */
export interface CurrentState {
  /** The deployment; `undefined` if it does not exist. */
  current: Deployment | undefined
  /** The active revision, and the latest one, which may be the same. */
  active: Revision | undefined
  latest: Revision | undefined
  /** To create an external_container. */
  listeners: KnownListeners | undefined
  /** To create a git_host without integration-id. */
  integrations: InstalledIntegration[] | undefined
}

/** `unlisted`: the control plane refused to list the listeners, with this HTTP status. */
export type KnownListeners =
  { kind: 'listed'; listeners: readonly Listener[] } | { kind: 'unlisted'; status: number }

/** An installed integration. `repositories` is `undefined` if these credentials may not list them. */
export interface InstalledIntegration extends Integration {
  repositories: Repository[] | undefined
}

/**
 * Reads what a plan for the request depends on. Writes nothing.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the deployment's id is unknown
 */
export async function readCurrentState(
  request: RolloutRequest,
  deps: ReadDependencies,
): Promise<CurrentState> {
  const { controlPlane } = deps
  const current = await findDeployment(request.target, controlPlane)
  if (current !== undefined) {
    const revisions = await readRevisions(request, current, deps)
    return { current, ...revisions, listeners: undefined, integrations: undefined }
  }
  const { source, settings } = request
  const willCreate = request.ifMissing === 'create'
  const needsListeners = willCreate && source === 'external_container'
  const needsIntegration = willCreate && source === 'git_host' && settings.integrationId === undefined
  return {
    current,
    active: undefined,
    latest: undefined,
    listeners: needsListeners ? await listListeners(controlPlane) : undefined,
    integrations: needsIntegration ? await listIntegrations(controlPlane) : undefined,
  }
}

/** Usually the latest revision is the active one; then only `if-unchanged: skip` needs to read it. */
async function readRevisions(
  { ifUnchanged, resume, protectNewer }: RolloutRequest,
  { id, activeRevisionId, latestRevisionId }: Deployment,
  deps: ReadDependencies,
): Promise<Pick<CurrentState, 'active' | 'latest'>> {
  const read = async (revisionId: string): Promise<Revision> =>
    await pastReplicaLag(async () => await deps.controlPlane.getRevision(id, revisionId), deps)
  const isNewest = latestRevisionId === undefined || latestRevisionId === activeRevisionId
  const needsActive = ifUnchanged === 'skip' || (protectNewer && !isNewest)
  const active = activeRevisionId && needsActive ? await read(activeRevisionId) : undefined
  if (isNewest) return { active, latest: active }
  const needsLatest = resume || ifUnchanged === 'skip'
  return { active, latest: needsLatest ? await read(latestRevisionId) : undefined }
}

async function listListeners(controlPlane: ControlPlane): Promise<KnownListeners> {
  const listeners: Listener[] = []
  try {
    const all = readAll(async (query) => await controlPlane.listListeners(query))
    for await (const listener of all) listeners.push(listener)
    return { kind: 'listed', listeners }
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown
    return { kind: 'unlisted', status: thrown.status }
  }
}

async function listIntegrations(controlPlane: ControlPlane): Promise<InstalledIntegration[]> {
  const installed: InstalledIntegration[] = []
  for (const integration of await controlPlane.listIntegrations()) {
    installed.push({ ...integration, repositories: await listRepositories(integration.id, controlPlane) })
  }
  return installed
}

/** An integration that these credentials may not read must not hide the others. */
async function listRepositories(
  integrationId: string,
  controlPlane: ControlPlane,
): Promise<InstalledIntegration['repositories']> {
  try {
    return await controlPlane.listRepositories(integrationId)
  } catch (thrown) {
    if (isUnavailable(thrown)) return undefined
    throw thrown
  }
}

function isUnavailable(thrown: unknown): thrown is RefusedError {
  return mayLackRoute(thrown) || (thrown instanceof RefusedError && thrown.status === 403)
}
