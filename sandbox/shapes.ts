import { z } from 'zod'
import { SOURCES, secret, secretReference, sourceConfig, sourceRevisionConfig } from './schemas.ts'

/** The response bodies of the control plane: the schemas of its document. */

const id = z.uuid()
const time = z.iso.datetime()
const some = z.string().nullable()

const sourceRevisionConfigShape = sourceRevisionConfig
  .extend({ repo_commit_sha: some })
  .meta({ id: 'SourceRevisionConfig' })

export const revisionShape = z
  .object({
    id,
    created_at: time,
    updated_at: time,
    status: z.string(),
    status_message: some,
    source: z.enum(SOURCES),
    source_revision_config: sourceRevisionConfigShape,
  })
  .meta({ id: 'Revision' })

export const deploymentShape = z
  .object({
    id,
    name: z.string(),
    source: z.enum(SOURCES),
    source_config: sourceConfig.meta({ id: 'SourceConfig' }),
    source_revision_config: sourceRevisionConfigShape,
    secrets: z.array(secret),
    secret_references: z.array(secretReference),
    created_at: time,
    updated_at: time,
    status: z.enum(['AWAITING_DATABASE', 'READY', 'AWAITING_DELETE']),
    latest_revision_id: id.nullable(),
    active_revision_id: id.nullable(),
    image_version: z.string(),
  })
  .meta({ id: 'Deployment' })

export const listenerShape = z
  .object({
    id,
    compute_type: z.string(),
    compute_id: z.string(),
    compute_config: z.object({ namespaces: z.array(z.string()).optional() }),
    version: z.string().optional(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Listener' })

export const integrationShape = z.object({ id, installation_id: z.int(), name: z.string() }).meta({ id: 'Integration' })

export const repositoryShape = z
  .object({
    host_integration_id: id,
    id: z.int(),
    name: z.string(),
    owner: z.string(),
    url: z.string(),
    default_branch: z.string(),
  })
  .meta({ id: 'Repository' })

export const providerTokenShape = z
  .object({
    id,
    provider_id: z.string(),
    created_at: time,
    updated_at: time,
    provider_account_label: z.string(),
    scopes: z.array(z.string()),
    expires_at: time,
    is_default: z.boolean(),
  })
  .meta({ id: 'ProviderToken' })

export const uploadUrlShape = z.object({ upload_url: z.url(), object_path: z.string() }).meta({ id: 'UploadUrl' })

export const logShape = z.object({
  logs: z.array(z.object({ id: z.string(), timestamp: time, level: z.enum(['INFO', 'ERROR']), message: z.string() })),
  next_offset: z.int().nullable(),
})

export const pushTokenShape = z.object({
  token: z.string(),
  registry_url: z.string(),
  username: z.string().optional(),
  repository_url: z.string().optional(),
})

/** The public service pages a log with a text. */
export const cursorLogShape = logShape.extend({ next_offset: z.string() })

/** One page; the offset is the one that the next request passes. */
export function pageOf(item: z.ZodType): z.ZodType {
  return z.object({ resources: z.array(item), offset: z.int().min(0) })
}

/** One page; the cursor is opaque, and null on the last page. */
export function cursorPageOf(item: z.ZodType): z.ZodType {
  return z.object({ items: z.array(item), next_cursor: some })
}

/** A body that the contract does not describe. */
export const freeObject = z.record(z.string(), z.unknown())
