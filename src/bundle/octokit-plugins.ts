/**
 * Replaces @octokit/plugin-rest-endpoint-methods and @octokit/plugin-paginate-rest in the bundle (see "paths" beside this
 * folder in tsconfig.json). @actions/github adds them to octokit, and their table of GitHub's routes is three quarters of
 * what octokit takes to load. `github/` names its routes itself, and asks for pages itself.
 */
export const restEndpointMethods = (): Record<string, never> => ({})

export const paginateRest = (): Record<string, never> => ({})

/** What the types of @actions/github add to octokit. */
export interface Api {
  rest: unknown
}
export type PaginateInterface = unknown
