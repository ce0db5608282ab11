import type { Clock } from '../clock.ts'
import { AGENT_SERVER, type Api } from './api.ts'
import { acknowledged, broken, call, type Choose } from './answer.ts'
import { readText } from '../http/body.ts'
import { MAX_REVISION_BYTES } from '../http/limits.ts'
import type { Receive } from '../http/exchange.ts'
import type { ApiRequest } from './api-request.ts'
import { mayLackRoute } from './errors.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Deployment, Revision, UploadTicket } from './model.ts'
import { ReportedSecrets, withoutReserved, type OnSecrets } from './reported-secrets.ts'
import * as routes from './routes.ts'
import { sameId } from './same-id.ts'
import { sameName } from './same-name.ts'
import { ServerClock } from './server-clock.ts'
import type { Transport } from './transport.ts'

/** The service that a client talks to, and what a deletion includes there. */
export interface Service {
  api: Api
  deletesTracingProjects: boolean
}

interface Learnt {
  isUploadVersioned: boolean
  secrets: ReportedSecrets
  clock: ServerClock
}

/**
 * Creates the client of the control plane's API.
 * @param service what it talks to; the transport speaks the contract already
 * @param learnt facts about the service that the client finds out, shared among its deadlines
 */
export function createControlPlane(
  transport: Transport,
  onSecrets: OnSecrets,
  clock: Pick<Clock, 'now'>,
  service: Service = { api: AGENT_SERVER, deletesTracingProjects: false },
  learnt: Learnt = { isUploadVersioned: true, secrets: new ReportedSecrets(), clock: new ServerClock() },
): ControlPlane {
  const masked = (reported: Deployment): Deployment => {
    const { deployment, values } = learnt.secrets.bound(reported)
    onSecrets(values, deployment)
    const { isPreviewBuild, ...own } = withoutReserved(deployment, service.api)
    return isPreviewBuild && service.api.hasPreviewBuilds ? { ...own, isPreviewBuild } : own
  }
  const timed = async <T>(request: ApiRequest, choose: Choose<T>): ReturnType<typeof call<T>> => {
    const answer = await call(transport, request, choose)
    learnt.clock.heard(answer.serverTime, answer.moments ?? { cameAt: clock.now() })
    return answer
  }
  const send = async <T>(request: ApiRequest, choose: Choose<T>): Promise<T> => (await timed(request, choose)).value
  /** A cache or a mixed-up gateway may answer about something else: then nothing of the answer counts. */
  const sendForDeployment = async (
    request: ApiRequest,
    wanted: string,
    isWanted: (deployment: Deployment) => boolean,
  ): Promise<Deployment> => {
    const found = masked(await send(request, ({ deployment }) => deployment))
    if (isWanted(found)) return found
    throw broken(transport, request, `the deployment "${found.name}" (${found.id}) in place of ${wanted}`)
  }
  const sendForRevision = async (
    request: ApiRequest,
    wanted: string,
    isWanted: (revision: Revision) => boolean,
  ): Promise<Revision> => {
    const found = await send(request, ({ revision }) => revision)
    if (isWanted(found)) return found
    throw broken(transport, request, `the revision ${found.id} in place of ${wanted}`)
  }
  const get = async <T>(attempted: string, path: string, choose: Choose<T>): Promise<T> =>
    await send({ method: 'GET', path, attempted }, choose)
  return {
    prefix: transport.prefix ?? '',
    deletesTracingProjects: service.deletesTracingProjects,
    api: service.api,
    serverTime: () => learnt.clock.time(clock.now()),
    within: (deadline) => createControlPlane(transport.within(deadline), onSecrets, clock, service, learnt),
    async createDeployment(draft) {
      const request = routes.createDeploymentRequest(draft)
      return await sendForDeployment(request, `"${draft.name}"`, ({ name }) => sameName(name, draft.name))
    },
    async listDeployments({ nameContains, ids, ...page }) {
      const attempted =
        nameContains === undefined ? 'list the deployments' : `look for the deployment "${nameContains}"`
      const path = `/v2/deployments?${routes.queryOf({ name_contains: nameContains, deployment_ids: ids?.join(','), ...page })}`
      // It shows many deployments.
      const order = ids === undefined ? {} : { first: true as const }
      const request = { method: 'GET', path, attempted, ...order } as const
      const { value, serverTime } = await timed(request, ({ deploymentList }) => deploymentList)
      return { resources: value.resources.map(masked), offset: value.offset, serverTime }
    },
    async getDeployment(id) {
      return await sendForDeployment(routes.getDeploymentRequest(id), id, (found) => sameId(found.id, id))
    },
    async updateDeployment(id, settings) {
      const request = routes.updateDeploymentRequest(id, settings)
      const reported = await acknowledged(transport, request, ({ deployment }) => deployment)
      const shown = reported && masked(reported)
      return sameId(shown?.id, id) ? shown : undefined
    },
    async deleteDeployment(id) {
      const attempted = `delete the deployment ${id}`
      const query = service.deletesTracingProjects ? '?delete_tracing_project=true' : ''
      const request = { method: 'DELETE', path: routes.deploymentPath(id) + query, attempted, retries: 0 } as const
      await acknowledged(transport, request, ({ deployment }) => deployment)
    },
    async createRevision(deploymentId, draft, known) {
      const request = routes.createRevisionRequest(deploymentId, draft)
      const others = [deploymentId, ...known]
      return await sendForRevision(request, 'a new one', ({ id }) => !others.some((other) => sameId(id, other)))
    },
    async getRevision(deploymentId, revisionId, options) {
      const receive: Receive = async (message) => await readText(message, MAX_REVISION_BYTES)
      const request = { ...routes.getRevisionRequest(deploymentId, revisionId), receive, ...options }
      return await sendForRevision(request, revisionId, ({ id }) => sameId(id, revisionId))
    },
    async listRevisions(deploymentId, page, options) {
      const attempted = `list the revisions of the deployment ${deploymentId}`
      const path = `${routes.deploymentPath(deploymentId)}/revisions?${routes.queryOf({ ...page })}`
      return await send({ method: 'GET', path, attempted, ...options }, ({ revisionList }) => revisionList)
    },
    async readLog(deploymentId, revisionId, { type, lines }) {
      const attempted = `read the ${type} log of the revision ${revisionId}`
      const query = routes.queryOf({ type, order: 'desc', limit: lines })
      const path = `${routes.revisionPath(deploymentId, revisionId)}/logs?${query}`
      const { entries } = await send({ method: 'GET', path, attempted, retries: 1 }, ({ logPage }) => logPage)
      return entries.toReversed().map(({ message }) => message)
    },
    async readLogPage(deploymentId, revisionId, { type, ...page }, options) {
      const attempted = `read the ${type} log of the revision ${revisionId}`
      const path = `${routes.revisionPath(deploymentId, revisionId)}/logs?${routes.queryOf({ type, order: 'asc', ...page })}`
      return await send({ method: 'GET', path, attempted, ...options }, ({ logPage }) => logPage)
    },
    async redeploy(deploymentId, revisionId) {
      const request = routes.redeployRequest(deploymentId, revisionId)
      return await sendForDeployment(request, deploymentId, ({ id }) => sameId(id, deploymentId))
    },
    async createUploadTicket(deploymentId) {
      const ask = async (request: ApiRequest): Promise<UploadTicket> => {
        const wire = await send(request, ({ uploadTicket }) => uploadTicket)
        const url = new URL(wire.upload_url)
        onSecrets(signaturesOf(wire.upload_url, url))
        return { url, objectPath: wire.object_path, headers: wire.headers ?? service.api.uploadHeaders }
      }
      // The contract shows this path without a version, and says elsewhere that every path has one.
      const versioned = routes.uploadUrlRequest(deploymentId)
      const unversioned = { ...versioned, path: versioned.path.replace(/^\/v2/, '') }
      if (!learnt.isUploadVersioned) return await ask(unversioned)
      try {
        return await ask(versioned)
      } catch (thrown) {
        // If the deployment is unknown, the other path fails with the same error.
        if (!mayLackRoute(thrown)) throw thrown
        const ticket = await ask(unversioned)
        learnt.isUploadVersioned = false
        return ticket
      }
    },
    async listListeners(page) {
      const path = `/v2/listeners?${routes.queryOf({ ...page })}`
      return await get('list the listeners', path, ({ listenerList }) => listenerList)
    },
    async listIntegrations() {
      const path = '/v1/integrations/git_host/install'
      const attempted = 'list the installed git-host integrations'
      const request = { method: 'GET', path, attempted, hintFor: withoutIntegrations } as const
      return await send(request, ({ integrations }) => integrations)
    },
    async listRepositories(integrationId) {
      const attempted = `list the repositories of the integration ${integrationId}`
      const path = `/v1/integrations/git_host/${encodeURIComponent(integrationId)}/repos`
      const found = await get(attempted, path, ({ repositories }) => repositories)
      return found.map((wire) => ({ integrationId: wire.host_integration_id ?? integrationId, url: wire.url }))
    },
  }
}

/** A control plane need not have this route. */
function withoutIntegrations(status: number): string | undefined {
  return status === 404 || status === 405
    ? 'Set integration-id: this control plane does not list its integrations.'
    : undefined
}

/** A signed address gives write access. It is a secret, and so are its long parameters. */
function signaturesOf(address: string, { href, search, searchParams }: URL): string[] {
  const signatures = [...searchParams.values()].filter((value) => value.length >= MIN_SIGNATURE_LENGTH)
  return search === '' ? [] : [address, href, search.slice(1), ...signatures]
}

/** In characters: shorter parameters are dates, durations and the like. */
const MIN_SIGNATURE_LENGTH = 20
