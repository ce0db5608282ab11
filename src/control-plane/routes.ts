import { readText } from '../http/body.ts'
import { MAX_REVISION_BYTES } from '../http/limits.ts'
import type { ApiRequest, Urgency } from './api-request.ts'
import {
  sameId,
  sameName,
  type Deployment,
  type DeploymentDraft,
  type LogQuery,
  type PageQuery,
  type Revision,
  type RevisionDraft,
} from './model.ts'
import type { Answers } from './schemas.ts'
import { FIELDS, fieldsWhere, SETTINGS, wireName, type Field, type Place, type Settings } from './settings.ts'

/** The calls as values: a plan shows them before they are sent. Each path has a version segment. */
export interface Call<Kind extends keyof Answers> {
  request: ApiRequest
  kind: Kind
  /** Names the object of an answer that a cache or a gateway mixed up: the client discards it. Undefined for the right one. */
  mistaken?: (answer: Answers[Kind]) => string | undefined
}

function ofDeployment(wanted: string, isWanted: (deployment: Deployment) => boolean) {
  return (deployment: Deployment): string | undefined =>
    isWanted(deployment) ? undefined : `the deployment "${deployment.name}" (${deployment.id}) in place of ${wanted}`
}

function ofRevision(wanted: string, isWanted: (revision: Revision) => boolean) {
  return (revision: Revision): string | undefined =>
    isWanted(revision) ? undefined : `the revision ${revision.id} in place of ${wanted}`
}

function get(path: string, attempted: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method: 'GET', path, attempted, ...more }
}

/** Makes a request that is never sent again if the server may have acted. */
function create(path: string, attempted: string, more: Partial<ApiRequest> = {}): ApiRequest {
  return { method: 'POST', path, attempted, callerLooksFirst: true, ...more }
}

/** `POST /v2/deployments`, 201 or 200. */
export function createDeployment(draft: DeploymentDraft): Call<'deployment'> {
  const attempted = `create the deployment "${draft.name}"`
  const hintFor = (...refusal: [number, string]): string | undefined => creationHint(draft, ...refusal)
  const isNamed = ({ name }: Deployment): boolean => sameName(name, draft.name)
  const request = create('/v2/deployments', attempted, { body: writeDeployment(draft), hintFor })
  return { request, kind: 'deployment', mistaken: ofDeployment(`"${draft.name}"`, isNamed) }
}

/** A control plane names what it lacks or does not know, each in its own words. */
function creationHint({ settings }: DeploymentDraft, status: number, detail: string): string | undefined {
  if (status === 400 && /source_config\.listener_id\W+is required/.test(detail)) return LISTENER_REQUIRED
  if (settings.integrationId === undefined || ![400, 404, 422].includes(status)) return undefined
  return /integration/i.test(detail) ? CHECK_INTEGRATION : undefined
}

const LISTENER_REQUIRED =
  'Set listener-id to one of the listeners that the message names: this workspace has listeners, so it requires one.'
const CHECK_INTEGRATION =
  'Correct integration-id: it must be the id of an integration that is installed in this workspace. If it is not set, the action takes the one that reaches repo-url.'

export interface ListQuery extends PageQuery {
  nameContains?: string
  ids?: readonly string[]
  /** Whether a write that has had its turn follows a list by ids. */
  isBasis?: boolean
}

/** `GET /v2/deployments`, one page. `nameContains` matches a substring at best. A service may ignore `ids`. */
export function listDeployments({ nameContains, ids, isBasis = false, ...page }: ListQuery): Call<'deploymentList'> {
  const attempted = nameContains === undefined ? 'list the deployments' : `look for the deployment "${nameContains}"`
  const query = queryOf({ name_contains: nameContains, deployment_ids: ids?.join(','), ...page })
  const urgency = ids === undefined ? undefined : isBasis ? 'basis' : 'look'
  return { request: get(`/v2/deployments?${query}`, attempted, { urgency }), kind: 'deploymentList' }
}

type ReadOptions = Pick<ApiRequest, 'isDispensable'> & { retries: number }

/** `GET /v2/deployments/{id}` */
export function getDeployment(id: string, options?: ReadOptions): Call<'deployment'> {
  const request = get(deploymentPath(id), `read the deployment ${id}`, options)
  return { request, kind: 'deployment', mistaken: ofDeployment(id, (found) => sameId(found.id, id)) }
}

