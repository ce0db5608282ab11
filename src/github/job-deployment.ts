import { z } from 'zod'
import type { GitHub } from './client.ts'
import { aboutDeployment, listDeployments, PERMISSION } from './deployments.ts'

/** Where to look for the GitHub Deployment that GitHub itself made for a job with `environment:`. */
export interface JobDeploymentQuery {
  environment: string
  /** The commits that GitHub may name for the run. */
  commits: readonly string[]
  /** The address of the run: GitHub's statuses link to its job below it. */
  runUrl: string
  /** Called with what this action noted in its own GitHub Deployments, newest first. */
  onNote?: (name: string, took: string) => void
}

/** `several`: the jobs of a run share the environment, and a step does not know the id of its job. */
export type JobDeployment = { kind: 'none' } | { kind: 'one'; id: number } | { kind: 'several'; count: number }

const status = z.object({
  id: z.number(),
  state: z.string(),
  log_url: z.string().nullish(),
  target_url: z.string().nullish(),
})
export type JobStatus = z.infer<typeof status>

/** The id of a GitHub Deployment, and its state by the job. `undefined`: it is of another run, or of none. */
export interface JobState {
  id: number
  state: string | undefined
}

/** Limit of each request, in milliseconds: the rollout is shown later otherwise. */
const WITHIN_MS = 5_000
/** A commit may have more: a schedule makes one in every run. */
const NEWEST = 10

/**
 * Finds the GitHub Deployment that GitHub made for this job, and will end with it.
 * @throws GitHubError
 */
export async function findJobDeployment(gitHub: GitHub, query: JobDeploymentQuery): Promise<JobDeployment> {
  const { environment, commits, runUrl, onNote } = query
  const limits = { withinMs: WITHIN_MS }
  const attempted = `look for the job's own GitHub Deployment in the environment ${environment}`
  const newestFor = async (sha: string): Promise<number[]> => {
    const ids: number[] = []
    for await (const { id, payload } of listDeployments(gitHub, { environment, sha }, attempted, limits)) {
      // One with a name in its payload was made by this action.
      if (payload === undefined) ids.push(id)
      else if (payload.took !== undefined) onNote?.(payload.name, payload.took)
      if (ids.length === NEWEST) break
    }
    return ids
  }
  const stateOf = async (id: number): Promise<JobState> => {
    const route = 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses'
    const request = { route, parameters: { deployment_id: id }, attempted, permission: PERMISSION, ...limits } as const
    const statuses = await gitHub.request(request, z.array(aboutDeployment(gitHub, id, status)))
    return { id, state: stateByJob(statuses, runUrl) }
  }
  const ids = new Set((await Promise.all(commits.map(newestFor))).flat())
  return chooseJobDeployment(await Promise.all([...ids].map(stateOf)))
}

/** The latest state that GitHub itself set for a job of the run. Those of this action link to the run. */
export function stateByJob(statuses: readonly JobStatus[], runUrl: string): string | undefined {
  const isOfJob = (address: string | null | undefined): boolean =>
    address?.toLowerCase().startsWith(`${runUrl}/job/`.toLowerCase()) === true
  const ofJob = statuses.filter(({ log_url, target_url }) => isOfJob(log_url) || isOfJob(target_url))
  return ofJob.toSorted((one, other) => other.id - one.id)[0]?.state
}

const RUNNING = 'in_progress'
/** GitHub may show that a job runs a moment after it does. `waiting` and `pending` end with an approval. */
const NOT_STARTED: readonly (string | undefined)[] = ['queued', 'pending', 'waiting']

export function chooseJobDeployment(found: readonly JobState[]): JobDeployment {
  const running = found.filter(({ state }) => state === RUNNING)
  const likely = running.length > 0 ? running : found.filter(({ state }) => NOT_STARTED.includes(state))
  const [first, ...others] = likely
  if (first === undefined) return { kind: 'none' }
  return others.length === 0 ? { kind: 'one', id: first.id } : { kind: 'several', count: likely.length }
}
