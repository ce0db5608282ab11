import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { mayLackRoute, RefusedError } from '../../control-plane/errors.ts'
import { sameId, type Deployment, type Listener, type Revision } from '../../control-plane/model.ts'
import type { ReadDependencies } from '../dependencies.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { findDeployment } from './find-deployment.ts'
import { readAll } from '../../control-plane/paginate.ts'
import { pastReplicaLag } from './replica-lag.ts'
import { findSimilarName } from './similar-name.ts'
import type { CurrentState, InstalledIntegration, KnownListeners } from './types.ts'

/**
 * Reads what a plan for the request depends on. Writes nothing.
 * @throws ControlPlaneError when a request fails; RefusedError, among others, when the deployment's id is unknown
 */
export async function readCurrentState(request: RolloutRequest, deps: ReadDependencies): Promise<CurrentState> {
  const { controlPlane } = deps
  const current = await findDeployment(request.target, deps)
  if (current !== undefined) {
    const revisions = await readRevisions(request, current, deps)
    return { current, ...revisions, listeners: undefined, integrations: undefined }
  }
  const source = request.ifMissing === 'create' ? request.source : undefined
  const needsIntegration = source === 'git_host' && request.settings.integrationId === undefined
  return {
    current,
    similarName: source === undefined ? undefined : await findSimilarName(request, deps),
    active: undefined,
    latest: undefined,
    listeners: source === 'external_container' ? await listListeners(controlPlane) : undefined,
    integrations: needsIntegration ? await listIntegrations(controlPlane) : undefined,
  }
}

/** Usually the latest revision is the active one; then only a comparison with it needs to read it. */
async function readRevisions(
  { ifUnchanged, dryRun, resume, protectNewer }: RolloutRequest,
  { id, activeRevisionId, latestRevisionId }: Deployment,
  deps: ReadDependencies,
): Promise<Partial<Pick<CurrentState, 'current'>> & Pick<CurrentState, 'active' | 'latest'>> {
  const read = async (revisionId: string): Promise<Revision> =>
    await pastReplicaLag(async () => await deps.controlPlane.getRevision(id, revisionId), deps)
  const isNewest = latestRevisionId === undefined || sameId(latestRevisionId, activeRevisionId)
  const compares = ifUnchanged === 'skip' || dryRun
  const needsActive = compares || (protectNewer && !isNewest)
  const active = activeRevisionId && needsActive ? await read(activeRevisionId) : undefined
  if (isNewest) return { active, latest: active }
  const needsLatest = resume || compares
  const latest = needsLatest ? await read(latestRevisionId) : undefined
  if (!compares || latest?.status !== 'DEPLOYED') return { active, latest }
  // It may have become the active one since the deployment was read, which is long ago in a fleet.
  const now = await deps.controlPlane.getDeployment(id)
  return sameId(now.activeRevisionId, latest.id) ? { current: now, active: latest, latest } : { active, latest }
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
    let repositories: InstalledIntegration['repositories']
    try {
      repositories = await controlPlane.listRepositories(integration.id)
    } catch (thrown) {
      // An integration that these credentials may not read must not hide the others.
      if (!isUnavailable(thrown)) throw thrown
    }
    installed.push({ ...integration, repositories })
  }
  return installed
}

function isUnavailable(thrown: unknown): thrown is RefusedError {
  return mayLackRoute(thrown) || (thrown instanceof RefusedError && thrown.status === 403)
}
