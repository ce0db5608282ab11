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

/** A GitHub Deployment of this run. */
export interface EnvironmentDeployment {
  readonly id: number
  report: (state: DeploymentState, status: DeploymentStatus) => Promise<void>
}

export interface DeploymentOptions {
  /** The commit. */
  ref: string
  environment: string
  /** It goes again one day, like a preview. */
  transient: boolean
  production: boolean
  description: string
  /** Which deployment of the control plane it stands for: several may share an environment. */
  name: string
}

export const PERMISSION: Permission = 'deployments: write'

const deployment = z.object({ id: z.number() })

/** Creates a GitHub Deployment. Nothing is merged, and no other check has to be green for it. */
export async function openDeployment(
  gitHub: GitHub,
  { ref, environment, transient, production, description, name }: DeploymentOptions,
): Promise<EnvironmentDeployment> {
  const { id } = await gitHub.request(
    {
      route: 'POST /repos/{owner}/{repo}/deployments',
      parameters: {
        ref,
        environment,
        description,
        auto_merge: false,
        required_contexts: [],
        transient_environment: transient,
        production_environment: production,
        payload: { name },
      },
      attempted: `create a GitHub Deployment in the environment ${environment}`,
      permission: PERMISSION,
    },
    deployment,
  )
  return {
    id,
    async report(state, status) {
      await reportState(gitHub, id, state, status)
    },
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
