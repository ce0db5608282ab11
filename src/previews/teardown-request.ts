import type { PullRequestState } from '../github/pulls.ts'
import type { Target } from '../rollout/rollout-request.ts'

/** What a teardown step requests. */
export interface TeardownRequest {
  what: OneDeployment | ClosedPreviews
  /** Whether the step passes if the one deployment does not exist. */
  ignoreMissing: boolean
  /** List, delete nothing. */
  dryRun: boolean
  /** For the whole run, in milliseconds. */
  timeoutMs: number
}

export interface OneDeployment {
  kind: 'one'
  target: Target
  /** Why it is deleted. */
  because: ChoiceReason
}

/** All previews of a deployment whose pull request is closed. */
export interface ClosedPreviews {
  kind: 'closed-previews'
  /** The previews of this deployment are named `<name>-pr-<number>`. */
  name: string
  /** Also those that were not updated for so long, in milliseconds, whatever the state of their pull request. */
  olderThanMs: number | undefined
}

export type ChoiceReason =
  | { kind: 'requested' }
  | { kind: `pull-request-${PullRequestState}`; pullRequest: number }
  | { kind: 'not-updated'; forMs: number }
