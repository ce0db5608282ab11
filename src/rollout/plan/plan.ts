import type {
  Deployment,
  DeploymentDraft,
  Field,
  Integration,
  Listener,
  Revision,
  RevisionDraft,
  Settings,
  Source,
} from '../../control-plane/model.ts'
import type { RefOrigin } from '../../github/event-code.ts'
import type { Change, FailedRevisions, ServingRevision } from '../outcome.ts'
import type { PlannedChange } from './diff.ts'
import type { PartName } from './settings.ts'

/** The writes of a rollout: at most one PATCH, and at most one POST of a revision. */
export type RolloutPlan = CreatePlan | RevisePlan | UnchangedPlan | OutdatedPlan | ResumePlan

export type AnyPlan = RolloutPlan | RedeployPlan

interface PlanBase {
  changes: PlannedChange[]
  notes: PlanNote[]
  promotion?: Promotion | undefined
}

interface PlanForExisting extends PlanBase {
  deployment: Deployment
}

interface PlannedBuild {
  /** For internal_source: uploaded before `revision`, which builds it. */
  upload: PackedSource | undefined
  commit?: string | undefined
}

export interface CreatePlan extends PlanBase, PlannedBuild {
  kind: 'create'
  draft: DeploymentDraft
  /** Settings that the create body has no place for and that need no revision: patched right afterwards. */
  patch: Settings | undefined
  /** Follows the create where that makes no revision, or none with anything to build. */
  revision: RevisionDraft | undefined
  /** Sent if the create makes no revision although one was expected. */
  revisionIfNone: RevisionDraft | undefined
}

export interface RevisePlan extends PlanForExisting, PlannedBuild {
  kind: 'revise'
  because: PlanReason
  /** It is proved that the active revision is what the plan would create. */
  matchesActive: boolean
  patch: Settings | undefined
  /** The control plane accepts the patch only after the revision has moved the deployment off its tag. */
  patchLast: boolean
  revision: RevisionDraft
}

/** Nothing differs from the active revision, with `if-unchanged: skip`, an approved plan or in a rollback. Nothing is written. */
export interface UnchangedPlan extends PlanForExisting {
  kind: 'unchanged'
  because?: 'active-already' | 'approved-already' | undefined
  active: Revision
}

/** With `protect-newer`: the deployed commit is a descendant of ours. Nothing is written. */
export interface OutdatedPlan extends PlanForExisting {
  kind: 'outdated'
  deployed: string
  ours: string
  by: string
}

/** The latest revision matches the request. It has not ended, or is DEPLOYED and not active yet. It is watched. */
export interface ResumePlan extends PlanForExisting {
  kind: 'resume'
  latest: Revision
  /** The patch that comes last, if the run that created the revision has not sent it. */
  patch: Settings | undefined
  commit: string | undefined
}

export interface Restoration {
  to: Revision
  /** Repeats its configuration in a new revision; undefined: only a redeploy restores it. */
  draft: RevisionDraft | undefined
  /** The commit of the revision. Without a draft, the result must report it: the ref does not name one commit. */
  commit: string | undefined
}

export interface RedeployPlan extends PlanForExisting, Restoration {
  kind: 'redeploy'
}

export interface PackedSource {
  files: number
  bytes: number
  sha256: string
}

export type PlanReason =
  /** `if-unchanged: revise`: nothing is compared. */
  { kind: 'every-rollout' } | Difference

export type Difference =
  | { kind: 'no-active-revision' }
  | { kind: 'uploaded-source' }
  | { kind: 'newer-unfinished'; revisionId: string }
  /** The deployment reports this field of its latest revision only, which is not the active one. */
  | { kind: 'field-of-latest-only'; field: PartName }
  | FieldObstacle
  | CommitObstacle

export type FieldObstacle = { kind: 'field-not-reported'; field: PartName } | { kind: 'field-differs'; field: PartName }

export type CommitObstacle = { kind: 'commit-unknown' } | { kind: 'commit-not-reported' } | { kind: 'other-commit' }

/** Why an unfinished revision is not watched in place of a new one: it is not proved to be the same. */
export type ResumeObstacle =
  FieldObstacle | CommitObstacle | { kind: 'uploaded-source' } | { kind: 'image-tag' } | { kind: 'template' }

