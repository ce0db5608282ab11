import { checkAgentFree } from './agents.ts'
import { refuse } from './answers.ts'
import { CONTRACT, hasFirstRevision, type Habits } from './habits.ts'
import { History } from './history.ts'
import { hasBegunToDeploy, phaseOf, stepsOf, type RolloutScript } from './lifecycle.ts'
import {
  given,
  newDeployment,
  newRevision,
  type Recipe,
  type StoredDeployment,
  type StoredRevision,
} from './records.ts'
import { activeAt, historyAt, logAt, statusAt, stop } from './revision-life.ts'
import { checkCreate, checkFree, checkUpdate, effective, needsRevision, revisionConfigOf } from './rules.ts'
import type {
  CreateRevision,
  DeleteOne,
  LogType,
  NewDeployment,
  SourceRevisionConfig,
  Tier,
  UpdateDeployment,
} from './schemas.ts'
import type { Uploads } from './uploads.ts'
import { usualScript } from './usual-script.ts'

export type ScriptChooser = (deployment: { name: string }, revisionNumber: number) => RolloutScript | undefined

interface StoreOptions {
  speed: number
  now: () => number
  newId: () => string
  script: ScriptChooser
  uploads: Uploads
}

/** How long a new deployment waits for its database, in milliseconds at speed 1. */
const DATABASE_MS = 600

/** The state of the control plane. Statuses are computed for the time of the read. */
export class Store {
  #deployments = new Map<string, StoredDeployment>()
  readonly #history = new History<StoredDeployment>()
  /** The tracing projects of deleted deployments. */
  readonly #keptNames = new Set<string>()
  readonly #options: StoreOptions
  /** The time in place of the present while `at` and `behind` act. */
  #time: number | undefined

  constructor(options: StoreOptions) {
    this.#options = options
  }

  /** Acts at another time than the present. `act` must not be asynchronous before it is done. */
  at<T>(time: number, act: () => T): T {
    this.#time = time
    try {
      return act()
    } finally {
      this.#time = undefined
    }
  }

  /** Reads as a replica shows it that is `ms` milliseconds behind. */
  behind<T>(ms: number, read: () => T): T {
    const time = this.#now() - ms
    const present = this.#deployments
    this.#deployments = this.#history.at(time)
    try {
      return this.at(time, read)
    } finally {
      this.#deployments = present
    }
  }

