import { z } from 'zod'
import type { GitHub } from './client.ts'
import type { Permission } from './errors.ts'

/** The states of a GitHub Deployment that a rollout uses. */
export const DEPLOYMENT_STATES = ['queued', 'in_progress', 'success', 'failure', 'error', 'inactive'] as const
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number]

export interface DeploymentStatus {
  /** At most 140 characters. */
  description: string
  environmentUrl?: string | undefined
  logUrl?: string | undefined
}

export const PERMISSION: Permission = 'deployments: write'

/** What a run writes into its GitHub Deployment. */
const payloadSchema = z.object({
  /** The deployment of the control plane: several may share an environment. */
  name: z.string(),
  /** Identifies the run. */
  key: z.string().optional(),
})

const listedDeployment = z.object({
  id: z.number(),
  // GitHub returns it as an object, or as JSON text.
  payload: z.preprocess(parseJson, payloadSchema.optional().catch(undefined)),
})
export type ListedDeployment = z.infer<typeof listedDeployment>

function parseJson(payload: unknown): unknown {
  if (typeof payload !== 'string') return payload
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}

/**
 * Lists GitHub Deployments, newest first.
 * @param attempted as in `GitHubRequest`
 */
export function listDeployments(
  gitHub: GitHub,
  parameters: { environment: string; ref?: string },
  attempted: string,
): AsyncIterable<ListedDeployment> {
  return gitHub.pages(
    { route: 'GET /repos/{owner}/{repo}/deployments', parameters, attempted, permission: PERMISSION },
    z.array(listedDeployment),
  )
}

/** Sets the state of a GitHub Deployment. */
export async function reportState(
  gitHub: GitHub,
  id: number,
  state: DeploymentState,
  { description, environmentUrl, logUrl }: DeploymentStatus,
): Promise<void> {
  await gitHub.request(
    {
      route: 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
      parameters: {
        deployment_id: id,
        state,
        description,
        ...(environmentUrl === undefined ? {} : { environment_url: environmentUrl }),
        ...(logUrl === undefined ? {} : { log_url: logUrl }),
      },
      attempted: `set the GitHub Deployment to ${state}`,
      permission: PERMISSION,
    },
    z.unknown(),
  )
}
