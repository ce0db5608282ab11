/** Replaces packages in the bundle that nothing needs and that take time to load (see "paths" in src/tsconfig.json). */

/**
 * Replaces @actions/http-client. @actions/github asks it for an agent when it is loaded,
 * and with it Node would load TLS for an address of plain http, too: 10 ms. No request needs that agent: octokit sends
 * all of them by the network of the run.
 */
export class HttpClient {
  getAgent(): undefined {
    return undefined
  }

  getAgentDispatcher(): undefined {
    return undefined
  }
}

/** Replaces undici, as @actions/github imports it: it would take a third of the time to the first request. */
export class ProxyAgent {
  options: unknown

  constructor(options: unknown) {
    this.options = options
  }
}

export async function fetch(): Promise<never> {
  return await Promise.reject(new Error('This action sends its requests by node:http'))
}

/** Replaces @actions/exec, by which @actions/core describes the platform: Node would load all that starts processes. */
export async function getExecOutput(): Promise<never> {
  return await Promise.reject(new Error('This action starts no process by @actions/exec'))
}

/**
 * Replaces @octokit/plugin-rest-endpoint-methods and @octokit/plugin-paginate-rest. Their table of GitHub's routes is
 * three quarters of what octokit takes to load. `github/` names its routes itself, and asks for pages itself.
 */
export const restEndpointMethods = (): Record<string, never> => ({})
export const paginateRest = (): Record<string, never> => ({})

/** What the types of @actions/github add to octokit. */
export interface Api {
  rest: unknown
}
export type PaginateInterface = unknown