  #now(): number {
    return this.#time ?? this.#options.now()
  }

  #birth(): { now: number; id: string } {
    return { now: this.#now(), id: this.#options.newId() }
  }

  #changed(deployment: StoredDeployment): void {
    this.#history.add(deployment.id, this.#now(), structuredClone(deployment))
  }

  create(body: NewDeployment, habits: Habits = CONTRACT, script?: RolloutScript): StoredDeployment {
    checkCreate(body, habits)
    checkAgentFree(body, this.all())
    checkFree(body, this.all(), this.#keptNames, habits)
    const deployment = newDeployment(body, this.#birth())
    this.#checkTarball(deployment.id, body.source_revision_config)
    this.#deployments.set(deployment.id, deployment)
    if (hasFirstRevision(body.source, habits))
      this.#addRevision(deployment, { source: body.source, config: deployment.draft, script })
    else this.#changed(deployment)
    return deployment
  }

  /** PATCH: creates a revision only if the body has a revision-relevant field. */
  update(id: string, body: UpdateDeployment, habits: Habits = CONTRACT): StoredDeployment {
    const deployment = this.#living(id)
    const wanted = effective(body, habits)
    this.#merge(deployment, wanted, habits)
    if (needsRevision(wanted)) this.#roll(deployment, wanted)
    this.#changed(deployment)
    return deployment
  }

  /** POST …/revisions: always creates a revision. */
  revise(id: string, body: CreateRevision, habits: Habits = CONTRACT, script?: RolloutScript): StoredRevision {
    const deployment = this.#living(id)
    this.#merge(deployment, effective(body, habits), habits)
    return this.#roll(deployment, body, script)
  }

  /** Creates a revision that repeats an older one with its commit, unless it makes that one active again. */
  redeploy(deployment: StoredDeployment, older: StoredRevision, habits: Habits = CONTRACT): void {
    const { source, config, commit } = older
    if (!habits.redeployReactivates) {
      this.#addRevision(deployment, { source, config, ...(habits.redeployBuildsRef ? {} : { commit }) })
      return
    }
    deployment.updatedAt = older.broughtBackAt = this.#now()
    this.#changed(deployment)
  }

  rename(deployment: StoredDeployment, name: string): void {
    deployment.name = name
    deployment.updatedAt = this.#now()
    this.#changed(deployment)
  }

  /** Changes the size, and repeats the latest revision with it. */
  resize(id: string, tier: Tier): StoredDeployment {
    const deployment = this.#living(id)
    if (deployment.tier === undefined) throw refuse(500, 'Internal Server Error')
    deployment.tier = tier
    const latest = deployment.revisions.at(-1)
    if (latest === undefined) this.#changed(deployment)
    else this.redeploy(deployment, latest)
    return deployment
  }

  delete(id: string, { delete_tracing_project: isWhole = false }: DeleteOne, { keepsNames, deleteMs }: Habits): void {
    const deployment = this.get(id)
    deployment.goneAt ??= this.#now() + deleteMs
    if (keepsNames && !isWhole) this.#keptNames.add(deployment.name)
    this.#changed(deployment)
  }

  all(): StoredDeployment[] {
    return [...this.#deployments.values()].filter(({ goneAt = Infinity }) => this.#now() < goneAt)
  }

  get(id: string): StoredDeployment {
    const deployment = this.#deployments.get(id)
    if (deployment === undefined || this.#now() >= (deployment.goneAt ?? Infinity))
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
    if (goneAt !== undefined) return 'AWAITING_DELETE'
    return this.#now() < createdAt + DATABASE_MS / this.#options.speed ? 'AWAITING_DATABASE' : 'READY'
  }

  logOf(revision: StoredRevision, type: LogType): ReturnType<typeof logAt> {
    return logAt(revision, type, this.#now())
  }

  statusOf(revision: StoredRevision): ReturnType<typeof statusAt> {
    return statusAt(revision, this.#now())
  }

  interrupt({ deployment, revision }: { deployment: StoredDeployment; revision: StoredRevision }): void {
    const { status } = this.statusOf(revision)
    if (phaseOf(status) === 'terminal') throw refuse(400, `A revision that is ${status} cannot be interrupted.`)
    stop(revision, 'INTERRUPTED', this.#now())
    this.#changed(deployment)
  }

  /** Every status until now, with its duration so far in milliseconds. */
  historyOf(revision: StoredRevision): ReturnType<typeof historyAt> {
    return historyAt(revision, this.#now())
  }

  activeRevision({ revisions }: StoredDeployment): StoredRevision | undefined {
    return activeAt(revisions, this.#now())
  }

  #roll(deployment: StoredDeployment, body: UpdateDeployment, script?: RolloutScript): StoredRevision {
    const source = body.revision_source ?? deployment.source
    const before = deployment.revisions.at(-1)?.config ?? deployment.draft
    const config = revisionConfigOf(source, before, body.source_revision_config ?? {})
    return this.#addRevision(deployment, { source, config, script })
  }

  #merge(deployment: StoredDeployment, body: UpdateDeployment, habits: Habits): void {
    const { id, name, source, config, draft } = deployment
    checkUpdate(body, { name, source, config, revision: deployment.revisions.at(-1)?.config ?? draft }, habits)
    this.#checkTarball(id, body.source_revision_config)
    deployment.config = { ...config, ...given(body.source_config ?? {}) }
    deployment.secrets = body.secrets ?? deployment.secrets
    deployment.secretReferences = body.secret_references ?? deployment.secretReferences
    deployment.shareable = body.shareable ?? deployment.shareable
    deployment.updatedAt = this.#now()
  }

  #checkTarball(deploymentId: string, config: SourceRevisionConfig | null | undefined): void {
    const path = config?.source_tarball_path
    if (!path || this.#options.uploads.find(deploymentId, path) !== undefined) return
    throw refuse(400, 'source_tarball_path must be an object path obtained from POST …/upload-url.')
  }

  #addRevision(deployment: StoredDeployment, { source, config, commit, script: own }: Recipe): StoredRevision {
    const now = this.#now()
    for (const older of deployment.revisions) {
      if (!hasBegunToDeploy(this.statusOf(older).status)) stop(older, 'SKIPPED', now)
    }
    const number = deployment.revisions.length + 1
    const script =
      own ?? this.#options.script(deployment, number) ?? usualScript(this.#options.uploads, deployment, source, config)
    const steps = stepsOf(script, source, this.#options.speed)
    const revision = newRevision(deployment, { source, config, commit, script, steps }, this.#birth())
    deployment.revisions.push(revision)
    deployment.updatedAt = now
    this.#changed(deployment)
    return revision
  }
}