/** `PATCH /v2/deployments/{id}`, for settings that need no revision. Setting the same values twice is safe. */
export function updateDeployment(id: string, settings: Settings): Call<'deployment'> {
  const path = deploymentPath(id)
  const content = { body: writePatch(settings), attempted: `update the deployment ${id}` }
  return {
    request: { method: 'PATCH', path, ...content, repeatable: true, callerLooksFirst: true },
    kind: 'deployment',
  }
}

/** `DELETE /v2/deployments/{id}`, sent once. A 404 or 405 may also mean that the service lacks this route. */
export function deleteDeployment(id: string, withTracingProject: boolean): Call<'deployment'> {
  const attempted = `delete the deployment ${id}`
  const path = deploymentPath(id) + (withTracingProject ? '?delete_tracing_project=true' : '')
  return { request: { method: 'DELETE', path, attempted, retries: 0 }, kind: 'deployment' }
}

/** `POST /v2/deployments/{id}/upload-url`: the contract shows it without a version. A second ticket is safe. */
export function createUploadTicket(id: string, version = '/v2'): Call<'uploadTicket'> {
  const attempted = `request an upload address for the source of the deployment ${id}`
  const path = `${version}/deployments/${segment(id)}/upload-url`
  return { request: { method: 'POST', path, attempted, repeatable: true }, kind: 'uploadTicket' }
}

/** `POST /v2/deployments/{id}/revisions`, 201 or 200. A response with a `known` id does not show the new revision. */
export function createRevision(
  deploymentId: string,
  draft: RevisionDraft,
  knownIds: readonly (string | null | undefined)[],
): Call<'revision'> {
  const attempted = `create a revision of the deployment ${deploymentId}`
  const request = create(`${deploymentPath(deploymentId)}/revisions`, attempted, { body: writeRevision(draft) })
  const isNew = ({ id }: Revision): boolean => ![deploymentId, ...knownIds].some((other) => sameId(id, other))
  return { request, kind: 'revision', mistaken: ofRevision('a new one', isNew) }
}

/** `POST …/revisions/{revision_id}/redeploy`. Returns the deployment. A service may lack this route. */
export function redeploy(deploymentId: string, revisionId: string): Call<'deployment'> {
  const path = `${revisionPath(deploymentId, revisionId)}/redeploy`
  const request = create(path, `deploy the revision ${revisionId} again`)
  return { request, kind: 'deployment', mistaken: ofDeployment(deploymentId, ({ id }) => sameId(id, deploymentId)) }
}

/** `GET /v2/deployments/{id}/revisions/{revision_id}`. `urgency`: as in `ApiRequest`. */
export function getRevision(
  deploymentId: string,
  revisionId: string,
  options?: ReadOptions & { urgency?: Urgency },
): Call<'revision'> {
  const receive: ApiRequest['receive'] = async (answer) => await readText(answer, MAX_REVISION_BYTES)
  const readOptions = { receive, ...options }
  const request = get(revisionPath(deploymentId, revisionId), `read the revision ${revisionId}`, readOptions)
  return { request, kind: 'revision', mistaken: ofRevision(revisionId, ({ id }) => sameId(id, revisionId)) }
}

/** `GET /v2/deployments/{id}/revisions`, newest first. A service may lack this route. */
export function listRevisions(
  deploymentId: string,
  query: { limit: number; offset?: number },
  options?: { retries: number },
): Call<'revisionList'> {
  const attempted = `list the revisions of the deployment ${deploymentId}`
  const path = `${deploymentPath(deploymentId)}/revisions?${queryOf(query)}`
  return { request: get(path, attempted, options), kind: 'revisionList' }
}

/** `GET …/revisions/{revision_id}/logs`, one page. A service may lack this route. */
export function readLog(
  deploymentId: string,
  revisionId: string,
  { type, order = 'asc', ...page }: LogQuery & { order?: 'asc' | 'desc' },
  options: { retries: number },
): Call<'logPage'> {
  const path = `${revisionPath(deploymentId, revisionId)}/logs?${queryOf({ type, order, ...page })}`
  return { request: get(path, `read the ${type} log of the revision ${revisionId}`, options), kind: 'logPage' }
}

