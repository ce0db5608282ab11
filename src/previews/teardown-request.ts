import type { Target } from '../rollout/rollout-request.ts'

/** What a teardown step requests. */
export interface TeardownRequest {
  what: { kind: 'one'; target: Target } | ClosedPreviews
  /** Whether the step passes if the one deployment does not exist. */
  ignoreMissing: boolean
  /** List, delete nothing. */
  dryRun: boolean
  /** For the whole run, in milliseconds. */
  timeoutMs: number
}

/** All previews of a deployment whose pull request is closed. */
export interface ClosedPreviews {
  kind: 'closed-previews'
  /** The previews of this deployment are named `<name>-pr-<number>`. */
  name: string
  /** Also those that were not updated for so long, in milliseconds, whatever the state of their pull request. */
  olderThanMs: number | undefined
}
