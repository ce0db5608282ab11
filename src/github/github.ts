/** What asks GitHub. It is loaded with the first question. */
export { GitHubClient } from './client.ts'
export { readPreviewNotes } from './preview-notes.ts'
export { compareCommits, readPullRequest, readPullRequestFiles, readPullRequestStates, readRefCommit } from './read.ts'
