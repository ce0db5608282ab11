/** The questions to GitHub. This part is loaded with the first of them. */
export { GitHubClient } from './client.ts'
export { readFilesSince, readFileAt, resolveCommit } from './changed-files.ts'
export { findDeployedCommits } from './deployed-commits.ts'
export {
  compareCommits,
  readPullRequest,
  readPullRequestFiles,
  readPullRequestStates,
  readRefCommit,
  readRunAge,
} from './read.ts'
