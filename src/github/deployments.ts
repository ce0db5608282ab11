import { z } from 'zod'
import type { GitHub } from './client.ts'
import type { Permission } from './errors.ts'

/** GitHub's states of a deployment, as far as a rollout has them. */
export const DEPLOYMENT_STATES = ['queued', 'in_progress', 'success', 'failure', 'error', 'inactive'] as const
export type DeploymentState = (typeof DEPLOYMENT_STATES)[number]

export interface DeploymentStatus {
  /** At most 140 characters. */
  description: string
  environmentUrl?: string
  logUrl?: string
}

export const PERMISSION: Permission = 'deployments: write'

const payloadSchema = z.object({ name: z.string(), key: z.string().optional() })

/** What a run writes into its GitHub Deployment. GitHub hands it back as an object, or as the text of one. */
export function payloadOf(payload: unknown): z.infer<typeof payloadSchema> | undefined {
  if (typeof payload !== 'string') return payloadSchema.safeParse(payload).data
  try {
    return payloadSchema.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

/** Sets the state of a GitHub Deployment, which an earlier step may have created. */
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
