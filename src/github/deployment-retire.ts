import { z } from 'zod'
import type { GitHub } from './client.ts'
import { payloadOf, PERMISSION, reportState } from './deployment.ts'

export interface RetireOptions {
  environment: string
  /** Only those that stand for this deployment of the control plane. */
  name: string
  /** Only those that are older than this run's own: a newer one is its own run's to tell. */
  before?: number
}

const listedDeployment = z.object({ id: z.number(), payload: z.unknown() })
const statuses = z.array(z.object({ state: z.string(), description: z.string().nullish() }))

const RETIRED = 'Another one took its place, or it is gone.'
/** One would do, but for a run that is so late that it tells of its success after it was retired. */
const RETIRED_AT_ONCE = 3

/**
 * Makes the earlier GitHub Deployments of a preview inactive; gives how many there were. Oldest first, so that those
 * before a retired one are retired as well, even when it broke off: only so far back does anybody have to look. One
 * that ended inactive by itself, like a superseded one, says nothing about those before it.
 */
export async function retireDeployments(
  gitHub: GitHub,
  { environment, name, before = Number.POSITIVE_INFINITY }: RetireOptions,
): Promise<number> {
  const listed = gitHub.pages(
    {
      route: 'GET /repos/{owner}/{repo}/deployments',
      parameters: { environment },
      attempted: `list the GitHub Deployments of the environment ${environment}`,
      permission: PERMISSION,
    },
    z.array(listedDeployment),
  )
  const doomed: number[] = []
  let retired = 0
  // Newest first, as GitHub lists them.
  for await (const { id, payload } of listed) {
    if (id >= before || payloadOf(payload)?.name !== name) continue
    const latest = await latestStatus(gitHub, id)
    if (latest?.state !== 'inactive') doomed.push(id)
    else if (latest.description === RETIRED) retired += 1
    if (retired === RETIRED_AT_ONCE) break
  }
  for (const id of doomed.reverse()) await reportState(gitHub, id, 'inactive', { description: RETIRED })
  return doomed.length
}

async function latestStatus(
  gitHub: GitHub,
  id: number,
): Promise<z.infer<typeof statuses>[number] | undefined> {
  const latest = await gitHub.request(
    {
      route: 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
      parameters: { deployment_id: id, per_page: 1 },
      attempted: 'read the state of a GitHub Deployment',
      permission: PERMISSION,
    },
    statuses,
  )
  return latest[0]
}
