import { z } from 'zod'

/** GitHub's deployments, which in memory. The responses match GitHub's description. */

export interface KeptStatus {
  id: number
  state: string
  description: string
  environment_url: string
  log_url: string
}

export interface KeptDeployment {
  id: number
  ref: string
  sha: string
  environment: string
  description: string | null
  transient_environment: boolean
  production_environment: boolean
  auto_merge: boolean
  required_contexts: readonly string[] | undefined
  payload: unknown
  createdAt: string
  /** Oldest first. */
  statuses: KeptStatus[]
}

/** What GitHub makes itself for a job with `environment:`. */
export interface JobDeployment {
  environment: string
  sha: string
  /** The states that GitHub has set so far. */
  states: readonly string[]
  /** Default: the run of demo/runner. */
  runId?: string
}

export interface Answer {
  status: number
  body: unknown
  /** The Link header with the next page. */
  link?: string | undefined
}

const created = z.object({
  ref: z.string(),
  environment: z.string().default('production'),
  description: z.string().nullish(),
  transient_environment: z.boolean().default(false),
  production_environment: z.boolean().optional(),
  auto_merge: z.boolean().default(true),
  required_contexts: z.array(z.string()).optional(),
  payload: z.unknown().optional(),
})

const reported = z.object({
  state: z.string(),
  description: z.string().default(''),
  environment_url: z.string().default(''),
  log_url: z.string().default(''),
  auto_inactive: z.boolean().default(true),
})

/** The filters of a list. */
const FILTERS = ['environment', 'ref', 'sha', 'task'] as const

const AT = '2026-01-02T03:04:05Z'

export class KeptDeployments {
  readonly all: KeptDeployment[] = []
  readonly #repository: string
  readonly #apiUrl: string
  readonly #now: () => number
  #statusesSoFar = 0

  /**
   * @param apiUrl the base of the addresses in the responses
   * @param now milliseconds since the epoch
   */
  constructor(repository: string, apiUrl: string, now = Date.now) {
    this.#now = now
    this.#repository = repository
    this.#apiUrl = apiUrl
  }

