import type { z } from 'zod'
import { AmbiguousWriteError, BrokenContractError, type Trouble } from './errors.ts'
import type { Deployment, DeploymentDraft, Revision, RevisionDraft, Settings } from './model.ts'
import { parseJson } from './json.ts'
import type * as Schemas from './schemas.ts'
import type { ApiRequest, Transport } from './transport.ts'
import { readDeployment, readRevision, writeDeployment, writePatch, writeRevision } from './wire.ts'

export interface DeploymentPage {
  resources: Deployment[]
  /** What the next request passes as its offset. */
  offset: number
}

/** The control plane's routes, one method each. Every method throws what {@link Transport} throws. */
export interface ControlPlane {
  /** `POST /v2/deployments`, 201 or 200. Never repeated when the server may have acted. */
  createDeployment(draft: DeploymentDraft): Promise<Deployment>
  /** `GET /v2/deployments`, one page; `nameContains` is a substring match at best: compare names yourself. */
  listDeployments(query: { nameContains: string; limit: number; offset: number }): Promise<DeploymentPage>
  /** `GET /v2/deployments/{id}` */
  getDeployment(id: string): Promise<Deployment>
  /** `PATCH /v2/deployments/{id}`; of the settings only config-only ones, as others would create a revision. */
  updateDeployment(id: string, settings: Settings): Promise<void>
  /** `POST /v2/deployments/{id}/revisions`, 201 or 200: always a new revision. */
  createRevision(deploymentId: string, draft: RevisionDraft): Promise<Revision>
  /** `GET /v2/deployments/{id}/revisions/{revision_id}` */
  getRevision(deploymentId: string, revisionId: string, options?: { retries: number }): Promise<Revision>
}

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

  return {
    async createDeployment(draft) {
      const attempted = `create the deployment "${draft.name}"`
      const request = {
        method: 'POST' as const,
        path: '/v2/deployments',
        body: writeDeployment(draft),
        attempted,
      }
      return toDeployment(await call(request, ({ deployment }) => deployment))
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
      const attempted = `read the deployment ${id}`
      return toDeployment(
        await call({ method: 'GET', path: deploymentPath(id), attempted }, ({ deployment }) => deployment),
      )
    },
    async updateDeployment(id, settings) {
      const attempted = `update the deployment ${id}`
      // Its answer names no revision and nothing in it is needed: any 2xx will do. Saying the same twice does no harm.
      const body = writePatch(settings)
      await transport({ method: 'PATCH', path: deploymentPath(id), body, attempted, repeatable: true })
    },
    async createRevision(deploymentId, draft) {
      const attempted = `create a revision of the deployment ${deploymentId}`
      const path = `${deploymentPath(deploymentId)}/revisions`
      return readRevision(
        await call(
          { method: 'POST', path, body: writeRevision(draft), attempted },
          ({ revision }) => revision,
        ),
      )
    },
    async getRevision(deploymentId, revisionId, options) {
      const attempted = `read the revision ${revisionId}`
      const path = `${deploymentPath(deploymentId)}/revisions/${encodeURIComponent(revisionId)}`
      return readRevision(
        await call({ method: 'GET', path, attempted, ...options }, ({ revision }) => revision),
      )
    },
  }
}

function deploymentPath(id: string): string {
  return `/v2/deployments/${encodeURIComponent(id)}`
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
  return request.method === 'GET' ? new BrokenContractError(trouble) : new AmbiguousWriteError(trouble)
}
