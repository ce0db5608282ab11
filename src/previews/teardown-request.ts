import type { Target } from '../rollout/rollout-request.ts'

/** What a teardown step asks for. */
export interface TeardownRequest {
  what: { kind: 'one'; target: Target } | ClosedPreviews
  /** A deployment that is not there: `true` ends green, as nothing is left to do. */
  ignoreMissing: boolean
  /** List, delete nothing. */
  dryRun: boolean
  /** For the whole run, in milliseconds. */
  timeoutMs: number
}

/** All previews of a deployment whose pull request is closed. */
export interface ClosedPreviews {
  kind: 'closed-previews'
  /** The deployment that they are previews of: `<name>-pr-<number>`. */
  name: string
  /** Those that were not updated for so long go as well, whatever became of their pull request. In milliseconds. */
  olderThanMs: number | undefined
}
