import { randomUUID } from 'node:crypto'
import { refuse } from './answers.ts'
import { CONTRACT, type Habits } from './habits.ts'
import {
  hasBegunToDeploy,
  passedSteps,
  phaseOf,
  scriptOfName,
  scriptWithoutSource,
  stepAt,
  stepsOf,
  type RolloutScript,
} from './lifecycle.ts'
import { logOf, type LogLine } from './logs.ts'
import { commitOf, given, urlOf, type StoredDeployment, type StoredRevision } from './records.ts'
import { checkCreate, checkUpdate, effective, needsRevision, revisionConfigOf } from './rules.ts'
import type {
  CreateDeployment,
  CreateRevision,
  DeleteOne,
  LogType,
  Source,
  SourceRevisionConfig,
  UpdateDeployment,
} from './schemas.ts'
import type { Uploads } from './uploads.ts'

export type ScriptChooser = (deployment: { name: string }, revisionNumber: number) => RolloutScript | undefined

export interface StoreOptions {
  speed: number
  now: () => number
  script: ScriptChooser
  uploads: Uploads
}

/** The input of a new revision. */
interface Recipe {
  source: Source
  config: SourceRevisionConfig
  /** Default: the commit of the ref. */
  commit?: string | null
}

const REPLACED = 'A newer revision arrived before this one began to deploy.'

/** The sources whose first revision needs something that comes after the create: an image, or an upload. */
const WITHOUT_FIRST: readonly Source[] = ['internal_container', 'internal_source']

/** How long a new deployment waits for its database, in milliseconds at speed 1. */
const DATABASE_MS = 600

/** The state of the control plane. Statuses are computed for the time of the read. */
export class Store {
  readonly #deployments = new Map<string, StoredDeployment>()
  /** The tracing projects of deleted deployments. */
  readonly #keptNames = new Set<string>()
  readonly #options: StoreOptions

  constructor(options: StoreOptions) {
    this.#options = options
  }

