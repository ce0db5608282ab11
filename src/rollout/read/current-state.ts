import type { Clock } from '../../clock.ts'
import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { mayLackRoute, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, Listener, Revision } from '../../control-plane/model.ts'
import type { InstalledIntegration } from '../plan/integration.ts'
import type { KnownListeners } from '../plan/listener.ts'
import { findDeployment } from './find-deployment.ts'
import { readAll } from './paginate.ts'
import { pastReplicaLag } from './replica-lag.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/** What the control plane says, as far as planning needs it. What no plan would ask for is not read. */
export interface Survey {
  /** The deployment that is meant, when there is one. */
  current: Deployment | undefined
  /** The active revision, and the latest one, which may be the same; as far as they have to be known. */
  active: Revision | undefined
  latest: Revision | undefined
  /** For creating an external_container. */
  listeners: KnownListeners | undefined
  /** For creating a git_host whose integration is left out. */
  integrations: InstalledIntegration[] | undefined
}

export type SurveyedRoutes = Pick<
  ControlPlane,
  | 'getDeployment'
  | 'listDeployments'
  | 'getRevision'
  | 'listListeners'
  | 'listIntegrations'
  | 'listRepositories'
>

export interface SurveyDoors {
  controlPlane: SurveyedRoutes
  clock: Clock
  signal: AbortSignal
  deadline: number
}

/**
 * Reads what a plan for the request depends on. Writes nothing.
 * @throws RefusedError, among others, as every request does
 */
export async function surveyControlPlane(request: RolloutRequest, doors: SurveyDoors): Promise<Survey> {
  const { controlPlane } = doors
  const current = await findDeployment(request.target, controlPlane)
  if (current !== undefined) {
    const revisions = await readRevisions(request, current, doors)
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

/** In the usual case, where the latest revision is the active one, nothing has to be read but for `if-unchanged: skip`. */
async function readRevisions(
  { ifUnchanged, resume, protectNewer }: RolloutRequest,
  { id, activeRevisionId, latestRevisionId }: Deployment,
  doors: SurveyDoors,
): Promise<Pick<Survey, 'active' | 'latest'>> {
  const read = async (revisionId: string): Promise<Revision> =>
    await pastReplicaLag(async () => await doors.controlPlane.getRevision(id, revisionId), doors)
  const isNewest = latestRevisionId === undefined || latestRevisionId === activeRevisionId
  const needsActive = ifUnchanged === 'skip' || (protectNewer && !isNewest)
  const active = activeRevisionId && needsActive ? await read(activeRevisionId) : undefined
  if (isNewest) return { active, latest: active }
  const needsLatest = resume || ifUnchanged === 'skip'
  return { active, latest: needsLatest ? await read(latestRevisionId) : undefined }
}

async function listListeners(controlPlane: SurveyedRoutes): Promise<KnownListeners> {
  const listeners: Listener[] = []
  try {
    for await (const listener of readAll(controlPlane.listListeners)) listeners.push(listener)
    return { kind: 'listed', listeners }
  } catch (thrown) {
    if (!isOutOfReach(thrown)) throw thrown
    return { kind: 'unlisted', reason: `the control plane does not list listeners (HTTP ${thrown.status})` }
  }
}

async function listIntegrations(controlPlane: SurveyedRoutes): Promise<InstalledIntegration[]> {
  const installed: InstalledIntegration[] = []
  for (const integration of await controlPlane.listIntegrations()) {
    installed.push({ ...integration, repositories: await listRepositories(integration.id, controlPlane) })
  }
  return installed
}

/** One integration that these credentials may not look into must not hide the one that is meant. */
async function listRepositories(
  integrationId: string,
  controlPlane: SurveyedRoutes,
): Promise<InstalledIntegration['repositories']> {
  try {
    return await controlPlane.listRepositories(integrationId)
  } catch (thrown) {
    if (isOutOfReach(thrown)) return undefined
    throw thrown
  }
}

function isOutOfReach(thrown: unknown): thrown is RefusedError {
  return mayLackRoute(thrown) || (thrown instanceof RefusedError && thrown.status === 403)
}