/** `GET /v2/listeners`, one page. */
export function listListeners(page: PageQuery): Call<'listenerList'> {
  return { request: get(`/v2/listeners?${queryOf({ ...page })}`, 'list the listeners'), kind: 'listenerList' }
}

/** `GET /v1/integrations/git_host/install` */
export function listIntegrations(): Call<'integrations'> {
  const path = '/v1/integrations/git_host/install'
  const attempted = 'list the installed git-host integrations'
  const hintFor = (status: number): string | undefined => (status === 404 || status === 405 ? NO_LIST : undefined)
  return { request: get(path, attempted, { hintFor }), kind: 'integrations' }
}

const NO_LIST = 'Set integration-id: this control plane does not list its integrations.'

/** `GET /v1/integrations/git_host/{integration_id}/repos` */
export function listRepositories(integrationId: string): Call<'repositories'> {
  const attempted = `list the repositories of the integration ${integrationId}`
  const path = `/v1/integrations/git_host/${encodeURIComponent(integrationId)}/repos`
  return { request: get(path, attempted), kind: 'repositories' }
}

export function deploymentPath(id: string): string {
  return `/v2/deployments/${segment(id)}`
}

export function revisionPath(deploymentId: string, revisionId: string): string {
  return `${deploymentPath(deploymentId)}/revisions/${segment(revisionId)}`
}

/** Encodes a path segment, except a placeholder of a plan, like `{deployment_id}`. */
function segment(text: string): string {
  return /^\{\w+\}$/.test(text) ? text : encodeURIComponent(text)
}

function queryOf(fields: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, String(value))
  return query.toString()
}

/** Returns the body of `POST /v2/deployments`: it requires the secrets, if only as an empty list. */
function writeDeployment({ name, source, settings }: DeploymentDraft): object {
  return {
    name,
    source,
    source_config: writeSourceConfig(settings),
    source_revision_config: writePlace('source_revision_config', settings),
    secrets: [],
    ...writePlace('body', settings, ON_CREATE),
  }
}

const ON_CREATE = fieldsWhere(({ notOnCreate }) => notOnCreate !== true)
const WITHOUT_SECRETS = FIELDS.filter((field) => field !== 'secrets' && field !== 'secretReferences')

/** Returns the body of `PATCH /v2/deployments/{id}`, without the fields that would create a revision. */
function writePatch(settings: Settings): object {
  return { ...nonEmpty('source_config', writeSourceConfig(settings)), ...writePlace('body', settings, WITHOUT_SECRETS) }
}

/** Returns the body of `POST /v2/deployments/{id}/revisions` (contract, "RevisionCreateRequest"). */
export function writeRevision({ source, settings }: RevisionDraft): object {
  return {
    // The contract's enum has no external_container and no internal_template: the deployment's own source applies.
    ...(source === 'external_container' || source === 'internal_template' ? {} : { revision_source: source }),
    ...nonEmpty('source_config', writeSourceConfig(settings)),
    ...nonEmpty('source_revision_config', writePlace('source_revision_config', settings)),
    ...writePlace('body', settings),
  }
}

function writeSourceConfig(settings: Settings): object {
  return {
    ...writePlace('source_config', settings),
    ...nonEmpty('listener_config', writePlace('listener_config', settings)),
  }
}

/** The fields of one place that are set, under their names on the wire. */
function writePlace(place: Place, settings: Settings, fields: readonly Field[] = FIELDS): object {
  const set = fields.filter((field) => SETTINGS[field].place === place && settings[field] !== undefined)
  return Object.fromEntries(set.map((field) => [wireName(field), writeValue(field, settings)]))
}

function writeValue(field: Field, settings: Settings): unknown {
  if (field === 'secrets') return settings.secrets?.map(({ name, value }) => ({ name, value }))
  if (field !== 'secretReferences') return settings[field]
  return settings.secretReferences?.map(({ name, secretName, secretKey }) => ({
    name,
    secret_name: secretName,
    secret_key: secretKey,
  }))
}

function nonEmpty(key: string, value: object): object {
  return Object.keys(value).length === 0 ? {} : { [key]: value }
}
