import type { z } from 'zod'
import { AmbiguousWriteError, BrokenContractError, RefusedError, type Trouble } from './errors.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Deployment, UploadTicket } from './model.ts'
import { parseJson } from './json.ts'
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
import type * as Schemas from './schemas.ts'
import type { ApiRequest, Transport } from './transport.ts'
import { readDeployment, readListener, readRevision, readUploadTicket } from './wire.ts'

/**
 * @param onSecrets told of every secret value in an answer before anything else is done with it: mask it at once.
 */
export function createControlPlane(
  transport: Transport,
  onSecrets: (values: string[]) => void,
): ControlPlane {
  const toDeployment = (wire: Schemas.WireDeployment): Deployment => {
    onSecrets((wire.secrets ?? []).flatMap(({ value }) => value ?? []))
    return readDeployment(wire)
  }
  const call = async <T>(
    request: ApiRequest,
    choose: (schemas: typeof Schemas) => z.ZodType<T>,
  ): Promise<T> => {
    const { body } = await transport(request)
    // Loaded with the first answer, so that the first request need not wait for it.
    return parseAnswer(request, body, choose(await import('./schemas.ts')))
  }

  // The contract prints this one path without a version, and says elsewhere that every path has one: whichever worked.
  let uploadUrlOf = uploadUrlRequest
  return {
    async createDeployment(draft) {
      return toDeployment(await call(createDeploymentRequest(draft), ({ deployment }) => deployment))
    },
    async listDeployments({ nameContains, limit, offset }) {
      const query = new URLSearchParams({
        name_contains: nameContains,
        limit: String(limit),
        offset: String(offset),
      })
      const attempted = `look for the deployment "${nameContains}"`
      const page = await call(
        { method: 'GET', path: `/v2/deployments?${query.toString()}`, attempted },
        ({ deploymentList }) => deploymentList,
      )
      return { resources: page.resources.map(toDeployment), offset: page.offset }
    },
    async getDeployment(id) {
      return toDeployment(await call(getDeploymentRequest(id), ({ deployment }) => deployment))
    },
    async updateDeployment(id, settings) {
      // Its answer names no revision and nothing in it is needed: any 2xx will do.
      await transport(updateDeploymentRequest(id, settings))
    },
    async deleteDeployment(id) {
      await transport(deleteDeploymentRequest(id))
    },
    async createRevision(deploymentId, draft) {
      return readRevision(await call(createRevisionRequest(deploymentId, draft), ({ revision }) => revision))
    },
    async getRevision(deploymentId, revisionId, options) {
      const request = { ...getRevisionRequest(deploymentId, revisionId), ...options }
      return readRevision(await call(request, ({ revision }) => revision))
    },
    async listRevisions(deploymentId, { limit }) {
      const attempted = `list the revisions of the deployment ${deploymentId}`
      const path = `${deploymentPath(deploymentId)}/revisions?limit=${limit}`
      const found = await call({ method: 'GET', path, attempted }, ({ revisionList }) => revisionList)
      return found.resources.map(readRevision)
    },
    async readLog(deploymentId, revisionId, { type, lines }) {
      const query = new URLSearchParams({ type, order: 'desc', limit: String(lines) })
      const attempted = `read the ${type} log of the revision ${revisionId}`
      const path = `${revisionPath(deploymentId, revisionId)}/logs?${query.toString()}`
      const told = await call({ method: 'GET', path, attempted, retries: 1 }, ({ logs }) => logs)
      return told.logs.map(({ message }) => message ?? '').toReversed()
    },
    async redeploy(deploymentId, revisionId) {
      const attempted = `deploy the revision ${revisionId} again`
      const path = `${revisionPath(deploymentId, revisionId)}/redeploy`
      return toDeployment(await call({ method: 'POST', path, attempted }, ({ deployment }) => deployment))
    },
    async createUploadTicket(deploymentId) {
      const ask = async (request: ApiRequest): Promise<UploadTicket> => {
        const wire = await call(request, ({ uploadTicket }) => uploadTicket)
        const ticket = readUploadTicket(wire)
        onSecrets(signaturesOf(wire.upload_url, ticket.url))
        return ticket
      }
      try {
        return await ask(uploadUrlOf(deploymentId))
      } catch (thrown) {
        if (!isMissingRoute(thrown)) throw thrown
        const ticket = await ask(unversioned(uploadUrlRequest(deploymentId)))
        uploadUrlOf = (id) => unversioned(uploadUrlRequest(id))
        return ticket
      }
    },
    async listListeners({ limit, offset }) {
      const query = new URLSearchParams({ limit: String(limit), offset: String(offset) })
      const page = await call(
        { method: 'GET', path: `/v2/listeners?${query.toString()}`, attempted: 'list the listeners' },
        ({ listenerList }) => listenerList,
      )
      return { resources: page.resources.map(readListener), offset: page.offset }
    },
    async listIntegrations() {
      const attempted = 'list the installed git-host integrations'
      const request = { method: 'GET' as const, path: '/v1/integrations/git_host/install', attempted }
      const found = await call(request, ({ integrations }) => integrations)
      return found.map(({ id, name }) => ({ id, name: name ?? undefined }))
    },
    async listRepositories(integrationId) {
      const path = `/v1/integrations/git_host/${encodeURIComponent(integrationId)}/repos`
      const attempted = `list the repositories of the integration ${integrationId}`
      const found = await call({ method: 'GET', path, attempted }, ({ repositories }) => repositories)
      return found.map(({ host_integration_id: own, url }) => ({ integrationId: own ?? integrationId, url }))
    },
  }
}

/** Whoever knows a signed address may write there: it is masked, and so are its long parameters. */
function signaturesOf(told: string, { href, search, searchParams }: URL): string[] {
  const signatures = [...searchParams.values()].filter((value) => value.length >= MIN_SIGNATURE_LENGTH)
  return search === '' ? [] : [told, href, search.slice(1), ...signatures]
}

/** Shorter parameters are dates, numbers of seconds and the like. */
const MIN_SIGNATURE_LENGTH = 20

/** 404 may also mean that the deployment is unknown; the other spelling of the path then says the same. */
function isMissingRoute(thrown: unknown): boolean {
  return thrown instanceof RefusedError && (thrown.status === 404 || thrown.status === 405)
}

function parseAnswer<T>(request: ApiRequest, body: string, schema: z.ZodType<T>): T {
  const json = parseJson(body)
  if (!json.ok) throw broken(request, describeNonJson(body))
  const parsed = schema.safeParse(json.value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  throw broken(request, `JSON that breaks the contract (${problems.join('; ')})`)
}

function describeNonJson(body: string): string {
  if (body.trim() === '') return 'an empty body'
  return /^\s*</.test(body)
    ? 'HTML or XML instead of JSON, such as a login or error page'
    : 'text that is not JSON'
}

function broken(request: ApiRequest, what: string): BrokenContractError | AmbiguousWriteError {
  const path = request.path.replace(/\?.*$/, '')
  const trouble: Trouble = {
    attempted: request.attempted,
    cameBack: `${request.method} ${path} answered with ${what}`,
    hint: 'Check that base-url points to the control plane, path prefix included, and that no proxy answers in its place.',
  }
  // A write that was answered with success did happen, whatever became of its answer.
  return request.method === 'GET' || request.repeatable === true
    ? new BrokenContractError(trouble)
    : new AmbiguousWriteError(trouble)
}