  create(body: CreateDeployment, habits: Habits = CONTRACT): StoredDeployment {
    checkCreate(body, habits)
    if (this.all().some(({ name }) => name === body.name))
      throw refuse(409, `A deployment named "${body.name}" already exists.`)
    if (this.#keptNames.has(body.name)) throw refuse(409, `A tracing project named "${body.name}" already exists.`)
    const now = this.#options.now()
    const id = randomUUID()
    this.#checkTarball(id, body.source_revision_config)
    const deployment: StoredDeployment = {
      id,
      name: body.name,
      source: body.source,
      createdAt: now,
      updatedAt: now,
      config: body.source_config,
      secrets: body.secrets,
      secretReferences: body.secret_references ?? [],
      draft: given(body.source_revision_config),
      goneAt: undefined,
      revisions: [],
    }
    if (body.source === 'git_host') {
      deployment.config = { ...body.source_config, custom_url: urlOf(deployment) }
    }
    this.#deployments.set(deployment.id, deployment)
    if (!(habits.noFirstRevision && WITHOUT_FIRST.includes(body.source)))
      this.#addRevision(deployment, { source: body.source, config: deployment.draft })
    return deployment
  }

  /** PATCH: creates a revision only if the body has a revision-relevant field. */
  update(id: string, body: UpdateDeployment, habits: Habits = CONTRACT): StoredDeployment {
    const deployment = this.#living(id)
    const wanted = effective(body, habits)
    this.#merge(deployment, wanted, habits)
    if (needsRevision(wanted)) this.#roll(deployment, wanted)
    return deployment
  }

  /** POST …/revisions: always creates a revision. */
  revise(id: string, body: CreateRevision, habits: Habits = CONTRACT): StoredRevision {
    const deployment = this.#living(id)
    this.#merge(deployment, effective(body, habits), habits)
    return this.#roll(deployment, body)
  }

  /** Creates a revision that repeats an older one with its commit. */
  redeploy(deployment: StoredDeployment, older: StoredRevision): StoredRevision {
    return this.#addRevision(deployment, { source: older.source, config: older.config, commit: older.commit })
  }

  delete(id: string, { delete_tracing_project: isWhole = false }: DeleteOne, { keepsNames, deleteMs }: Habits): void {
    const deployment = this.get(id)
    deployment.goneAt ??= this.#options.now() + deleteMs
    if (keepsNames && !isWhole) this.#keptNames.add(deployment.name)
  }

  all(): StoredDeployment[] {
    const now = this.#options.now()
    return [...this.#deployments.values()].filter(({ goneAt = Infinity }) => now < goneAt)
  }

  get(id: string): StoredDeployment {
    const deployment = this.#deployments.get(id)
    if (deployment === undefined || this.#options.now() >= (deployment.goneAt ?? Infinity))
      throw refuse(404, `Deployment ID ${id} not found.`)
    return deployment
  }

  #living(id: string): StoredDeployment {
    const deployment = this.get(id)
    if (deployment.goneAt !== undefined) throw refuse(400, `Deployment ID ${id} is being deleted.`)
    return deployment
  }

  getRevision(id: string, revisionId: string): { deployment: StoredDeployment; revision: StoredRevision } {
    const deployment = this.get(id)
    const revision = deployment.revisions.find((one) => one.id === revisionId)
    if (revision === undefined) throw refuse(404, `Revision ID ${revisionId} not found.`)
    return { deployment, revision }
  }

  /** Independent of rollouts: a deployment is READY even if its newest revision failed. */
  deploymentStatus({ createdAt, goneAt }: StoredDeployment): 'AWAITING_DATABASE' | 'READY' | 'AWAITING_DELETE' {
    const { now, speed } = this.#options
    if (goneAt !== undefined) return 'AWAITING_DELETE'
    return now() < createdAt + DATABASE_MS / speed ? 'AWAITING_DATABASE' : 'READY'
  }

  /** Each line has its own ID: clients that follow a log know by it what they have printed. */
  logOf(revision: StoredRevision, type: LogType): (LogLine & { id: string })[] {
    const now = this.#options.now()
    return logOf(revision, type, Math.min(now, revision.stopped?.at ?? now)).map((line, n) => ({
      id: `${revision.id}-${type}-${n}`,
      ...line,
    }))
  }

  statusOf(revision: StoredRevision): { status: string; message: string | undefined; since: number } {
    const { stopped, createdAt, steps } = revision
    if (stopped !== undefined) return { status: stopped.status, message: stopped.message, since: stopped.at }
    const { step, sinceMs } = stepAt(steps, this.#options.now() - createdAt)
    return { status: step.status, message: step.message, since: createdAt + sinceMs }
  }

  interrupt(revision: StoredRevision): void {
    const { status } = this.statusOf(revision)
    if (phaseOf(status) === 'terminal') throw refuse(400, `A revision that is ${status} cannot be interrupted.`)
    const at = this.#options.now()
    revision.stopped = { status: 'INTERRUPTED', message: 'The revision was interrupted.', at }
  }

  /** Every status until now, with its duration so far in milliseconds. */
  historyOf(revision: StoredRevision): { status: string; ms: number }[] {
    const now = this.#options.now()
    const { stopped, steps, createdAt } = revision
    const passed = passedSteps(steps, (stopped?.at ?? now) - createdAt)
    return stopped === undefined ? passed : [...passed, { status: stopped.status, ms: now - stopped.at }]
  }

  /** The revision that became DEPLOYED last. */
  activeRevision(deployment: StoredDeployment): StoredRevision | undefined {
    return deployment.revisions
      .filter((revision) => revision.activates && this.statusOf(revision).status === 'DEPLOYED')
      .sort((one, other) => this.statusOf(one).since - this.statusOf(other).since)
      .at(-1)
  }

  #roll(deployment: StoredDeployment, body: UpdateDeployment): StoredRevision {
    const source = body.revision_source ?? deployment.source
    const before = deployment.revisions.at(-1)?.config ?? deployment.draft
    const config = revisionConfigOf(source, before, body.source_revision_config ?? {})
    return this.#addRevision(deployment, { source, config })
  }

  #merge(deployment: StoredDeployment, body: UpdateDeployment, habits: Habits): void {
    const { id, name, source, config, draft } = deployment
    checkUpdate(body, { name, source, config, revision: deployment.revisions.at(-1)?.config ?? draft }, habits)
    this.#checkTarball(id, body.source_revision_config)
    deployment.config = { ...config, ...given(body.source_config ?? {}) }
    deployment.secrets = body.secrets ?? deployment.secrets
    deployment.secretReferences = body.secret_references ?? deployment.secretReferences
    deployment.updatedAt = this.#options.now()
  }

  #checkTarball(deploymentId: string, config: SourceRevisionConfig | null | undefined): void {
    const path = config?.source_tarball_path
    if (!path || this.#options.uploads.find(deploymentId, path) !== undefined) return
    throw refuse(400, 'source_tarball_path must be an object path obtained from POST …/upload-url.')
  }

  #addRevision(deployment: StoredDeployment, { source, config, commit }: Recipe): StoredRevision {
    const now = this.#options.now()
    for (const older of deployment.revisions) {
      if (!hasBegunToDeploy(this.statusOf(older).status))
        older.stopped = { status: 'SKIPPED', message: REPLACED, at: now }
    }
    const number = deployment.revisions.length + 1
    const script = this.#options.script(deployment, number) ?? this.#usualScript(deployment, source, config)
    const revision: StoredRevision = {
      id: randomUUID(),
      source,
      createdAt: now,
      config,
      commit: commit ?? script.repoCommitSha ?? commitOf(source, deployment.config, config),
      steps: stepsOf(script, source, this.#options.speed),
      logs: script.logs,
      activates: script.activates ?? true,
      stopped: undefined,
    }
    deployment.revisions.push(revision)
    deployment.updatedAt = now
    return revision
  }

  #usualScript({ id, name }: StoredDeployment, source: Source, config: SourceRevisionConfig): RolloutScript {
    if (source !== 'internal_source') return scriptOfName(name)
    const path = config.source_tarball_path
    if (!path) return scriptWithoutSource()
    if (this.#options.uploads.find(id, path)?.received !== undefined) return scriptOfName(name)
    return { ends: 'BUILD_FAILED', statusMessage: `No source was uploaded to ${path}.` }
  }
}
