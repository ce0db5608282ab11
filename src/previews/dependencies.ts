import type { PullRequestState } from '../github/pulls.ts'
import type { GitHubQuestions } from '../github/questions.ts'
import type { RemoveDependencies } from './remove.ts'

export interface TeardownDependencies extends RemoveDependencies, Pick<GitHubQuestions, 'pullRequestStates'> {
  /** In a rerun, the word of the event that a pull request is closed does not count. */
  isFirstAttempt: boolean
}

/** @param label see `previewStateOf` */
export async function stateOf(
  pullRequest: number,
  label: string | undefined,
  { pullRequestStates }: Pick<TeardownDependencies, 'pullRequestStates'>,
): Promise<PullRequestState> {
  return (await pullRequestStates([pullRequest], label)).get(pullRequest) ?? 'unknown'
}
