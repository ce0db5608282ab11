import { createHash } from 'node:crypto'
import type { Agent } from './agents.ts'
import type { RolloutScript, StatusStep } from './lifecycle.ts'
import type { NewDeployment, Source, SourceConfig, SourceRevisionConfig, Tier } from './schemas.ts'

/** The stored records of the control plane. */

export interface StoredRevision {
  id: string
  /** The deployment's source, unless the revision has its own. */
  source: Source
  createdAt: number
  config: SourceRevisionConfig
  /** null except for git_host revisions. */
  commit: string | null
  steps: StatusStep[]
  logs: readonly string[] | undefined
  activates: boolean
  /** How long after its end the deployment reports it as active, in milliseconds. */
  activationMs: number
  /** When a redeploy made it active again. */
  broughtBackAt: number | undefined
  /** Those of the deployment when it was created. */
  secrets: StoredDeployment['secrets']
  /** How it ended before its last step. */
  stopped: { status: 'SKIPPED' | 'INTERRUPTED'; message: string; at: number } | undefined
}

export interface StoredDeployment {
  id: string
  name: string
  source: Source
  createdAt: number
  updatedAt: number
  config: SourceConfig
  secrets: { name: string; value: string }[]
  secretReferences: object[]
  /** The revision fields of the create request, for the first revision if the create made none. */
  draft: SourceRevisionConfig
  /** When it can no longer be read; undefined unless it is deleted. */
  goneAt: number | undefined
  shareable: boolean | undefined
  /** These three are shown by the public service only. */
  isPreview: boolean
  /** The agent that it belongs to. */
  agent: Agent | undefined
  /** The size; undefined for a deployment without one. */
  tier: Tier | undefined
  /** Oldest first. */
  revisions: StoredRevision[]
}

/** When something is created, and its id. */
interface Birth {
  now: number
  id: string
}

/** A new deployment, without revisions. */
export function newDeployment(body: NewDeployment, { now, id }: Birth): StoredDeployment {
  const { name, source, source_config: config } = body
  const deployment: StoredDeployment = {
    id,
    name,
    source,
    createdAt: now,
    updatedAt: now,
    config,
    secrets: body.secrets,
    secretReferences: body.secret_references ?? [],
    draft: given(body.source_revision_config),
    goneAt: undefined,
    shareable: undefined,
    isPreview: body.is_preview === true,
    agent: body.agent ?? undefined,
    tier: SMALLEST[config.deployment_type ?? ''],
    revisions: [],
  }
  if (source === 'git_host') deployment.config = { ...config, custom_url: urlOf(deployment) }
  return deployment
}

/** The input of a new revision. */
export interface Recipe {
  source: Source
  config: SourceRevisionConfig
  /** Default: the commit of the ref. */
  commit?: string | null | undefined
  /** Default: the usual one. */
  script?: RolloutScript | undefined
}

/** A new revision of the deployment. `steps`: those of the script. */
export function newRevision(
  deployment: StoredDeployment,
  { source, config, commit, script, steps }: Recipe & { script: RolloutScript; steps: StatusStep[] },
  { now, id }: Birth,
): StoredRevision {
  return {
    id,
    source,
    createdAt: now,
    config,
    commit: commit ?? script.repoCommitSha ?? commitOf(source, deployment.config, config),
    steps,
    logs: script.logs,
    activates: script.activates ?? true,
    activationMs: script.activationMs ?? 0,
    broughtBackAt: undefined,
    secrets: deployment.secrets,
    stopped: undefined,
  }
}

/** The size at first, by the type. An assumption of the sandbox. */
const SMALLEST: Readonly<Record<string, Tier>> = { dev_zero: 'SERVERLESS_S', prod: 'DEDICATED_S' }

/** The address at which the control plane serves a deployment. */
export function urlOf({ id, name }: StoredDeployment): string {
  const label = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `https://${label}-${id.slice(0, 8)}.agents.example`
}

/** The same commit for the same repository and ref; only git_host has one. */
function commitOf(
  source: Source,
  { repo_url: url }: SourceConfig,
  { repo_ref: ref }: SourceRevisionConfig,
): string | null {
  if (source !== 'git_host') return null
  return createHash('sha1')
    .update(`${url ?? ''}#${ref ?? ''}`)
    .digest('hex')
}

/** The fields that have a value. */
export function given<T extends object>(fields: T): Partial<T> {
  const copy = { ...fields }
  for (const [key, value] of Object.entries(fields))
    if (value === null || value === undefined) Reflect.deleteProperty(copy, key)
  return copy
}
