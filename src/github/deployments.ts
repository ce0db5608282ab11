import { z } from 'zod'
import type { GitHub } from './client.ts'

/** The states of a GitHub Deployment that a rollout uses. */
export const DEPLOYMENT_STATES = ['queued', 'in_progress', 'success', 'failure', 'error', 'inactive'] as const
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number]

export interface DeploymentStatus {
  /** At most 140 characters. */
  description: string
  environmentUrl?: string | undefined
  logUrl?: string | undefined
}

export const PERMISSION = 'deployments: write'

/** What a run writes into its GitHub Deployment. */
const payload = z.object({
  /** The deployment of the control plane: several may share an environment. */
  name: z.string(),
  /** Identifies the run. */
  key: z.string().optional(),
})

// GitHub returns the payload as an object, or as JSON text.
const listed = z.object({
  id: z.number(),
  payload: z.preprocess(parseJson, payload.optional().catch(undefined)),
})

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
): AsyncIterable<z.infer<typeof listed>> {
  const route = 'GET /repos/{owner}/{repo}/deployments'
  return gitHub.pages({ route, parameters, attempted, permission: PERMISSION }, z.array(listed))
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
      parameters: { deployment_id: id, state, description, environment_url: environmentUrl, log_url: logUrl },
      attempted: `set the GitHub Deployment to ${state}`,
      permission: PERMISSION,
    },
    z.unknown(),
  )
}
