/** What asks GitHub. It is loaded with the first question. */
export { GitHubClient } from './client.ts'
export { compareCommits, readPullRequest, readPullRequestStates } from './pull-questions.ts'
export { readRefCommit } from './refs.ts'
