import { readText } from '../http/body.ts'
import { MAX_REVISION_BYTES } from '../http/limits.ts'
import type { ApiRequest } from './api-request.ts'
import type { LogQuery, PageQuery } from './control-plane.ts'
import type { Deployment, DeploymentDraft, LogType, Revision, RevisionDraft } from './model.ts'
import { sameId } from './same-id.ts'
import { sameName } from './same-name.ts'
import type { Answers } from './schemas.ts'
import { FIELDS, fieldsWhere, SETTINGS, wireName, type Field, type Place, type Settings } from './settings.ts'

/**
 * The calls of the control plane as values: the client sends them, and a plan shows them before. Each path has a version
 * segment, also where the contract shows it without one.
 */
export interface Call<Kind extends keyof Answers> {
  request: ApiRequest
  /** What the answer is read as. */
  kind: Kind
  /**
   * A cache or a mixed-up gateway may answer about something else: then nothing of the answer counts. Returns what it is
   * about; undefined if it is what was asked for.
   */
  mistaken?: (found: Answers[Kind]) => string | undefined
}

function ofDeployment(wanted: string, isWanted: (found: Deployment) => boolean) {
  return (found: Deployment): string | undefined =>
    isWanted(found) ? undefined : `the deployment "${found.name}" (${found.id}) in place of ${wanted}`
}

function ofRevision(wanted: string, isWanted: (found: Revision) => boolean) {
  return (found: Revision): string | undefined =>
    isWanted(found) ? undefined : `the revision ${found.id} in place of ${wanted}`
}

export function createDeployment(draft: DeploymentDraft): Call<'deployment'> {
  const attempted = `create the deployment "${draft.name}"`
  const hintFor = draft.settings.integrationId === undefined ? undefined : integrationHint
  const body = writeDeployment(draft)
  return {
    request: {
      method: 'POST',
      path: '/v2/deployments',
      body,
      attempted,
      looksFirst: true,
      ...(hintFor && { hintFor }),
    },
    kind: 'deployment',
    mistaken: ofDeployment(`"${draft.name}"`, ({ name }) => sameName(name, draft.name)),
  }
}

/** A control plane names the id that it does not know, each in its own words. */
function integrationHint(status: number, detail: string): string | undefined {
  const isAboutIt = [400, 404, 422].includes(status) && /integration/i.test(detail)
  return isAboutIt ? CHECK_INTEGRATION : undefined
}

const CHECK_INTEGRATION =
  'Correct integration-id: it must be the id of an integration that is installed in this workspace. If it is not set, the action takes the one that reaches repo-url.'

export function listDeployments({
  nameContains,
  ids,
  ...page
}: PageQuery & { nameContains?: string; ids?: readonly string[] }): Call<'deploymentList'> {
  const attempted = nameContains === undefined ? 'list the deployments' : `look for the deployment "${nameContains}"`
  const query = queryOf({ name_contains: nameContains, deployment_ids: ids?.join(','), ...page })
  // A list by ids shows many deployments.
  const order = ids === undefined ? {} : { first: true as const }
  return { request: { method: 'GET', path: `/v2/deployments?${query}`, attempted, ...order }, kind: 'deploymentList' }
}

export function getDeployment(id: string): Call<'deployment'> {
  return {
    request: { method: 'GET', path: deploymentPath(id), attempted: `read the deployment ${id}` },
    kind: 'deployment',
    mistaken: ofDeployment(id, (found) => sameId(found.id, id)),
  }
}

/** Setting the same values twice is safe. */
export function updateDeployment(id: string, settings: Settings): Call<'deployment'> {
  const path = deploymentPath(id)
  const about = { body: writePatch(settings), attempted: `update the deployment ${id}` }
  return { request: { method: 'PATCH', path, ...about, repeatable: true, looksFirst: true }, kind: 'deployment' }
}

export function deleteDeployment(id: string, withTracingProject: boolean): Call<'deployment'> {
  const attempted = `delete the deployment ${id}`
  const path = deploymentPath(id) + (withTracingProject ? '?delete_tracing_project=true' : '')
  return { request: { method: 'DELETE', path, attempted, retries: 0 }, kind: 'deployment' }
}

/** A second ticket is safe. */
export function createUploadTicket(id: string): Call<'uploadTicket'> {
  const attempted = `request an upload address for the source of the deployment ${id}`
  const path = `${deploymentPath(id)}/upload-url`
  return { request: { method: 'POST', path, attempted, repeatable: true }, kind: 'uploadTicket' }
}

