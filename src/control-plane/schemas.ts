import { z } from 'zod'
import {
  FORMS,
  MALFORMED_STATUS,
  withBranch,
  type Deployment,
  type Listener,
  type LogPage,
  type Page,
  type Revision,
} from './model.ts'
import { MAX_CURSOR, MAX_STATUS_MESSAGE } from '../http/limits.ts'
import {
  FIELDS,
  fieldsWhere,
  SETTINGS,
  wireName,
  type Field,
  type Place,
  type Settings,
  type TypeOf,
  type ValueTypes,
} from './settings.ts'
import { parseTimestamp } from '../http/dates.ts'
import { fieldOf } from '../http/json.ts'
import { resourceSpec } from './resource-spec-schema.ts'

// Only what a rollout needs is required; unknown fields and enum values are accepted: the contract leaves much open.

/** In a response, null means the same as a field that is missing. */
function reported<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return schema.nullish().transform((value) => value ?? undefined)
}

const id = z.string().regex(FORMS.id)
const text = reported(z.string())
const pageOffset = z.number().int()
/** An empty one is none: some services report it until the build begins. */
const commit = text.transform((value) => (value === '' ? undefined : value))

/** Contract, "SecretReference". */
const secretReference = z
  .object({ name: z.string(), secret_name: z.string(), secret_key: z.string() })
  .transform(({ name, secret_name, secret_key }) => ({ name, secretName: secret_name, secretKey: secret_key }))

const VALUES: { [Type in keyof ValueTypes]: z.ZodType<ValueTypes[Type] | undefined> } = {
  text,
  flag: reported(z.boolean()),
  resourceSpec: reported(resourceSpec),
  // A response may withhold the value of a secret (contract, "Secret").
  secrets: reported(z.array(z.object({ name: z.string(), value: text }))),
  secretReferences: reported(z.array(secretReference)),
}

/** The objects of a response that settings are in (contract, "SourceRevisionConfig (in responses)"). */
const PLACES = {
  source_config: z.looseObject({ listener_config: z.looseObject({}).nullish(), repo_branch: text }).nullish(),
  source_revision_config: z.looseObject({ repo_commit_sha: commit }).nullish(),
}

const PATHS: Record<Place, readonly string[]> = {
  body: [],
  source_config: ['source_config'],
  listener_config: ['source_config', 'listener_config'],
  source_revision_config: ['source_revision_config'],
}

/** Reads these fields of a response, each from its place. A value of another type is an issue of the context. */
function readSettings(wire: object, fields: readonly Field[], context: z.RefinementCtx): Settings {
  const settings: Settings = {}
  for (const field of fields) readSetting(field, wire, settings, context)
  return settings
}

function readSetting<F extends Field>(
  field: F,
  wire: object,
  settings: { [Key in F]?: ValueTypes[TypeOf<Key>] | undefined },
  context: z.RefinementCtx,
): void {
  const { type, place } = SETTINGS[field]
  const at = [...PATHS[place], wireName(field)]
  const parsed = VALUES[type].safeParse(at.reduce(fieldOf, wire))
  for (const { message, path } of parsed.error?.issues ?? [])
    context.addIssue({ code: 'custom', message, path: [...at, ...path] })
  settings[field] = parsed.data
}

/** Returns what takes the values that have the form of their field: any other counts as not reported, and is noted. */
function fittingOnly(dropped: string[]) {
  return <Value extends string | null | undefined>(name: string, value: Value, form: RegExp): Value | undefined => {
    if (typeof value !== 'string' || form.test(value)) return value
    dropped.push(name)
    return undefined
  }
}

const IN_REVISION = fieldsWhere(({ inRevision }) => inRevision === true)

/** Contract, "Revision". */
const revision = z
  .object({
    id,
    source: text,
    status: z.string(),
    status_message: text,
    created_at: text,
    updated_at: text,
    source_revision_config: PLACES.source_revision_config,
    // Only a deployment has this field, and it has an id and a status, too.
    latest_revision_id: z.undefined('a deployment in place of a revision').optional(),
  })
  .transform((wire, context): Revision => {
    const dropped: string[] = []
    const fitting = fittingOnly(dropped)
    return {
      id: wire.id,
      status: fitting('status', wire.status, FORMS.status) ?? MALFORMED_STATUS,
      statusMessage: shortened(wire.status_message),
      repoCommitSha: fitting('commit-sha', wire.source_revision_config?.repo_commit_sha, FORMS.commit),
      createdAt: parseTimestamp(wire.created_at),
      updatedAt: parseTimestamp(wire.updated_at ?? wire.created_at),
      settings: readSettings(wire, IN_REVISION, context),
      ...(wire.source !== undefined && { source: wire.source }),
      ...(dropped.length > 0 && { dropped }),
    }
  })

