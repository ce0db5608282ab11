import { GitHubApi, TOKEN } from '../__tests__/github-api/server.ts'
import type { Scene } from './scene.ts'

export { REPOSITORY, type Comment } from '../__tests__/github-api/repository.ts'
export { TOKEN, type GitHubApi }

export const GITHUB = 'https://api.github.com'

/** The GitHub of the tests, in the scene. */
export function openGitHub(scene: Scene): GitHubApi {
  const gitHub = new GitHubApi({}, GITHUB, scene.time)
  scene.network.serve(GITHUB, async (request) => await gitHub.fetch(request))
  return gitHub
}