/** The contract shows the path of an upload without a version, and says elsewhere that every path has one. */
export function withoutVersion({ request, kind }: Call<'uploadTicket'>): Call<'uploadTicket'> {
  return { request: { ...request, path: request.path.replace(/^\/v2/, '') }, kind }
}

export function createRevision(
  deploymentId: string,
  draft: RevisionDraft,
  known: readonly (string | null | undefined)[],
): Call<'revision'> {
  const attempted = `create a revision of the deployment ${deploymentId}`
  const path = `${deploymentPath(deploymentId)}/revisions`
  const others = [deploymentId, ...known]
  return {
    request: { method: 'POST', path, body: writeRevision(draft), attempted, looksFirst: true },
    kind: 'revision',
    mistaken: ofRevision('a new one', ({ id }) => !others.some((other) => sameId(id, other))),
  }
}

export function redeploy(deploymentId: string, revisionId: string): Call<'deployment'> {
  const path = `${revisionPath(deploymentId, revisionId)}/redeploy`
  return {
    request: { method: 'POST', path, attempted: `deploy the revision ${revisionId} again`, looksFirst: true },
    kind: 'deployment',
    mistaken: ofDeployment(deploymentId, ({ id }) => sameId(id, deploymentId)),
  }
}

export function getRevision(
  deploymentId: string,
  revisionId: string,
  options?: { retries: number; first?: true },
): Call<'revision'> {
  const path = revisionPath(deploymentId, revisionId)
  const receive: ApiRequest['receive'] = async (answer) => await readText(answer, MAX_REVISION_BYTES)
  return {
    request: { method: 'GET', path, attempted: `read the revision ${revisionId}`, receive, ...options },
    kind: 'revision',
    mistaken: ofRevision(revisionId, ({ id }) => sameId(id, revisionId)),
  }
}

export function listRevisions(
  deploymentId: string,
  query: { limit: number; offset?: number },
  options?: { retries: number },
): Call<'revisionList'> {
  const attempted = `list the revisions of the deployment ${deploymentId}`
  const path = `${deploymentPath(deploymentId)}/revisions?${queryOf(query)}`
  return { request: { method: 'GET', path, attempted, ...options }, kind: 'revisionList' }
}

/** The last lines of a log, the newest first. */
export function readLog(
  deploymentId: string,
  revisionId: string,
  { type, lines }: { type: LogType; lines: number },
): Call<'logPage'> {
  const query = queryOf({ type, order: 'desc', limit: lines })
  return logCall(`${revisionPath(deploymentId, revisionId)}/logs?${query}`, { type, revisionId, retries: 1 })
}

export function readLogPage(
  deploymentId: string,
  revisionId: string,
  { type, ...page }: LogQuery,
  { retries }: { retries: number },
): Call<'logPage'> {
  const query = queryOf({ type, order: 'asc', ...page })
  return logCall(`${revisionPath(deploymentId, revisionId)}/logs?${query}`, { type, revisionId, retries })
}

function logCall(
  path: string,
  { type, revisionId, retries }: { type: LogType; revisionId: string; retries: number },
): Call<'logPage'> {
  const attempted = `read the ${type} log of the revision ${revisionId}`
  return { request: { method: 'GET', path, attempted, retries }, kind: 'logPage' }
}

export function listListeners(page: PageQuery): Call<'listenerList'> {
  const path = `/v2/listeners?${queryOf({ ...page })}`
  return { request: { method: 'GET', path, attempted: 'list the listeners' }, kind: 'listenerList' }
}

export function listIntegrations(): Call<'integrations'> {
  const path = '/v1/integrations/git_host/install'
  const attempted = 'list the installed git-host integrations'
  return { request: { method: 'GET', path, attempted, hintFor: withoutIntegrations }, kind: 'integrations' }
}

/** A control plane need not have this route. */
function withoutIntegrations(status: number): string | undefined {
  return status === 404 || status === 405
    ? 'Set integration-id: this control plane does not list its integrations.'
    : undefined
}

export function listRepositories(integrationId: string): Call<'repositories'> {
  const attempted = `list the repositories of the integration ${integrationId}`
  const path = `/v1/integrations/git_host/${encodeURIComponent(integrationId)}/repos`
  return { request: { method: 'GET', path, attempted }, kind: 'repositories' }
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
export function writeDeployment({ name, source, settings }: DeploymentDraft): object {
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
export function writePatch(settings: Settings): object {
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
