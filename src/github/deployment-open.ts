import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { GitHub } from './client.ts'
import { payloadOf, PERMISSION } from './deployments.ts'
import { GitHubError } from './errors.ts'

export interface DeploymentOptions {
  /** The commit, or a branch or tag. */
  ref: string
  environment: string
  /** It goes again one day, like a preview. */
  transient: boolean
  production: boolean
  description: string
  /** Which deployment of the control plane it stands for: several may share an environment. */
  name: string
}

/** The one GitHub Deployment of a run, however many answers are lost. */
export interface Opening {
  /** Creates it, and gives its id. After an error it may be called again. */
  open: (gitHub: GitHub) => Promise<number>
  /** The one of which no answer told the id; nothing when there is none. */
  recover: (gitHub: GitHub) => Promise<number | undefined>
}

export function openingOf(options: DeploymentOptions): Opening {
  // In its payload: nobody else's has it.
  const key = randomUUID()
  let isAnswerLost = false
  let refusal: GitHubError | undefined
  const recover = async (gitHub: GitHub): Promise<number | undefined> =>
    isAnswerLost ? await findByKey(gitHub, options, key) : undefined
  return {
    recover,
    async open(gitHub) {
      // As for a ref that GitHub does not know: it would say the same again.
      if (refusal !== undefined) throw refusal
      for (let attempt = 1; ; attempt++) {
        const made = await recover(gitHub)
        if (made !== undefined) return made
        try {
          return await create(gitHub, options, key)
        } catch (thrown) {
          if (isRefusal(thrown)) refusal = thrown
          if (!mayBeDone(thrown)) throw thrown
          isAnswerLost = true
          if (attempt === ATTEMPTS) throw thrown
        }
      }
    },
  }
}

/** A creation without an answer is looked for before it is sent again. */
const ATTEMPTS = 2

/** Nothing is merged, and no other check has to be green for it. */
async function create(
  gitHub: GitHub,
  { ref, environment, transient, production, description, name }: DeploymentOptions,
  key: string,
): Promise<number> {
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
        payload: { name, key },
      },
      attempted: `create a GitHub Deployment in the environment ${environment}`,
      permission: PERMISSION,
      once: true,
    },
    z.object({ id: z.number() }),
  )
  return id
}

async function findByKey(
  gitHub: GitHub,
  { ref, environment }: DeploymentOptions,
  key: string,
): Promise<number | undefined> {
  const listed = gitHub.pages(
    {
      route: 'GET /repos/{owner}/{repo}/deployments',
      parameters: { environment, ref },
      attempted: 'look for the GitHub Deployment whose creation got no answer',
      permission: PERMISSION,
    },
    z.array(z.object({ id: z.number(), payload: z.unknown() })),
  )
  for await (const { id, payload } of listed) if (payloadOf(payload)?.key === key) return id
  return undefined
}

function isRefusal(thrown: unknown): thrown is GitHubError {
  return thrown instanceof GitHubError && thrown.status === 422
}

/** GitHub may have created it, and only its answer did not come. */
function mayBeDone(thrown: unknown): boolean {
  return thrown instanceof GitHubError && (thrown.status === undefined || thrown.status >= 500)
}
