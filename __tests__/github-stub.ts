import type { GitHub, GitHubRequest } from '../src/github/client.ts'

export type Answer = (request: GitHubRequest) => unknown

/** A GitHub that answers each request like this: a list is one page. */
export function aGitHub(answer: Answer): GitHub {
  return {
    repository: 'acme/agent',
    learned: {},
    ageOf: (at) => Date.UTC(2026, 0, 2) - at,
    request: async (request, schema) => schema.parse(await Promise.resolve(request).then(answer)),
    async *pages(request, schema) {
      yield* schema.parse(await Promise.resolve(request).then(answer))
    },
  }
}

/** Answers like a GitHub that keeps deployments, with all states of each. The newest come first. */
export function keepingDeployments() {
  const deployments: { id: number; payload: unknown; states: unknown[] }[] = []
  const answer: Answer = ({ route, parameters = {} }) => {
    const found = deployments.find(({ id }) => id === parameters['deployment_id'])
    if (route.startsWith('GET'))
      return found === undefined ? deployments.toReversed() : [{ id: 1, state: found.states.at(-1) ?? 'pending' }]
    if (found !== undefined) return found.states.push(parameters['state'])
    deployments.push({ id: deployments.length + 1, payload: parameters['payload'], states: [] })
    return { id: deployments.length, payload: parameters['payload'] }
  }
  return { deployments, answer }
}
