import type { RequestRetried } from '../control-plane/transport.ts'
import type { RolloutEvent } from '../rollout/event.ts'
import type { AnyOutcome, ErrorCause, RolloutOutcome, Unfit } from '../rollout/outcome.ts'
import type { Choice } from './choose-removals.ts'
import type { ChoiceReason, ClosedReason } from './request.ts'

export type TeardownOutcome =
  | AnyOutcome
  /** Everything that was to be deleted is deleted. */
  | { kind: 'torn-down' }
  | { kind: 'nothing-to-tear-down' }
  /** A dry run: nothing was deleted. */
  | { kind: 'planned' }
  | { kind: 'failed'; because: TeardownFailure }

export type PreviewEnd =
  { operation: 'rollout'; outcome: RolloutOutcome } | { operation: 'teardown'; outcome: TeardownOutcome }

export type TeardownFailure =
  | { kind: 'teardown'; failed: number }
  /** `unknown`: the number of previews of which GitHub did not report whether their pull request is closed. */
  | { kind: 'states-unknown'; unknown: number }
  | Unfit
  | ErrorCause

/** The events of a teardown. `report/` and `notify/` listen, and word them. */
export type TeardownEvent =
  /** `target`: the deployment's name or id, or the name that the previews are named after. */
  | { kind: 'teardown-began'; target: string; timeoutMs: number; ofFleet?: true }
  /** Deletions follow, except in a dry run. A long list has parts. `withTracingProjects`: theirs are deleted, too. */
  | { kind: 'deletions-chosen'; choices: readonly Choice[]; dryRun: boolean; withTracingProjects: boolean }
  /** The step names a deployment that does not exist. `name`: set if it names it by its name. */
  | { kind: 'nothing-to-delete'; name: string | undefined }
  | { kind: 'deleted'; id: string }
  | { kind: 'deletion-failed'; id: string; trouble: string }
  | { kind: 'deletion-dropped'; id: string; because: ChoiceReason }
  /** The control plane has accepted the deletion, and the run ends before it looks whether the deployment is gone. */
  | { kind: 'deletion-unseen'; id: string }
  | RequestRetried

/** The events of a preview's rollout, or of its teardown because the pull request is closed. */
export type PreviewEvent =
  | RolloutEvent
  | TeardownEvent
  | { kind: 'head-read'; commit: string | undefined }
  /** A teardown follows in place of a rollout. */
  | { kind: `pull-request-${ClosedReason}`; pullRequest: number }
