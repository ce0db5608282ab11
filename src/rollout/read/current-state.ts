import type { ControlPlane } from '../../control-plane/client.ts'
import { ifReadable, mayLackRoute, RefusedError } from '../../control-plane/errors.ts'
import {
  type Deployment,
  type Integration,
  type Listener,
  type Repository,
  type Revision,
  sameId,
} from '../../control-plane/model.ts'
import { listWhole } from '../../control-plane/many.ts'
import type { Reader } from '../dependencies.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { findDeployment, findSimilarName } from './find-deployment.ts'
import { readRevision } from './read-again.ts'

/** The state that a plan depends on. A part that is not read stays `undefined`. */
export interface CurrentState {
  current: Deployment | undefined
  active: Revision | undefined
  latest: Revision | undefined
  similarName?: string | undefined
  listeners?: KnownListeners | undefined
  integrations?: InstalledIntegration[] | undefined
  /** The deployment has the name of the preview, and no run has noted that it is one. */
  isAdopted?: boolean
}

export type KnownListeners = { kind: 'listed'; listeners: readonly Listener[] } | { kind: 'unlisted'; status: number }

/** `repositories` is `undefined` if these credentials may not list them. */
export interface InstalledIntegration extends Integration {
  repositories: Repository[] | undefined
}

/** Reads what a plan depends on. Throws ControlPlaneError; RefusedError, among others, when the id is unknown. */
export async function readCurrentState(
  request: RolloutRequest,
  deps: Reader,
  find = async (): Promise<Deployment | undefined> => await findDeployment(request.target, deps),
): Promise<CurrentState> {
  const current = await find()
  return current === undefined ? await readForCreation(request, deps) : await readRevisions(request, current, deps)
}

async function readForCreation(request: RolloutRequest, deps: Reader): Promise<CurrentState> {
  const { controlPlane } = deps
  const nothing = { current: undefined, active: undefined, latest: undefined }
  if (request.ifMissing !== 'create' || request.source === undefined) return nothing
  const needsIntegration = request.source === 'git_host' && request.settings.integrationId === undefined
  return {
    ...nothing,
    similarName: await findSimilarName(request, deps),
    listeners: request.source === 'external_container' ? await listListeners(controlPlane) : undefined,
    integrations: needsIntegration ? await listIntegrations(controlPlane) : undefined,
  }
}

/** Usually the latest revision is the active one; then only a comparison with it needs to read it. */
async function readRevisions(
  { ifUnchanged, dryRun, approved, resume, protectNewer }: RolloutRequest,
  current: Deployment,
  deps: Reader,
): Promise<CurrentState> {
  const { id, activeRevisionId, latestRevisionId } = current
  const isNewest = latestRevisionId === undefined || sameId(latestRevisionId, activeRevisionId)
  const compares = ifUnchanged === 'skip' || dryRun || approved !== undefined
  const needsActive = compares || (protectNewer && !isNewest)
  const active = activeRevisionId && needsActive ? await readRevision(id, activeRevisionId, deps) : undefined
  if (isNewest) return { current, active, latest: active }
  const latest = resume || compares ? await readRevision(id, latestRevisionId, deps) : undefined
  if (!compares || latest?.status !== 'DEPLOYED') return { current, active, latest }
  // It may have become the active one since the deployment was read, which is long ago in a fleet.
  const now = await deps.controlPlane.getDeployment(id)
  return sameId(now.activeRevisionId, latest.id)
    ? { current: now, active: latest, latest }
    : { current, active, latest }
}

async function listListeners(controlPlane: ControlPlane): Promise<KnownListeners> {
  try {
    const listeners = await listWhole(async (query) => await controlPlane.listListeners(query))
    return { kind: 'listed', listeners }
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown
    return { kind: 'unlisted', status: thrown.status }
  }
}

async function listIntegrations(controlPlane: ControlPlane): Promise<InstalledIntegration[]> {
  return await Array.fromAsync(await controlPlane.listIntegrations(), async (integration) => {
    const read = async (): Promise<Repository[]> => await controlPlane.listRepositories(integration.id)
    // An integration that these credentials may not read must not hide the others.
    return { ...integration, repositories: await ifReadable(read, isUnavailable) }
  })
}

function isUnavailable(thrown: unknown): thrown is RefusedError {
  return mayLackRoute(thrown) || (thrown instanceof RefusedError && thrown.status === 403)
}
