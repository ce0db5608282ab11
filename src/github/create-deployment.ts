import { z } from 'zod'
import type { GitHub, GitHubRequest } from './client.ts'
import { listDeployments, payload, PERMISSION } from './deployments.ts'
import { GitHubError, isLost } from './errors.ts'
import { newId } from '../world.ts'

export interface DeploymentOptions {
  /** A commit, branch or tag. */
  ref: string
  environment: string
  /** Whether the environment is deleted some day, like a preview. */
  transient: boolean
  description: string
  /** The deployment of the control plane: several may share an environment. */
  name: string
  /** How long earlier rollouts took, for later runs; '' if nothing is known. */
  took?: string
  /** The revision that the run has made, for its reruns; '' if it has made none yet. */
  made?: string
}

const ATTEMPTS = 2

const created = z.object({ id: z.number(), payload })

export type DeploymentCreation = ReturnType<typeof prepareDeployment>

/** Prepares the one GitHub Deployment of a run, which is created once even if GitHub's responses are lost. */
export function prepareDeployment(options: DeploymentOptions, random: () => number) {
  const key = newId(random)
  const request = creationRequest(options, key)
  const ours = created.refine((made) => made.payload?.key === key, 'is about another GitHub Deployment')
  let isResponseLost = false
  let refusal: GitHubError | undefined
  /** Finds the one whose id was lost with a response. Returns `undefined` if there is none. */
  const findLost = async (gitHub: GitHub): Promise<number | undefined> => {
    if (!isResponseLost) return undefined
    const { environment, ref } = options
    const attempted = 'find the GitHub Deployment whose creation got no response'
    for await (const { id, payload } of listDeployments(gitHub, { environment, ref }, attempted))
      if (payload?.key === key) return id
    return undefined
  }
  return {
    findLost,
    /** Creates it and returns its id. May be called again after an error. */
    async create(gitHub: GitHub): Promise<number> {
      // GitHub would refuse it again, as it does for an unknown ref.
      if (refusal !== undefined) throw refusal
      for (let attempt = 1; ; attempt++) {
        const found = await findLost(gitHub)
        if (found !== undefined) return found
        try {
          return (await gitHub.request(request, ours)).id
        } catch (thrown) {
          if (thrown instanceof GitHubError && thrown.status === 422) refusal = thrown
          if (!isLost(thrown)) throw thrown
          isResponseLost = true
          if (attempt === ATTEMPTS) throw thrown
        }
      }
    },
  }
}

/** Merges nothing, and requires no other check to be green. */
function creationRequest(options: DeploymentOptions, key: string): GitHubRequest {
  const { ref, environment, transient, description, name, took = '', made = '' } = options
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
      payload: { name, key, ...(took !== '' && { took }), ...(made !== '' && { made }) },
    },
    attempted: `create a GitHub Deployment in the environment ${environment}`,
    permission: PERMISSION,
    once: true,
  }
}
