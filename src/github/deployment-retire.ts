import { z } from 'zod'
import type { GitHub } from './client.ts'
import { payloadOf, PERMISSION, reportState } from './deployments.ts'

export interface RetireOptions {
  environment: string
  /** Only those that stand for these deployments of the control plane. */
  names: readonly string[]
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
  { environment, names, before = Number.POSITIVE_INFINITY }: RetireOptions,
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
  const toBeSeen = new Map(names.map((name) => [name, RETIRED_AT_ONCE]))
  // Newest first, as GitHub lists them.
  for await (const { id, payload } of listed) {
    const name = payloadOf(payload)?.name ?? ''
    const left = toBeSeen.get(name)
    if (id >= before || left === undefined) continue
    const latest = await latestStatus(gitHub, id)
    if (latest?.state !== 'inactive') doomed.push(id)
    else if (latest.description === RETIRED) toBeSeen.set(name, left - 1)
    if (toBeSeen.get(name) === 0) toBeSeen.delete(name)
    if (toBeSeen.size === 0) break
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
