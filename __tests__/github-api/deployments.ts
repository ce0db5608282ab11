import { z } from 'zod'

/** GitHub's deployments, which the emulator lacks: kept in memory, answered as GitHub's description says. */

export interface KeptStatus {
  state: string
  description: string
  environment_url: string
  log_url: string
}

export interface KeptDeployment {
  id: number
  ref: string
  environment: string
  description: string | null
  transient_environment: boolean
  production_environment: boolean
  auto_merge: boolean
  required_contexts: readonly string[] | undefined
  payload: unknown
  /** Oldest first. */
  statuses: KeptStatus[]
}

export interface Answer {
  status: number
  body: unknown
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

const AT = '2026-01-02T03:04:05Z'

export class KeptDeployments {
  readonly all: KeptDeployment[] = []
  readonly #repository: string

  constructor(repository: string) {
    this.#repository = repository
  }

  /** Nothing for a path that is not about deployments. */
  answer(method: string, path: string, body: unknown): Answer | undefined {
    const url = new URL(path, 'https://github.example')
    const base = `/repos/${this.#repository}/deployments`
    if (!url.pathname.toLowerCase().startsWith(base.toLowerCase())) return undefined
    const [id, rest] = url.pathname.slice(base.length).split('/').filter(Boolean)
    if (id === undefined) return method === 'POST' ? this.#create(body) : this.#list(url.searchParams)
    const deployment = this.all.find((one) => one.id === Number(id))
    if (deployment === undefined) return { status: 404, body: { message: 'Not Found' } }
    if (rest !== 'statuses') return { status: 200, body: this.#show(deployment) }
    if (method === 'POST') return this.#report(deployment, body)
    const latestFirst = deployment.statuses.map((status, index) =>
      this.#showStatus(deployment, status, index),
    )
    return { status: 200, body: page(latestFirst.reverse(), url.searchParams) }
  }

  #create(body: unknown): Answer {
    const given = created.parse(body)
    const deployment: KeptDeployment = {
      ...given,
      id: 9_000 + this.all.length,
      description: given.description ?? null,
      production_environment: given.production_environment ?? given.environment === 'production',
      required_contexts: given.required_contexts,
      payload: given.payload ?? {},
      statuses: [],
    }
    this.all.push(deployment)
    return { status: 201, body: this.#show(deployment) }
  }

  #list(query: URLSearchParams): Answer {
    const environment = query.get('environment')
    const wanted = this.all.filter((one) => environment === null || one.environment === environment)
    return {
      status: 200,
      body: page(
        wanted.reverse().map((one) => this.#show(one)),
        query,
      ),
    }
  }

  /** A success makes the earlier ones of its environment inactive, but for transient and production ones. */
  #report(deployment: KeptDeployment, body: unknown): Answer {
    const { auto_inactive: autoInactive, ...status } = reported.parse(body)
    deployment.statuses.push(status)
    const earlier = this.all.filter(
      (one) =>
        one !== deployment &&
        one.environment === deployment.environment &&
        !one.transient_environment &&
        !one.production_environment,
    )
    if (status.state === 'success' && autoInactive)
      for (const one of earlier) one.statuses.push({ ...status, state: 'inactive', description: '' })
    return { status: 201, body: this.#showStatus(deployment, status, deployment.statuses.length - 1) }
  }

  #show(deployment: KeptDeployment): object {
    const url = `https://api.github.com/repos/${this.#repository}/deployments/${deployment.id}`
    return {
      url,
      id: deployment.id,
      node_id: `D_${deployment.id}`,
      sha: deployment.ref,
      ref: deployment.ref,
      task: 'deploy',
      payload: deployment.payload,
      environment: deployment.environment,
      original_environment: deployment.environment,
      description: deployment.description,
      creator: null,
      created_at: AT,
      updated_at: AT,
      statuses_url: `${url}/statuses`,
      repository_url: `https://api.github.com/repos/${this.#repository}`,
      transient_environment: deployment.transient_environment,
      production_environment: deployment.production_environment,
    }
  }

  #showStatus({ id, environment }: KeptDeployment, status: KeptStatus, index: number): object {
    const url = `https://api.github.com/repos/${this.#repository}/deployments/${id}`
    return {
      url: `${url}/statuses/${index}`,
      id: index,
      node_id: `DS_${index}`,
      creator: null,
      ...status,
      environment,
      target_url: status.log_url,
      created_at: AT,
      updated_at: AT,
      deployment_url: url,
      repository_url: `https://api.github.com/repos/${this.#repository}`,
    }
  }
}

function page<T>(items: T[], query: URLSearchParams): T[] {
  const size = Number(query.get('per_page') ?? 30)
  const start = (Number(query.get('page') ?? 1) - 1) * size
  return items.slice(start, start + size)
}
