/** What asks GitHub. It is loaded with the first question. */
export { GitHubClient } from './client.ts'
export {
  compareCommits,
  readPullRequest,
  readPullRequestFiles,
  readPullRequestStates,
  readRefCommit,
  readRunAge,
} from './read.ts'
