import { createHash, randomUUID } from 'node:crypto'
import { refuse } from './answers.ts'
import {
  hasBegunToDeploy,
  scriptOfName,
  stepAt,
  stepsOf,
  type RolloutScript,
  type StatusStep,
} from './lifecycle.ts'
import { checkCreate, checkUpdate, needsRevision } from './rules.ts'
import type {
  CreateDeployment,
  CreateRevision,
  Source,
  SourceConfig,
  SourceRevisionConfig,
} from './schemas.ts'

interface StoredRevision {
  id: string
  /** The deployment's, unless the revision was given one of its own. */
  source: Source
  createdAt: number
  config: SourceRevisionConfig
  steps: StatusStep[]
  activates: boolean
  skippedAt: number | undefined
}

interface StoredDeployment {
  id: string
  name: string
  source: Source
  createdAt: number
  updatedAt: number
  config: SourceConfig
  secrets: { name: string; value: string }[]
  secretReferences: object[]
  /** Oldest first. */
  revisions: StoredRevision[]
}

export type ScriptChooser = (
  deployment: { name: string },
  revisionNumber: number,
) => RolloutScript | undefined

export interface StoreOptions {
  speed: number
  now: () => number
  script: ScriptChooser
}

/** The control plane's memory: what is, computed for the moment at which it is asked. */
export class Store {
  readonly #deployments = new Map<string, StoredDeployment>()
  readonly #options: StoreOptions

  constructor(options: StoreOptions) {
    this.#options = options
  }

  create(body: CreateDeployment): StoredDeployment {
    checkCreate(body)
    if (this.all().some(({ name }) => name === body.name))
      throw refuse(409, `A deployment named "${body.name}" already exists.`)
    const now = this.#options.now()
    const deployment: StoredDeployment = {
      id: randomUUID(),
      name: body.name,
      source: body.source,
      createdAt: now,
      updatedAt: now,
      config: body.source_config,
      secrets: body.secrets,
      secretReferences: body.secret_references ?? [],
      revisions: [],
    }
    if (body.source === 'git_host') {
      deployment.config = {
        ...body.source_config,
        custom_url: `https://${body.name}-${deployment.id.slice(0, 8)}.agents.example`,
      }
    }
    this.#deployments.set(deployment.id, deployment)
    this.#addRevision(deployment, { source_revision_config: body.source_revision_config })
    return deployment
  }

  /** PATCH: creates a revision only when a revision-relevant field is there. */
  update(id: string, body: CreateRevision): StoredDeployment {
    const deployment = this.get(id)
    this.#merge(deployment, body)
    if (needsRevision(body)) this.#addRevision(deployment, body)
    return deployment
  }

  /** POST …/revisions: always a new revision. */
  revise(id: string, body: CreateRevision): StoredRevision {
    const deployment = this.get(id)
    this.#merge(deployment, body)
    return this.#addRevision(deployment, body)
  }

  delete(id: string): void {
    this.get(id)
    this.#deployments.delete(id)
  }

  all(): StoredDeployment[] {
    return [...this.#deployments.values()]
  }

  get(id: string): StoredDeployment {
    const deployment = this.#deployments.get(id)
    if (deployment === undefined) throw refuse(404, `Deployment ID ${id} not found.`)
    return deployment
  }

  getRevision(id: string, revisionId: string): { deployment: StoredDeployment; revision: StoredRevision } {
    const deployment = this.get(id)
    const revision = deployment.revisions.find((one) => one.id === revisionId)
    if (revision === undefined) throw refuse(404, `Revision ID ${revisionId} not found.`)
    return { deployment, revision }
  }

  statusOf(revision: StoredRevision): { status: string; message: string | undefined; since: number } {
    const until = revision.skippedAt ?? this.#options.now()
    const { step, sinceMs } = stepAt(revision.steps, until - revision.createdAt)
    if (revision.skippedAt === undefined)
      return { status: step.status, message: step.message, since: revision.createdAt + sinceMs }
    return {
      status: 'SKIPPED',
      message: 'A newer revision arrived before this one began to deploy.',
      since: revision.skippedAt,
    }
  }

  /** The revision that became DEPLOYED last. */
  activeRevision(deployment: StoredDeployment): StoredRevision | undefined {
    return deployment.revisions
      .filter((revision) => revision.activates && this.statusOf(revision).status === 'DEPLOYED')
      .sort((one, other) => this.statusOf(one).since - this.statusOf(other).since)
      .at(-1)
  }

  #merge(deployment: StoredDeployment, body: CreateRevision): void {
    const standing = {
      source: deployment.source,
      config: deployment.config,
      revision: deployment.revisions.at(-1)?.config ?? {},
    }
    checkUpdate(body, standing)
    deployment.config = { ...deployment.config, ...given(body.source_config ?? {}) }
    deployment.secrets = body.secrets ?? deployment.secrets
    deployment.secretReferences = body.secret_references ?? deployment.secretReferences
    deployment.updatedAt = this.#options.now()
  }

  #addRevision(deployment: StoredDeployment, body: CreateRevision): StoredRevision {
    const source = body.revision_source ?? deployment.source
    const now = this.#options.now()
    for (const older of deployment.revisions) {
      if (older.skippedAt === undefined && !hasBegunToDeploy(this.statusOf(older).status))
        older.skippedAt = now
    }
    const number = deployment.revisions.length + 1
    const script = this.#options.script(deployment, number) ?? scriptOfName(deployment.name)
    const revision: StoredRevision = {
      id: randomUUID(),
      source,
      createdAt: now,
      config: { ...deployment.revisions.at(-1)?.config, ...given(body.source_revision_config ?? {}) },
      steps: stepsOf(script, source, this.#options.speed),
      activates: script.activates ?? true,
      skippedAt: undefined,
    }
    deployment.revisions.push(revision)
    return revision
  }
}

export type { StoredDeployment, StoredRevision }

/** The same commit for the same repository and ref. */
export function commitOf(deployment: StoredDeployment, revision: StoredRevision): string | null {
  if (revision.source !== 'git_host') return null
  return createHash('sha1')
    .update(`${deployment.config.repo_url ?? ''}#${revision.config.repo_ref ?? ''}`)
    .digest('hex')
}

function given<T extends object>(fields: T): Partial<T> {
  const copy = { ...fields }
  for (const [key, value] of Object.entries(fields))
    if (value === null || value === undefined) Reflect.deleteProperty(copy, key)
  return copy
}
