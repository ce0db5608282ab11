import type { Api } from '../../control-plane/api.ts'
import type { Revision } from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { CurrentState } from '../read/current-state.ts'
import type { OutdatedPlan, PackedSource, RolloutPlan } from './types.ts'

/** Everything that a plan depends on besides the request. */
export interface PlanFacts extends CurrentState {
  /** For internal_source. */
  packed: PackedSource | undefined
  api: Api
  /** The answer of GitHub to a planning that asks for the commit of a ref. */
  refCommit?: string | undefined
  /** The run has waited for the latest revision to report its commit. */
  isCommitAwaited?: true
  /** An earlier attempt of this run has made the latest revision for the same request, as it noted on GitHub. */
  isNoted?: true
}

/** The ref that would be built, and the address of its repository. */
export interface RefToBuild {
  ref: string
  repoUrl: string
}

/**
 * `awaits`: a revision that the plan would resume if it reported our commit. `asks`: the ref whose commit decides whether
 * a revision is already what the plan would create.
 */
export type Planning =
  | {
      kind: 'planned'
      plan: Exclude<RolloutPlan, OutdatedPlan>
      awaits?: Revision | undefined
      asks?: RefToBuild | undefined
    }
  | { kind: 'refused'; problems: Problem[] }
