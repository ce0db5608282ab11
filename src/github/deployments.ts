import { z } from 'zod'
import { newId } from '../world.ts'
import type { Note } from '../notes/note.ts'
import { readPayload, writePayload } from '../notes/payload.ts'
import { writeDescription } from '../notes/status.ts'
import type { GitHub, GitHubRequest } from './client.ts'
import { equalIgnoringCase, isOurs } from './pulls.ts'
import { GitHubError, isLost } from './errors.ts'

export const DEPLOYMENT_STATES = ['queued', 'in_progress', 'success', 'failure', 'error', 'inactive'] as const
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number]

/** GitHub's limit for the description of a deployment or a status, in characters. */
export const MAX_DESCRIPTION = 140

export interface DeploymentStatus {
  /** At most {@link MAX_DESCRIPTION} characters. */
  description: string
  /** Notes at the end of the description, which is cut for them. */
  notes?: readonly Note[]
  environmentUrl?: string | undefined
  logUrl?: string | undefined
  /** With a success, GitHub makes earlier ones of the environment inactive, unless this is set. */
  keepsOthers?: boolean | undefined
}

export const PERMISSION = 'deployments: write'

const payload = z.unknown().transform(readPayload)

const listed = z.object({
  id: z.number(),
  payload,
  sha: z.string().optional(),
  environment: z.string().optional(),
  repository_url: z.string().optional(),
  created_at: z.string().optional(),
  transient_environment: z.boolean().nullish().catch(undefined),
})

/** Lists GitHub Deployments, newest first. */
export function listDeployments(
  gitHub: GitHub,
  parameters: { environment: string; ref?: string; sha?: string },
  question: { attempted: string; withinMs?: number },
): AsyncIterable<z.infer<typeof listed>> {
  const route = 'GET /repos/{owner}/{repo}/deployments'
  const ours = listed.refine(
    ({ environment = parameters.environment, repository_url: address }) =>
      equalIgnoringCase(environment, parameters.environment) && isOurs(address, gitHub),
    'is about another environment or repository',
  )
  return gitHub.pages({ route, parameters, permission: PERMISSION, ...question }, z.array(ours))
}

export async function reportState(
  gitHub: GitHub,
  id: number,
  state: DeploymentState,
  { description, notes = [], environmentUrl, logUrl, keepsOthers }: DeploymentStatus,
): Promise<void> {
  await gitHub.request(
    {
      route: 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
      parameters: {
        deployment_id: id,
        state,
        description: writeDescription(description, notes, MAX_DESCRIPTION),
        environment_url: environmentUrl,
        log_url: logUrl,
        ...(keepsOthers === true && { auto_inactive: false }),
      },
      attempted: `set the GitHub Deployment to ${state}`,
      permission: PERMISSION,
    },
    aboutDeployment(gitHub, id, z.unknown()),
  )
}

const address = z.object({ deployment_url: z.string() })
const OTHER_DEPLOYMENT = 'is about another GitHub Deployment'

/** Rejects only what shows another GitHub Deployment: a write need not show its result. */
function aboutDeployment<T>(gitHub: GitHub, id: number, schema: z.ZodType<T>): z.ZodType<T> {
  return schema.refine(
    (shown) => isOurs(address.safeParse(shown).data?.deployment_url, gitHub, `/deployments/${id}`),
    OTHER_DEPLOYMENT,
  )
}

const status = z.looseObject({
  id: z.number(),
  state: z.string(),
  description: z.string().nullish(),
  log_url: z.string().nullish(),
  target_url: z.string().nullish(),
})
export type Status = z.infer<typeof status>

/** Lists the statuses of one GitHub Deployment, newest first. */
export async function statusesOf(
  gitHub: GitHub,
  id: number,
  question: { attempted: string; withinMs?: number },
  parameters: { per_page?: number } = {},
): Promise<Status[]> {
  const route = 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses'
  const request = {
    route,
    parameters: { deployment_id: id, ...parameters },
    permission: PERMISSION,
    ...question,
  } as const
  return await gitHub.request(request, z.array(aboutDeployment(gitHub, id, status)))
}

const RETIRED = 'Replaced by a newer deployment, or deleted.'
/** GitHub deletes statuses after this time: then the list is empty, whatever was set. */
const STATUSES_KEPT_MS = 90 * 24 * 3_600_000
/** The search for a name ends after this number. One is not enough: a late run may report its success after it was retired. */
const ENOUGH_RETIRED = 3