export type PlanNote =
  /** From reading the inputs or the source: a sentence without a full stop. */
  | { kind: 'input'; text: string }
  | { kind: 'name-too-long'; name: string; longest: number }
  | { kind: 'probable-typo'; name: string; similar: string }
  /** It exists, and no run has noted that it is the preview. */
  | { kind: 'preview-adopted'; pullRequest: number }
  | { kind: 'repo-url-from-event' }
  /** `replaces`: the ref that the deployment builds until then, if it is another one. */
  | { kind: 'repo-ref-from-event'; ref: string; origin?: RefOrigin | undefined; replaces?: string | undefined }
  /** The step sets a version without refs/tags/, and the deployment builds a tag. */
  | { kind: 'version-as-branch'; ref: string; built: string }
  /** The run whose end has started this one was of this branch, or of the tag of this name. */
  | { kind: 'other-branch-tested'; branch: string; ref: string }
  | { kind: 'other-commit-tested'; tested: string; built: string }
  | { kind: 'integration-found'; integration: Integration; url: string }
  | { kind: 'only-listener'; listener: Listener }
  | { kind: 'no-listener-sent'; listeners: readonly Listener[] }
  | { kind: 'listener-not-checked'; status: number }
  | { kind: 'namespace-not-reported'; namespace: string; reported: readonly string[] }
  /** An immutable field: the deployment reports no value to compare with. */
  | { kind: 'field-not-sent'; field: Field }
  /** `replaces`: what serves in the deployment now, as far as it is reported. */
  | { kind: 'promoted'; promotion: Promotion; replaces: { revisionId: string; commit: string | undefined } | undefined }
  | { kind: 'promoted-tag'; promotion: Promotion }
  | { kind: 'image-compared-by-name' }
  /** Nothing is rolled out, although the tag, like `latest`, may have another image by now. */
  | { kind: 'image-tag-moves'; tag: string }
  | { kind: 'not-resumed'; revisionId: string; because: ResumeObstacle }
  /** An earlier attempt of this run has made it, as it noted on GitHub. */
  | { kind: 'noted-revision'; revisionId: string }
  /** `protect-newer` is about the commit of the event only. */
  | { kind: 'newer-not-compared'; ref: string }
  | { kind: 'build-on-push-off-first' }
  | { kind: 'build-on-push-on-last' }
  /**
   * A rerun goes back from the revision. `left`, `restored`: the earlier attempt has left the revision, or has made it
   * active again. `nothing-made`: the earlier attempt has not gone back.
   */
  | { kind: 'rerun-departs'; revisionId: string; sign: 'left' | 'nothing-made' | 'restored' }
  /** It is DEPLOYED and newer than the active one, from which a first attempt goes back. */
  | { kind: 'newer-deployed'; revisionId: string }
  /** Nothing newer than the active one has served, and a person has asked to go back nevertheless. */
  | { kind: 'newer-failed'; active: ServingRevision; newer: FailedRevisions }
  | { kind: 'commit-of-revision'; commit: string }
  | { kind: 'same-as-active'; revisionId: string }
  | { kind: 'newer-under-way'; revisionId: string }
  | { kind: 'push-replaces'; branch: string }
  | { kind: 'not-restored'; fields: readonly Field[] }

export type NotResumed = Extract<PlanNote, { kind: 'not-resumed' }>

const CHANGES: Readonly<Record<AnyPlan['kind'], Change>> = {
  create: 'created',
  revise: 'revised',
  redeploy: 'redeployed',
  resume: 'resumed',
  unchanged: 'none',
  outdated: 'none',
}

export function changeOf(plan: AnyPlan): Change {
  return plan.kind === 'revise' && plan.patch !== undefined ? 'patched' : CHANGES[plan.kind]
}

/** False only if it is proved that the plan is what is active: what cannot be compared counts as a difference. */
export function hasChanges(plan: AnyPlan): boolean {
  if (plan.kind === 'revise') return !plan.matchesActive
  // The same name may be another image by now.
  return plan.kind !== 'unchanged' || plan.notes.some(({ kind }) => kind === 'image-tag-moves')
}

export interface Promotion {
  from: { id: string; name: string }
  revisionId: string
  source: Source
  origin:
    /** `isPinned`: named by a digest. A tag may name another image by now. */
    | { kind: 'image'; image: string; isPinned: boolean }
    /** `commit`: that the revision reports. `mayMove`: the ref is a branch or a tag, and may be another commit by now. */
    | { kind: 'git'; ref: string; repoUrl: string; appConfigPath: string | undefined; commit: string; mayMove: boolean }
}

/** The part of a rollout's request that an approval compares. */
export interface AskedRequest {
  settings: Settings
  source: Source | undefined
  promotion?: Promotion | undefined
  changedSince?: string | undefined
  repository: { repoRef: { kind: string; ref?: string; reason?: string } }
}

/** The commit that the revision must report. */
export function commitOfPromotion({ promotion }: { promotion?: Promotion | undefined }): string | undefined {
  return promotion?.origin.kind === 'git' ? promotion.origin.commit : undefined
}
