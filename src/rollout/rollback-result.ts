import type { Field } from '../control-plane/model.ts'
import type { RolloutOutcome, Seen } from './outcome.ts'

/** The result of an attempt to restore the revision that was active before the rollout. */
export type Rollback =
  /** `restored`: settings that a PATCH has restored nevertheless. */
  | ({ kind: 'not-possible'; because: RollbackObstacle; restored: Field[] } & NotRestored)
  | { kind: 'under-way'; to: string }
  /** The revision `revisionId`, which may be `to` itself, serves. `failsCheck`: `verify-url` does not answer there either. */
  | ({ kind: 'restored'; to: string; revisionId: string; failsCheck: boolean } & NotRestored)
  /** The rollback's own revision exists, and its outcome is not `deployed`. */
  | { kind: 'incomplete'; to: string; revisionId: string; outcome: RolloutOutcome }
  /** An error ended the rollback. `isUnknown`: it may have succeeded nevertheless. */
  | { kind: 'error'; isUnknown: boolean; revisionId: string | undefined; trouble: string }

/** Settings that a rollback leaves as they are. */
export interface NotRestored {
  /** They keep the rollout's value: the earlier value is unknown, or cannot be set. */
  kept: Field[]
  /** They no longer show the rollout's value: another client may have set them. */
  changedSince: Field[]
}

export type RollbackObstacle =
  /** The check got no answer and was not refused: the reason may be outside of the deployment. */
  | { kind: 'no-evidence' }
  /** The check failed in the same way before the rollout. */
  | { kind: 'failed-before'; seen: Seen }
  | { kind: 'no-deployment-before' }
  | { kind: 'no-active-revision-before' }
  /** The failed revision is not the active one: that one is. */
  | { kind: 'another-revision-serves'; revisionId: string }
  | { kind: 'newer-revision'; revisionId: string }
  | { kind: 'unknown-source' }
  /** A revision of a branch that reports no commit cannot be restored. */
  | { kind: 'commit-unknown' }
  /**
   * Only a redeploy restores the revision, and the control plane makes none. `commit`: of a revision of a branch;
   * undefined if the revision reports no configuration that could be repeated.
   */
  | {
      kind: 'not-redeployed'
      because: 'no-route' | 'refused' | 'no-revision'
      cameBack: string
      commit: string | undefined
    }
  /** The revision that the redeploy has created, or another client's, builds another commit. */
  | { kind: 'other-commit'; revisionId: string; builds: string; wanted: string }
