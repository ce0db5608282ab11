import type { Field, Integration, Listener } from '../../control-plane/model.ts'
import type { PartName } from './environment.ts'

/** Why a plan creates a new revision of a deployment that exists. */
export type PlanReason =
  /** `if-unchanged: revise`: nothing is compared. */
  { kind: 'every-rollout' } | Difference

/** Why the active revision does not match the request. */
export type Difference =
  | { kind: 'no-active-revision' }
  | { kind: 'uploaded-source' }
  | { kind: 'newer-unfinished'; revisionId: string }
  /** The deployment reports this field of its latest revision only, which is not the active one. */
  | { kind: 'field-of-latest-only'; field: PartName }
  | FieldObstacle
  /** The commit that the request would build. */
  | { kind: 'commit-unknown' }
  | { kind: 'active-commit-not-reported' }
  | { kind: 'other-commit' }

export type FieldObstacle = { kind: 'field-not-reported'; field: PartName } | { kind: 'field-differs'; field: PartName }

/** Why an unfinished revision is not watched in place of a new one: it is not proved to be the same. */
export type ResumeObstacle =
  | Extract<Difference, { kind: 'uploaded-source' | 'commit-unknown' | FieldObstacle['kind'] }>
  | { kind: 'commit-not-reported' }
  | { kind: 'builds-another' }
  /** The image is not named by a digest. */
  | { kind: 'image-tag' }
  | { kind: 'template' }

/** What the user should know about a plan besides its fields. */
export type PlanNote =
  /** From reading the inputs or the source: a sentence without a full stop. */
  | { kind: 'input'; text: string }
  /** Of a deployment to create. */
  | { kind: 'name-too-long'; name: string; longest: number }
  /** A deployment of a similar name exists. */
  | { kind: 'probable-typo'; name: string; similar: string }
  | { kind: 'repo-url-from-event' }
  | { kind: 'repo-ref-from-event'; ref: string }
  /** The only integration that reaches the repository `url`. */
  | { kind: 'integration-found'; integration: Integration; url: string }
  | { kind: 'only-listener'; listener: Listener }
  /** There is no listener, or there are several. */
  | { kind: 'no-listener-sent'; listeners: readonly Listener[] }
  /** `status`: the HTTP status of the refusal to list the listeners. */
  | { kind: 'listener-not-checked'; status: number }
  | { kind: 'namespace-not-reported'; namespace: string; reported: readonly string[] }
  /** An immutable field: the deployment reports no value to compare with. */
  | { kind: 'field-not-sent'; field: Field }
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
   * A rerun goes back from the revision. `left`, `nothing-made`, `restored`: what the earlier attempt did; `active`: the
   * same in any case; `perhaps-left`: nothing shows whether the earlier attempt has left it; `perhaps-went`: nor whether
   * it has made the active revision, which goes back from it; `perhaps-made`: nor whether it has made it, and what may be
   * meant reports the same. `further`: the revision to go back to in the other case.
   */
  | {
      kind: 'rerun-departs'
      revisionId: string
      sign: 'left' | 'nothing-made' | 'restored' | 'active' | 'perhaps-left' | 'perhaps-went' | 'perhaps-made'
      further: string | undefined
    }
  /** It is DEPLOYED and newer than the active one, from which a first attempt goes back. */
  | { kind: 'newer-deployed'; revisionId: string }
  /** The commit of the revision to go back to. */
  | { kind: 'commit-of-revision'; commit: string }
  /** It reports nothing that distinguishes it from the active one. */
  | { kind: 'same-as-active'; revisionId: string }
  | { kind: 'newer-under-way'; revisionId: string }
  /** `build-on-push` is on. */
  | { kind: 'push-replaces'; branch: string }
  /** No revision reports these. */
  | { kind: 'not-restored'; fields: readonly Field[] }