  /** As GitHub does when such a job is queued. Returns how GitHub sets further states, such as that of the job's end. */
  addOfJob({ environment, sha, states, runId = '7351' }: JobDeployment): (state: string) => void {
    const deployment: KeptDeployment = {
      id: 9_000 + this.all.length,
      ref: 'main',
      sha,
      environment,
      description: null,
      transient_environment: false,
      production_environment: environment === 'production',
      auto_merge: true,
      required_contexts: undefined,
      payload: {},
      createdAt: new Date(this.#now()).toISOString().replace(/\.\d+/, ''),
      statuses: [],
    }
    this.all.push(deployment)
    const log_url = `https://github.com/${this.#repository}/actions/runs/${runId}/job/${deployment.id * 7}`
    const add = (state: string): void => {
      this.#add(deployment, { state, description: '', environment_url: '', log_url })
    }
    states.forEach(add)
    return add
  }

  /** Returns `undefined` for a path that is not about deployments. */
  answer(method: string, path: string, body: unknown): Answer | undefined {
    const url = new URL(path, 'https://github.example')
    const base = `/repos/${this.#repository}/deployments`
    if (!url.pathname.toLowerCase().startsWith(base.toLowerCase())) return undefined
    const [id, rest] = url.pathname.slice(base.length).split('/').filter(Boolean)
    if (method !== 'GET' && method !== 'POST') return missingRoute(method, path)
    if (id === undefined) return method === 'POST' ? this.#create(body) : this.#list(url)
    const deployment = this.all.find((one) => one.id === Number(id))
    if (deployment === undefined) return { status: 404, body: { message: 'Not Found' } }
    if (rest === undefined) return { status: 200, body: this.#show(deployment) }
    if (rest !== 'statuses') return missingRoute(method, path)
    if (method === 'POST') return this.#report(deployment, body)
    const latestFirst = deployment.statuses.map((status) => this.#showStatus(deployment, status)).reverse()
    return this.#page(latestFirst, url)
  }

  #create(body: unknown): Answer {
    const given = created.parse(body)
    const deployment: KeptDeployment = {
      ...given,
      // For a branch it would be the newest commit.
      sha: given.ref,
      id: 9_000 + this.all.length,
      description: given.description ?? null,
      production_environment: given.production_environment ?? given.environment === 'production',
      required_contexts: given.required_contexts,
      payload: given.payload ?? {},
      createdAt: new Date(this.#now()).toISOString().replace(/\.\d+/, ''),
      statuses: [],
    }
    this.all.push(deployment)
    return { status: 201, body: this.#show(deployment) }
  }

  #list(url: URL): Answer {
    const wanted = this.all
      .map((one) => this.#show(one))
      .filter((shown) => FILTERS.every((name) => [null, shown[name]].includes(url.searchParams.get(name))))
    return this.#page(wanted.reverse(), url)
  }

  /** A success makes the earlier successes of its environment inactive, but for transient and production ones. */
  #report(deployment: KeptDeployment, body: unknown): Answer {
    const { auto_inactive: autoInactive, ...given } = reported.parse(body)
    for (const field of ['environment_url', 'log_url'] as const)
      if (given[field] !== '' && !/^https?:\/\//.test(given[field])) return mustBeWebAddress(field)
    const status = this.#add(deployment, given)
    const replaced = this.all.filter(
      (one) =>
        one.id < deployment.id &&
        one.environment === deployment.environment &&
        one.statuses.at(-1)?.state === 'success' &&
        !one.transient_environment &&
        !one.production_environment,
    )
    if (given.state === 'success' && autoInactive)
      for (const one of replaced) this.#add(one, { ...given, state: 'inactive', description: '' })
    return { status: 201, body: this.#showStatus(deployment, status) }
  }

  #add(deployment: KeptDeployment, given: Omit<KeptStatus, 'id'>): KeptStatus {
    this.#statusesSoFar += 1
    const status = { ...given, id: this.#statusesSoFar }
    deployment.statuses.push(status)
    return status
  }

  #show(deployment: KeptDeployment) {
    const url = `${this.#apiUrl}/repos/${this.#repository}/deployments/${deployment.id}`
    return {
      url,
      id: deployment.id,
      node_id: `D_${deployment.id}`,
      sha: deployment.sha,
      ref: deployment.ref,
      task: 'deploy',
      payload: deployment.payload,
      environment: deployment.environment,
      original_environment: deployment.environment,
      description: deployment.description,
      creator: null,
      created_at: deployment.createdAt,
      updated_at: AT,
      statuses_url: `${url}/statuses`,
      repository_url: `${this.#apiUrl}/repos/${this.#repository}`,
      transient_environment: deployment.transient_environment,
      production_environment: deployment.production_environment,
    }
  }

  #showStatus({ id, environment }: KeptDeployment, status: KeptStatus): object {
    const url = `${this.#apiUrl}/repos/${this.#repository}/deployments/${id}`
    return {
      url: `${url}/statuses/${status.id}`,
      node_id: `DS_${status.id}`,
      creator: null,
      ...status,
      environment,
      target_url: status.log_url,
      created_at: AT,
      updated_at: AT,
      deployment_url: url,
      repository_url: `${this.#apiUrl}/repos/${this.#repository}`,
    }
  }

  #page(items: object[], url: URL): Answer {
    // GitHub returns at most 100.
    const size = Math.min(100, Number(url.searchParams.get('per_page') ?? 30))
    const page = Number(url.searchParams.get('page') ?? 1)
    const next = new URL(this.#apiUrl + url.pathname + url.search)
    next.searchParams.set('page', String(page + 1))
    const link = page * size < items.length ? `<${next.href}>; rel="next"` : undefined
    return { status: 200, body: items.slice((page - 1) * size, page * size), link }
  }
}

/** GitHub does this, although its description does not say so. */
function mustBeWebAddress(field: string): Answer {
  const error = { resource: 'DeploymentStatus', code: 'custom', field, message: `${field} must use http(s) scheme` }
  return { status: 422, body: { message: 'Validation Failed', errors: [error] } }
}

function missingRoute(method: string, path: string): never {
  throw new Error(`${method} ${path} is a route of GitHub that this server lacks: add it`)
}