/** Statuses of a deployment (contract notes, "Statuses"). The others say nothing about a rollout. */
const BEING_DELETED = ['AWAITING_DELETE', 'AWAITING_FINAL_DELETE']

/** Contract, "Deployment". It does not show which fields are required: only the id and the name are needed here. */
const deployment = z
  .looseObject({
    ...PLACES,
    id,
    // A name is part of messages.
    name: z.string().min(1).max(1000),
    source: text,
    status: text,
    created_at: text,
    updated_at: text,
    url: text,
    is_preview: z.unknown().optional(),
    latest_revision_id: text,
    active_revision_id: z.string().nullish(),
  })
  .transform((wire, context): Deployment => {
    const branch = wire.source_config?.repo_branch
    const dropped: string[] = []
    const fitting = fittingOnly(dropped)
    return {
      id: wire.id,
      name: wire.name,
      source: wire.source,
      latestRevisionId: fitting('latest_revision_id', wire.latest_revision_id, FORMS.id),
      activeRevisionId: fitting('active_revision_id', wire.active_revision_id, FORMS.id),
      updatedAt: parseTimestamp(wire.updated_at ?? wire.created_at),
      createdAt: parseTimestamp(wire.created_at),
      repoCommitSha: fitting('commit-sha', wire.source_revision_config?.repo_commit_sha, FORMS.commit),
      settings: withBranch(readSettings(wire, FIELDS, context), branch),
      ...(wire.url !== undefined && { url: wire.url }),
      ...(branch !== undefined && { branch }),
      ...(BEING_DELETED.includes(wire.status ?? '') && { isBeingDeleted: true as const }),
      ...(wire.is_preview === true && { isPreviewBuild: true as const }),
      ...(dropped.length > 0 && { dropped }),
    }
  })

/** Contract notes, `GET /v2/listeners`. */
const listener = z
  .object({
    id,
    compute_type: text,
    compute_id: text,
    compute_config: z.object({ namespaces: reported(z.array(z.string())) }).nullish(),
  })
  .transform((wire): Listener => ({
    id: wire.id,
    computeType: wire.compute_type,
    computeId: wire.compute_id,
    namespaces: wire.compute_config?.namespaces,
  }))

const cursor = z.string().max(MAX_CURSOR)

const ALL = {
  revision,
  /** Contract notes, `GET /v2/deployments/{id}/revisions`. */
  revisionList: z.object({ resources: z.array(revision) }).transform(({ resources }) => resources),
  deployment,
  /** Contract, "GET /v2/deployments". */
  deploymentList: z
    .object({ resources: z.array(deployment), offset: pageOffset })
    .transform((page): Page<Deployment> => page),
  /** Contract notes, `GET …/logs`: at least the message of each line is there. */
  logPage: z
    .object({
      logs: z.array(z.object({ id: cursor.or(z.number()).nullish().catch(undefined), message: text })),
      next_offset: cursor.min(1).or(z.int().min(0)).nullish().catch(undefined),
    })
    .transform(({ logs, next_offset }): LogPage => ({
      entries: logs.map(({ id, message = '' }) => ({ key: id?.toString(), message })),
      next: next_offset ?? undefined,
    })),
  listenerList: z.object({ resources: z.array(listener), offset: pageOffset }),
  /** Contract notes, `GET /v1/integrations/git_host/install`. */
  integrations: z.array(z.object({ id, name: text })),
  /** Contract, "Repository". */
  repositories: z.array(z.object({ host_integration_id: reported(id), url: z.string().min(1) })),
  /** Contract notes, `POST /deployments/{id}/upload-url`. */
  uploadTicket: z.object({
    upload_url: z.url({ protocol: /^https?$/ }),
    object_path: z.string().min(1),
    headers: reported(z.record(z.string(), z.string())),
  }),
}

export type Answers = { [Kind in keyof typeof ALL]: z.output<(typeof ALL)[Kind]> }
export const SCHEMAS: { readonly [Kind in keyof Answers]: z.ZodType<Answers[Kind]> } = ALL

/** Cut between two lines or words: half a secret could no longer be recognised. */
function shortened(message: string | undefined): string | undefined {
  if (message === undefined || message.length <= MAX_STATUS_MESSAGE) return message
  const kept = message.slice(0, MAX_STATUS_MESSAGE)
  const end = kept.includes('\n') ? kept.lastIndexOf('\n') : kept.lastIndexOf(' ')
  // A copy of the text does not keep the whole answer in memory, as a part of it would.
  return `${Buffer.from(kept.slice(0, Math.max(0, end))).toString()}\n… (cut)`
}