/**
 * Makes the earlier GitHub Deployments of a preview inactive, oldest first, so that a retired one has none before it
 * that is not retired, even after an error. One that became inactive by itself, as when superseded, proves nothing
 * about those before it. `before`: the id of this run's own; newer ones belong to newer runs.
 */
export async function retireDeployments(
  gitHub: GitHub,
  environment: string,
  names: readonly string[],
  { now, before = Number.POSITIVE_INFINITY }: { now: number; before?: number | undefined },
): Promise<void> {
  const toRetire: number[] = []
  const retiredLeft = new Map(names.map((name) => [name, ENOUGH_RETIRED]))
  const listing = { attempted: `list the GitHub Deployments of the environment ${environment}` }
  for await (const { id, payload, created_at: created = '' } of listDeployments(gitHub, { environment }, listing)) {
    const name = payload?.name ?? ''
    const remainingRetired = retiredLeft.get(name)
    if (id >= before || remainingRetired === undefined) continue
    const statusQuestion = { attempted: 'read the state of a GitHub Deployment' }
    const [latest] = await statusesOf(gitHub, id, statusQuestion, { per_page: 1 })
    const isForgotten = latest === undefined && now - Date.parse(created) > STATUSES_KEPT_MS
    const isRetired = latest?.state === 'inactive' && latest.description === RETIRED
    if (isForgotten || isRetired) retiredLeft.set(name, remainingRetired - 1)
    else if (latest?.state !== 'inactive') toRetire.push(id)
    if (retiredLeft.get(name) === 0) retiredLeft.delete(name)
    if (retiredLeft.size === 0) break
  }
  for (const id of toRetire.reverse()) await reportState(gitHub, id, 'inactive', { description: RETIRED })
}

interface DeploymentOptions {
  /** The commit, branch or tag that is deployed. */
  ref: string
  environment: string
  /** Whether the environment is deleted some day, like a preview. */
  transient: boolean
  description: string
  name: string
  /** The notes of the revisions that the run has made, for its reruns. */
  revisions?: readonly Note[]
  hasOtherCode?: boolean
}

const ATTEMPTS = 2

const created = z.object({ id: z.number(), payload })

/** The one GitHub Deployment of a run is created once even if GitHub's responses are lost. */
export class DeploymentCreation {
  readonly #options: DeploymentOptions
  readonly #key: string
  #isResponseLost = false
  #refusal: GitHubError | undefined

  constructor(options: DeploymentOptions, random: () => number) {
    this.#options = options
    this.#key = newId(random)
  }

  /** Creates it and returns its id. May be called again after an error. */
  async create(gitHub: GitHub): Promise<number> {
    // GitHub would refuse it again, as it does for an unknown ref.
    if (this.#refusal !== undefined) throw this.#refusal
    const ours = created.refine(({ payload }) => payload?.key === this.#key, OTHER_DEPLOYMENT)
    for (let attempt = 1; ; attempt++) {
      const idOfLost = await this.findLost(gitHub)
      if (idOfLost !== undefined) return idOfLost
      try {
        return (await gitHub.request(this.#request(), ours)).id
      } catch (thrown) {
        this.#rememberFailure(thrown)
        if (!isLost(thrown) || attempt === ATTEMPTS) throw thrown
      }
    }
  }

  #rememberFailure(thrown: unknown): void {
    if (thrown instanceof GitHubError && thrown.status === 422) this.#refusal = thrown
    if (isLost(thrown)) this.#isResponseLost = true
  }

  /** Finds the one whose id was lost with a response. Returns `undefined` if there is none. */
  async findLost(gitHub: GitHub): Promise<number | undefined> {
    if (!this.#isResponseLost) return undefined
    const { environment, ref } = this.#options
    const searchForLost = { attempted: 'find the GitHub Deployment whose creation got no response' }
    for await (const { id, payload } of listDeployments(gitHub, { environment, ref }, searchForLost))
      if (payload?.key === this.#key) return id
    return undefined
  }

  /** The creation, which merges nothing and requires no other check to be green. */
  #request(): GitHubRequest {
    const { ref, environment, transient, description, name, revisions = [], hasOtherCode = false } = this.#options
    return {
      route: 'POST /repos/{owner}/{repo}/deployments',
      parameters: {
        ref,
        environment,
        description,
        auto_merge: false,
        required_contexts: [],
        transient_environment: transient,
        production_environment: environment.toLowerCase() === 'production',
        payload: writePayload({ name, key: this.#key, revisions, hasOtherCode }),
      },
      attempted: `create a GitHub Deployment in the environment ${environment}`,
      permission: PERMISSION,
      isSentOnce: true,
    }
  }
}
