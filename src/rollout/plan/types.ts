import type { Deployment, DeploymentDraft, Revision, RevisionDraft, Settings } from '../../control-plane/model.ts'
import type { PlannedField } from './diff.ts'
import type { PlanNote, PlanReason } from './reasons.ts'

/** What a rollout will write: at most one PATCH, and at most one POST of a revision. */
export type RolloutPlan = CreatePlan | RevisePlan | UnchangedPlan | OutdatedPlan | ResumePlan

/** What any operation that watches a revision will write. */
export type AnyPlan = RolloutPlan | RedeployPlan

interface PlanBase {
  fields: PlannedField[]
  notes: PlanNote[]
}

export interface CreatePlan extends PlanBase {
  kind: 'create'
  draft: DeploymentDraft
  /** Settings that the create body has no place for and that need no revision: patched right afterwards. */
  patch: Settings | undefined
  /** For internal_source: uploaded after the create, and built by `revision`. */
  upload: PackedSource | undefined
  /** Follows the create where that makes no revision, or none with anything to build. */
  revision: RevisionDraft | undefined
  /** Sent if the create makes no revision although one was expected. */
  revisionIfNone: RevisionDraft | undefined
  /** The commit that will be built, if known. */
  commit?: string | undefined
}

export interface RevisePlan extends PlanBase {
  kind: 'revise'
  because: PlanReason
  /** It is proved that the active revision is what the plan would create. */
  matchesActive: boolean
  /** As it was when the plan was made. */
  deployment: Deployment
  /** Config-only settings that differ. */
  patch: Settings | undefined
  /** The control plane accepts the patch only after the revision has moved the deployment off its tag. */
  patchLast: boolean
  upload: PackedSource | undefined
  revision: RevisionDraft
  /** The commit that will be built, if known. */
  commit?: string | undefined
}

/** Nothing differs from the active revision, with `if-unchanged: skip` or in a rollback. Nothing is written. */
export interface UnchangedPlan extends PlanBase {
  kind: 'unchanged'
  /** The revision to go back to is the active one. */
  because?: 'active-already'
  deployment: Deployment
  active: Revision
}

/** With `protect-newer`: the deployed commit is a descendant of ours. Nothing is written. */
export interface OutdatedPlan extends PlanBase {
  kind: 'outdated'
  deployment: Deployment
  deployed: string
  ours: string
  /** The revision of the deployed commit, as far as it is reported. */
  by: string
}

/** The latest revision matches the request. It has not ended, or is DEPLOYED and not active yet. It is watched. */
export interface ResumePlan extends PlanBase {
  kind: 'resume'
  deployment: Deployment
  latest: Revision
  /** The patch that comes last, if the run that created the revision has not sent it. */
  patch: Settings | undefined
  /** The commit that it must turn out to build, if known. */
  commit: string | undefined
}

/** An earlier revision that is to serve again. */
export interface Restoration {
  to: Revision
  /** Repeats its configuration in a new revision; undefined: only a redeploy restores it. */
  draft: RevisionDraft | undefined
  /** What the revision was built from. Without a draft, the result must report it: the ref does not name one commit. */
  commit: string | undefined
}

/** The action *rollback*: an earlier revision is deployed again. */
export interface RedeployPlan extends PlanBase, Restoration {
  kind: 'redeploy'
  deployment: Deployment
}

/** A source archive that is ready to be uploaded. */
export interface PackedSource {
  files: number
  bytes: number
  sha256: string
}
