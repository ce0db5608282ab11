/** The questions to GitHub. This part is loaded with the first of them. */
export { GitHubClient } from './client.ts'
export {
  compareCommits,
  readPullRequest,
  readPullRequestFiles,
  readPullRequestStates,
  readRefCommit,
  readRunAge,
} from './read.ts'
