import { acknowledged, createCall } from './answer.ts'
import { mayLackRoute } from './errors.ts'
import type { ControlPlane, PageQuery } from './control-plane.ts'
import type { Deployment, UploadTicket } from './model.ts'
import {
  createDeploymentRequest,
  createRevisionRequest,
  deleteDeploymentRequest,
  deploymentPath,
  getDeploymentRequest,
  getRevisionRequest,
  revisionPath,
  unversioned,
  updateDeploymentRequest,
  uploadUrlRequest,
} from './routes.ts'
import type { ApiRequest } from './api-request.ts'
import type { Transport } from './transport.ts'

/**
 * Creates the client of the control plane's API.
 * @param onSecrets receives each secret of a response before the caller does: secret values and signed addresses
 */
export function createControlPlane(
  transport: Transport,
  onSecrets: (values: string[]) => void,
): ControlPlane {
  return clientOf(transport, onSecrets, { uploadUrlRequest })
}

/** Facts about the service that the client finds out. */
interface Learnt {
  /** The contract shows this path without a version, and says elsewhere that every path has one: the one that works. */
  uploadUrlRequest: (deploymentId: string) => ApiRequest
}

function clientOf(transport: Transport, onSecrets: (values: string[]) => void, learnt: Learnt): ControlPlane {
  const masked = (deployment: Deployment): Deployment => {
    onSecrets((deployment.settings.secrets ?? []).flatMap(({ value }) => value ?? []))
    return deployment
  }
  const call = createCall(transport)
  return {
    within: (deadline) => clientOf(transport.within(deadline), onSecrets, learnt),
    async createDeployment(draft) {
      return masked(await call(createDeploymentRequest(draft), ({ deployment }) => deployment))
    },
    async listDeployments({ nameContains, ...page }) {
      const attempted =
        nameContains === undefined ? 'list the deployments' : `look for the deployment "${nameContains}"`
      const filter = nameContains === undefined ? {} : { name_contains: nameContains }
      const path = `/v2/deployments?${pageQuery(page, filter)}`
      const found = await call({ method: 'GET', path, attempted }, ({ deploymentList }) => deploymentList)
      return { resources: found.resources.map(masked), offset: found.offset }
    },
    async getDeployment(id) {
      return masked(await call(getDeploymentRequest(id), ({ deployment }) => deployment))
    },
    async updateDeployment(id, settings) {
      const request = updateDeploymentRequest(id, settings)
      const reported = await acknowledged(transport, request, ({ deployment }) => deployment)
      return reported && masked(reported)
    },
    async deleteDeployment(id) {
      await transport.send(deleteDeploymentRequest(id))
    },
    async createRevision(deploymentId, draft) {
      return await call(createRevisionRequest(deploymentId, draft), ({ revision }) => revision)
    },
    async getRevision(deploymentId, revisionId, options) {
      const request = { ...getRevisionRequest(deploymentId, revisionId), ...options }
      return await call(request, ({ revision }) => revision)
    },
    async listRevisions(deploymentId, { limit }) {
      const attempted = `list the revisions of the deployment ${deploymentId}`
      const path = `${deploymentPath(deploymentId)}/revisions?limit=${limit}`
      const found = await call({ method: 'GET', path, attempted }, ({ revisionList }) => revisionList)
      return found.resources
    },
    async readLog(deploymentId, revisionId, { type, lines }) {
      const query = new URLSearchParams({ type, order: 'desc', limit: String(lines) })
      const attempted = `read the ${type} log of the revision ${revisionId}`
      const path = `${revisionPath(deploymentId, revisionId)}/logs?${query.toString()}`
      const log = await call({ method: 'GET', path, attempted, retries: 1 }, ({ logs }) => logs)
      return log.logs.map(({ message }) => message ?? '').toReversed()
    },
    async redeploy(deploymentId, revisionId) {
      const attempted = `deploy the revision ${revisionId} again`
      const path = `${revisionPath(deploymentId, revisionId)}/redeploy`
      return masked(await call({ method: 'POST', path, attempted }, ({ deployment }) => deployment))
    },
    async createUploadTicket(deploymentId) {
      const ask = async (request: ApiRequest): Promise<UploadTicket> => {
        const wire = await call(request, ({ uploadTicket }) => uploadTicket)
        const url = new URL(wire.upload_url)
        onSecrets(signaturesOf(wire.upload_url, url))
        return { url, objectPath: wire.object_path, headers: wire.headers ?? {} }
      }
      try {
        return await ask(learnt.uploadUrlRequest(deploymentId))
      } catch (thrown) {
        // If the deployment is unknown, the other path fails with the same error.
        if (!mayLackRoute(thrown)) throw thrown
        const ticket = await ask(unversioned(uploadUrlRequest(deploymentId)))
        learnt.uploadUrlRequest = (id) => unversioned(uploadUrlRequest(id))
        return ticket
      }
    },
    async listListeners(page) {
      const path = `/v2/listeners?${pageQuery(page)}`
      const attempted = 'list the listeners'
      return await call({ method: 'GET', path, attempted }, ({ listenerList }) => listenerList)
    },
    async listIntegrations() {
      const path = '/v1/integrations/git_host/install'
      const attempted = 'list the installed git-host integrations'
      return await call({ method: 'GET', path, attempted }, ({ integrations }) => integrations)
    },
    async listRepositories(integrationId) {
      const path = `/v1/integrations/git_host/${encodeURIComponent(integrationId)}/repos`
      const attempted = `list the repositories of the integration ${integrationId}`
      const found = await call({ method: 'GET', path, attempted }, ({ repositories }) => repositories)
      return found.map(({ host_integration_id, url }) => ({
        integrationId: host_integration_id ?? integrationId,
        url,
      }))
    },
  }
}

function pageQuery({ limit, offset }: PageQuery, filter: Record<string, string> = {}): string {
  return new URLSearchParams({ ...filter, limit: String(limit), offset: String(offset) }).toString()
}

/** A signed address gives write access. It is a secret, and so are its long parameters. */
function signaturesOf(address: string, { href, search, searchParams }: URL): string[] {
  const signatures = [...searchParams.values()].filter((value) => value.length >= MIN_SIGNATURE_LENGTH)
  return search === '' ? [] : [address, href, search.slice(1), ...signatures]
}

/** In characters: shorter parameters are dates, durations and the like. */
const MIN_SIGNATURE_LENGTH = 20
