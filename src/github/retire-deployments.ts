import { z } from 'zod'
import type { GitHub, GitHubRequest } from './client.ts'
import { listDeployments, PERMISSION, reportState } from './deployments.ts'

export interface RetireOptions {
  environment: string
  /** Only those of these deployments of the control plane. */
  names: readonly string[]
  /** Only those older than this run's own. Newer ones belong to newer runs. */
  before?: number | undefined
}

const statuses = z.array(z.object({ state: z.string(), description: z.string().nullish() }))

const RETIRED = 'Replaced by a newer deployment, or deleted.'
/** The search for a name ends after so many. One is not enough: a late run may report its success after it was retired. */
const ENOUGH_RETIRED = 3

/**
 * Makes the earlier GitHub Deployments of a preview inactive, oldest first, so that a retired one has none before it
 * that is not retired, even after an error. One that became inactive by itself, as when superseded, proves nothing
 * about those before it.
 */
export async function retireDeployments(
  gitHub: GitHub,
  { environment, names, before = Number.POSITIVE_INFINITY }: RetireOptions,
): Promise<void> {
  const toRetire: number[] = []
  const retiredLeft = new Map(names.map((name) => [name, ENOUGH_RETIRED]))
  const attempted = `list the GitHub Deployments of the environment ${environment}`
  for await (const { id, payload } of listDeployments(gitHub, { environment }, attempted)) {
    const name = payload?.name ?? ''
    const left = retiredLeft.get(name)
    if (id >= before || left === undefined) continue
    const [latest] = await gitHub.request(latestStatusOf(id), statuses)
    if (latest?.state !== 'inactive') toRetire.push(id)
    else if (latest.description === RETIRED) retiredLeft.set(name, left - 1)
    if (retiredLeft.get(name) === 0) retiredLeft.delete(name)
    if (retiredLeft.size === 0) break
  }
  for (const id of toRetire.reverse()) await reportState(gitHub, id, 'inactive', { description: RETIRED })
}

function latestStatusOf(id: number): GitHubRequest {
  return {
    route: 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
    parameters: { deployment_id: id, per_page: 1 },
    attempted: 'read the state of a GitHub Deployment',
    permission: PERMISSION,
  }
}
