import type {
  Deployment,
  DeploymentDraft,
  Revision,
  RevisionDraft,
  Settings,
} from '../../control-plane/model.ts'
import type { Problem } from '../../problem.ts'
import type { PlannedField } from './diff.ts'
import type { Survey } from '../read/current-state.ts'

/** What a rollout is going to write: at most one PATCH, and at most one POST of a revision. */
export type RolloutPlan = CreatePlan | RevisePlan | UnchangedPlan | ResumePlan

interface PlanBase {
  fields: PlannedField[]
  /** Why a revision follows, or why none does, as the end of a sentence. */
  because: string
  /** What else is worth knowing, as sentences without a full stop. */
  notes: string[]
}

export interface CreatePlan extends PlanBase {
  kind: 'create'
  draft: DeploymentDraft
  /** Settings that creating does not take and that need no revision: patched right afterwards. */
  patch: Settings | undefined
  /** For internal_source: uploaded after creating, and built by a revision of its own. */
  upload: PackedSource | undefined
  revision: RevisionDraft | undefined
}

export interface RevisePlan extends PlanBase {
  kind: 'revise'
  /** As it was when the plan was made. */
  deployment: Deployment
  /** Config-only settings that really differ. */
  patch: Settings | undefined
  /** The control plane takes the patch only when the revision has moved the deployment off its tag. */
  patchLast: boolean
  upload: PackedSource | undefined
  revision: RevisionDraft
}

/** Nothing differs from the active revision, and nothing is written. */
export interface UnchangedPlan extends PlanBase {
  kind: 'unchanged'
  deployment: Deployment
  active: Revision
}

/** The newest revision has not ended yet and is what is wanted: it is watched, and nothing is written. */
export interface ResumePlan extends PlanBase {
  kind: 'resume'
  deployment: Deployment
  latest: Revision
}

/** A source archive that is ready to be uploaded. */
export interface PackedSource {
  files: number
  bytes: number
  sha256: string
}

/** Everything that a plan is made of besides the wishes. */
export interface PlanBasis extends Survey {
  /** For internal_source. */
  packed: PackedSource | undefined
}

export type Planning = { kind: 'planned'; plan: RolloutPlan } | { kind: 'refused'; problems: Problem[] }
