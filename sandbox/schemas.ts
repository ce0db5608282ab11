import { z } from 'zod'
import { agent, agentFilters, nameOfAgent, type Agent } from './agents.ts'
import { flag, queryFlag, queryInteger, text, uuid } from './fields.ts'
import { resourceSpec } from './resource-spec.ts'

/** The request bodies and queries of the control plane, as in the contract. Unknown fields are ignored. */

export const SOURCES = [
  'git_host',
  'external_container',
  'internal_container',
  'internal_source',
  'internal_template',
] as const
export type Source = (typeof SOURCES)[number]

export const sourceConfig = z.object({
  integration_id: uuid,
  repo_url: text,
  deployment_type: z.enum(['dev_free', 'dev', 'prod', 'dev_zero', 'dev_free_zero']).nullish(),
  build_on_push: flag,
  custom_url: text,
  resource_spec: resourceSpec.nullish(),
  listener_id: uuid,
  listener_config: z.object({ cluster_namespace: text }).nullish(),
  install_command: text,
  build_command: text,
})
export type SourceConfig = z.infer<typeof sourceConfig>

export const sourceRevisionConfig = z.object({
  repo_ref: text,
  app_config_path: text,
  image_uri: text,
  source_tarball_path: text,
})
export type SourceRevisionConfig = z.infer<typeof sourceRevisionConfig>

export const secret = z.object({ name: z.string().min(1), value: z.string() })
export const secretReference = z.object({
  name: z.string().min(1),
  secret_name: z.string().min(1),
  secret_key: z.string().min(1),
})

export const createDeployment = z
  .object({
    name: z.string().min(1).max(255),
    source: z.enum(SOURCES),
    source_config: sourceConfig,
    source_revision_config: sourceRevisionConfig,
    secrets: z.array(secret),
    secret_references: z.array(secretReference).nullish(),
  })
  .meta({ id: 'DeploymentCreateRequest' })
export type CreateDeployment = z.infer<typeof createDeployment>

export const createRevision = z
  .object({
    revision_source: z.enum(['git_host', 'internal_container', 'internal_source']).nullish(),
    source_config: sourceConfig.nullish(),
    source_revision_config: sourceRevisionConfig.nullish(),
    secrets: z.array(secret).nullish(),
    secret_references: z.array(secretReference).nullish(),
    shareable: flag,
    route_through_gateway: flag,
  })
  .meta({ id: 'RevisionCreateRequest' })
export type CreateRevision = z.infer<typeof createRevision>

/** PATCH: name and source exist only to be refused if they differ. */
export const updateDeployment = createRevision
  .extend({ name: text, source: z.enum(SOURCES).nullish() })
  .meta({ id: 'DeploymentUpdateRequest' })
export type UpdateDeployment = z.infer<typeof updateDeployment>

const paging = { limit: queryInteger(20, 1, 100), offset: queryInteger(0, 0) }

export const listDeployments = z.object({
  ...paging,
  name_contains: z.string().optional(),
  status: z.string().optional(),
  remote_reconciled: queryFlag.optional(),
  tag_value_ids: z.string().optional(),
  image_version: z.string().optional(),
  // The filter lacks two of the deployment types.
  deployment_type: z.enum(['dev_free', 'dev', 'prod']).optional(),
  deployment_ids: z.string().optional(),
})

export const listRevisions = z.object({ ...paging, status: z.string().optional() })

export const listListeners = z.object(paging)

const LOG_TYPES = ['build', 'deploy'] as const
export type LogType = (typeof LOG_TYPES)[number]

export const listLogs = z.object({
  type: z.enum(LOG_TYPES),
  order: z.enum(['asc', 'desc']).default('asc'),
  level: z.string().optional(),
  limit: queryInteger(50, 1, 1000),
  offset: paging.offset,
})

/** What the public service takes in addition. */

/** With `is_preview`, it is in place of a build that the public service makes by itself. The service names an agent's. */
export const createPublic = createDeployment
  .extend({ name: createDeployment.shape.name.nullish(), is_preview: flag, agent: agent.nullish() })
  .transform((body, context): NewDeployment => {
    const { name, agent: owner } = body
    if (owner && !name) return { ...body, name: nameOfAgent(owner) }
    if (!owner && name) return { ...body, name }
    const missing = { message: 'Field required', params: { type: 'missing' } }
    const both = { message: 'agent cannot be combined with name', params: undefined }
    context.addIssue({ code: 'custom', path: ['name'], ...(owner ? both : missing) })
    return z.NEVER
  })
/** A deployment to create, in either spelling. */
export type NewDeployment = CreateDeployment & {
  is_preview?: boolean | null | undefined
  agent?: Agent | null | undefined
}

const TIERS = ['SERVERLESS_S', 'SERVERLESS_M', 'SERVERLESS_L', 'DEDICATED_S', 'DEDICATED_M', 'DEDICATED_L'] as const
export type Tier = (typeof TIERS)[number]

export const changeTier = z.object({ deployment_tier: z.enum(TIERS) })

export const listPublic = listDeployments.extend({ name: z.string().optional(), ...agentFilters })
export type ListPublic = Partial<z.infer<typeof listPublic>>

export const deleteOne = z.object({ delete_tracing_project: queryFlag.optional() })

export type DeleteOne = z.infer<typeof deleteOne>

export const requestUpload = z.object({ supports_upload_headers: flag }).optional()
export type RequestUpload = z.infer<typeof requestUpload>

export const requestPush = z.object({ supports_registry_username: flag }).optional()

const logFilters = {
  level: text,
  query: text,
  start_time: z.iso.datetime({ offset: true }).nullish(),
  end_time: z.iso.datetime({ offset: true }).nullish(),
  /** The `next_offset` of the page before. */
  offset: z.string().regex(/^\d+$/, 'Expected the next_offset of another page').nullish(),
}

export const readLogs = z.object({
  order: listLogs.shape.order,
  limit: z.int().min(1).max(1000).default(50),
  ...logFilters,
})
export type ReadLogs = z.infer<typeof readLogs>

export const followLogs = listLogs.extend(logFilters)

export const updateTokenLabel = z.object({ provider_account_label: text, is_default: flag })
