import type { ControlPlane } from '../src/control-plane/client.ts'
import type { Clock } from '../src/clock.ts'
import type { Deployment, DeploymentDraft, Page, Revision } from '../src/control-plane/model.ts'
import type { ListQuery } from '../src/control-plane/routes.ts'
import type { Settings } from '../src/control-plane/settings.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID } from './builders.ts'
import { aControlPlane, refusedWith } from './control-plane-stub.ts'

/**
 * The statuses of a revision. A list: its creation shows the first one, each read the next one, and the last one stays.
 * A function: the status at its age in milliseconds.
 */
type Statuses = readonly string[] | ((ageMs: number) => string)

/** A revision with the statuses of its life; without them, it stays as it is. */
type Lived = Omit<Partial<Revision>, 'id'> & { id: string; statuses?: Statuses | undefined }

interface ModelOptions {
  clock?: Pick<Clock, 'now'> | undefined
  deployments?: readonly Deployment[] | undefined
  /** What the next revision of the deployment is; `count`: its number among all, from 1. DEPLOYED at once if not set. */
  next?: (deployment: Deployment, count: number) => Lived
  /** The id of a new deployment; `DEPLOYMENT_ID` if not set. */
  idOf?: ((name: string) => string) | undefined
  /** Milliseconds from the end of a revision until it is the active one. */
  activationMs?: number | undefined
  /** A revision that fails leaves no revision active. */
  failureStops?: boolean | undefined
  /** When a list is answered, by the clock of the server. */
  serverTime?: number | undefined
  /** Requests that are answered in another way. */
  answers?: Partial<ControlPlane> | undefined
}

interface Life {
  revision: Revision
  statuses: Statuses
  reads: number
  bornAt: number
  /** When it became DEPLOYED, until it is the active one. */
  endedAt: number
}

/** The control plane of unit tests: it keeps deployments and their revisions in memory. */
export class ControlPlaneModel {
  readonly controlPlane: ControlPlane
  /** The writes in their order: `create`, `patch` with the names of the settings, or the id of a new revision. */
  readonly writes: string[] = []
  /** The ids of the requests to delete, in their order. */
  readonly deletions: string[] = []
  /** The deadlines that `within` was called with, in monotonic milliseconds. */
  readonly deadlines: number[] = []
  readonly #options: ModelOptions
  readonly #now: () => number
  readonly #deployments: Map<string, Deployment>
  /** By the ids of deployments and of their revisions. */
  readonly #lives = new Map<string, Map<string, Life>>()
  #created = 0

  constructor(options: ModelOptions) {
    const { clock, deployments = [], answers } = options
    this.#options = options
    this.#now = () => clock?.now() ?? 0
    this.#deployments = new Map(deployments.map((one) => [one.id, one]))
    this.controlPlane = aControlPlane({
      within: (deadline) => {
        this.deadlines.push(deadline)
        return this.controlPlane
      },
      listDeployments: (query) => Promise.try(() => this.#list(query)),
      getDeployment: (id) => Promise.try(() => this.deployment(id)),
      createDeployment: (wanted) => Promise.try(() => this.#create(wanted)),
      updateDeployment: (id, settings) => Promise.try(() => this.#patch(id, settings)),
      createRevision: (id, { settings }) => Promise.try(() => this.revise(id, settings)),
      getRevision: (id, revisionId) => Promise.try(() => this.#read(id, revisionId)),
      deleteDeployment: (id) => Promise.try(() => this.remove(id)),
      redeploy: () => Promise.reject(refusedWith(404)),
      readLog: (_id, revisionId, { type }) => Promise.resolve([`${type} log of ${revisionId}`]),
      ...answers,
    })
  }

  get deployments(): Deployment[] {
    return [...this.#deployments.keys()].map((id) => this.deployment(id))
  }

  /** The deployment as it is now. Throws a 404 for an unknown one. */
  deployment(id: string): Deployment {
    const { activationMs = 0 } = this.#options
    for (const life of this.#lives.get(id)?.values() ?? []) {
      this.#update(id, life)
      if (this.#now() < life.endedAt + activationMs) continue
      this.#set(id, { activeRevisionId: life.revision.id })
      life.endedAt = Infinity
    }
    return this.#find(id)
  }

  /** Changes a deployment, as another client may. */
  change(id: string, { settings, ...over }: Partial<Deployment>): Deployment {
    const before = this.deployment(id)
    this.#set(id, { ...over, settings: { ...before.settings, ...settings } })
    return this.deployment(id)
  }

  /** Gives the deployment of this id a revision, which was there before. */
  give(id: string, { statuses = [], ...lived }: Lived): Life {
    const first = typeof statuses === 'function' ? statuses(0) : statuses[0]
    const revision = aRevision({ ...lived, status: first ?? lived.status ?? 'DEPLOYED' })
    const life: Life = { revision, statuses, reads: 0, bornAt: this.#now(), endedAt: Infinity }
    this.#lives.set(id, (this.#lives.get(id) ?? new Map<string, Life>()).set(revision.id, life))
    return life
  }

  /** Creates a revision of a deployment. */
  revise(id: string, settings: Settings): Revision {
    const revision = this.#bear(id, settings)
    this.writes.push(revision.id)
    this.change(id, { latestRevisionId: revision.id, settings })
    return revision
  }

  /** Carries out a request to delete. Throws a 404 for an unknown deployment. */
  remove(id: string): void {
    this.deletions.push(id)
    if (!this.#deployments.delete(id)) throw refusedWith(404)
    this.#lives.delete(id)
  }

  #list({ nameContains = '', ids, limit, offset }: ListQuery): Page<Deployment> {
    const { serverTime } = this.#options
    const all = [...this.#deployments.values()].filter(
      ({ id, name }) => ids?.includes(id) ?? name.includes(nameContains),
    )
    const resources = all.slice(offset, offset + limit).map(({ id }) => this.deployment(id))
    return { resources, offset: offset + resources.length, serverTime }
  }

  #create({ name, source, settings }: DeploymentDraft): Deployment {
    const { idOf = () => DEPLOYMENT_ID } = this.#options
    const id = idOf(name)
    this.writes.push('create')
    this.#deployments.set(id, aDeployment({ id, name, source, settings, activeRevisionId: null }))
    const revision = this.#bear(id, settings)
    return this.change(id, { latestRevisionId: revision.id })
  }

  #patch(id: string, settings: Settings): Deployment {
    this.writes.push(`patch ${Object.keys(settings).join(' ')}`)
    return this.change(id, { settings })
  }

  #bear(id: string, settings: Settings): Revision {
    const { next = (_deployment: Deployment, count: number) => ({ id: `revision-${count}` }) } = this.#options
    const life = this.give(id, { ...next(this.#find(id), ++this.#created), settings })
    this.#enter(id, life, life.revision.status)
    return life.revision
  }

  #read(id: string, revisionId: string): Revision {
    const life = this.#lives.get(id)?.get(revisionId)
    if (life === undefined) return aRevision({ id: revisionId, status: 'DEPLOYED', settings: this.#find(id).settings })
    life.reads += 1
    this.#update(id, life)
    return life.revision
  }

  #update(id: string, life: Life): void {
    const { statuses, reads, bornAt, revision } = life
    const status = typeof statuses === 'function' ? statuses(this.#now() - bornAt) : statuses[reads]
    if (status !== undefined && status !== revision.status) this.#enter(id, life, status)
  }

  #enter(id: string, life: Life, status: string): void {
    life.revision = { ...life.revision, status }
    life.endedAt = status === 'DEPLOYED' ? this.#now() : Infinity
    if (status.endsWith('_FAILED') && this.#options.failureStops) this.#set(id, { activeRevisionId: null })
  }

  #find(id: string): Deployment {
    const found = this.#deployments.get(id)
    if (found === undefined) throw refusedWith(404)
    return found
  }

  #set(id: string, over: Partial<Deployment>): void {
    this.#deployments.set(id, { ...this.#find(id), ...over })
  }
}

/** A list that shows other resources than there are. */
export function showing(
  list: ControlPlane['listDeployments'],
  show: (found: Deployment[], query: ListQuery) => Deployment[],
): ControlPlane['listDeployments'] {
  return async (query) => {
    const page = await list(query)
    return { ...page, resources: show(page.resources, query) }
  }
}
