import type { Api } from '../control-plane/api.ts'
import type { Deployment, DeploymentDraft, Field, LogType, Revision, Settings } from '../control-plane/model.ts'
import type { RetryNotice } from '../control-plane/transport.ts'
import type { Change, Evidence, FailedBefore, PhaseTimes, RolloutOutcome, Seen } from './outcome.ts'
import type { PlanOutline } from './plan/outline.ts'
import type { AnyPlan } from './plan/plan.ts'
import type { BuiltRef } from './plan/repository.ts'

/** What happens while a deployment is rolled out or waited for. `report/` and `notify/` listen, and word it. */
export type RolloutEvent =
  | {
      kind: 'rollout-began'
      operation: 'rollout' | 'wait' | 'rollback'
      /** The deployment's name or id, as the step sets it. */
      target: string
      /** Milliseconds. */
      timeoutMs: number
      onSuperseded: 'fail' | 'succeed'
      api: Api['name']
    }
  | { kind: 'current-state-read'; current: Deployment | undefined; builtRef: BuiltRef }
  /** The revision that a rollback goes back to. `notRestored`: those of the deployment that no revision reports. */
  | { kind: 'revision-chosen'; to: Revision; notRestored: readonly Field[] }
  | {
      kind: 'planned'
      plan: AnyPlan
      /** What can be approved of it. */
      outline?: PlanOutline
      wait: boolean
      dryRun: boolean
      /** Sentences without a full stop. */
      warnings: readonly string[]
      /** The path of base-url. */
      prefix: string
    }
  /** An unfinished revision may be ours: the run waits so many milliseconds for it to report its commit. */
  | { kind: 'commit-awaited'; revisionId: string; limitMs: number }
  /** The deployed commit is a descendant of ours. */
  | { kind: 'newer-commit-deployed'; deployed: string; ours: string }
  /** Another client has created a deployment of this name since the plan was made: the run plans again. */
  | { kind: 'name-taken' }
  /** The deployment of the plan has changed since, before any write: the run plans again. */
  | { kind: 'changed-meanwhile'; deploymentId: string; change: DeploymentChange }
  /** The first write follows. */
  | { kind: 'applying' }
  /** A write succeeded. `revisionId`: of the revision that it created, if the run watches that one. */
  | { kind: 'written'; change: Change; deployment: Deployment; revisionId: string | undefined }
  /** A PATCH was accepted, and no response shows whether it has set these fields. */
  | { kind: 'patch-unconfirmed'; fields: readonly Field[] }
  /** The result of a write is unknown: the run reads whether it succeeded before it repeats the write. */
  | { kind: 'write-lost'; cameBack: string }
  /** This counts as the result of a lost write, and no response shows the values of its secrets. */
  | { kind: 'secrets-uncompared'; what: MadeTwice['what']; id: string }
  | MadeTwice
  | Applied
  /** The run creates no revision: an existing one matches the request. */
  | { kind: 'attached'; because: 'unchanged' | 'resumed'; deployment: Deployment; revision: Revision }
  /** The revision that the run has resumed builds another commit: the run plans again. */
  | { kind: 'other-commit'; revisionId: string; commit: string | undefined }
  /** The revision that the run has resumed is DEPLOYED, and does not become the active one: the run plans again. */
  | { kind: 'not-activated'; revisionId: string }
  /** The action *wait* has found its revision. */
  | { kind: 'waiting'; deployment: Deployment; revision: Revision; builtRef: BuiltRef }
  /** A later read of the deployment, which may report an address that it did not have before. */
  | { kind: 'deployment-read'; deployment: Deployment }
  | WatchEvent
  | LogEvent
  /** The last lines of the log that explains a failure. `isShown`: the run has emitted this log as it grew. */
  | { kind: 'log-read'; type: LogType; lines: string[]; isShown: boolean }
  | { kind: 'log-unreadable'; trouble: string }
  /** `verify-url` fails already, before the first write. `status`: that `verify-status` expects. */
  | ({ kind: 'failed-before'; status: number } & FailedBefore)
  | { kind: 'verifying'; url: string }
  | BakeEvent
  | { kind: 'verification-failed'; url: string; trouble: string; evidence: Evidence; afterMs?: number }
  | { kind: 'rollback-changed'; rollback: Rollback }
  /** An event of the rollback's own revision: it is logged and changes nothing in the record. */
  | { kind: 'during-rollback'; event: RolloutEvent }
  | RequestRetried

/** What has become of a deployment since a plan was made. */
export type DeploymentChange =
  /** It has lost the name by which the user means it. */
  | { kind: 'renamed'; now: string }
  | { kind: 'deleted' }
  /** Another revision is the latest one. */
  | { kind: 'revised'; revisionId: string }
  /** Another revision is active, or none is. */
  | { kind: 'active'; revisionId: string | null }
  /** These settings have other values. */
  | { kind: 'set'; fields: readonly Field[] }

/** The plan was applied. `revision`: from the response that created it. */
export interface Applied {
  kind: 'applied'
  change: Change
  deployment: Deployment
  revisionId: string
  revision: Revision | undefined
  repeated: readonly Repeated[]
  /** The response was lost, and the run has found this revision: it may turn out to be of another client. */
  isFound: boolean
  /** The settings that the PATCH has set, in the form of the service. */
  patched?: Settings | undefined
}

/**
 * A lost write, most often sent again. The control plane may have acted on both, later than the run looked. `before`: what
 * was there before the write. `commit`: what the revision must build, if known. `sinceFirstMs`: from the first attempt to
 * the answer. `createdAt`: of the deployment that the answer shows.
 */
export type Repeated = { commit?: string | undefined; sinceFirstMs: number } & (
  | { kind: 'deployment'; draft: DeploymentDraft; before: readonly Deployment[]; createdAt: number | undefined }
  /** `isSentOnce`: it was not sent again, as its result was found; the control plane may still have acted twice. */
  | { kind: 'revision'; before: Deployment; settings: Settings; isSentOnce?: true }
)

/**
 * The control plane acted on a lost write and on its repetition, too, or another client has created the same. `ours`: the
 * one that the run continues with. `isDoubtful`: the other one has another configuration or another commit.
 * `isSentOnce`: there was no repetition of this run.
 */
export interface MadeTwice {
  kind: 'made-twice'
  what: 'deployment' | 'revision'
  ours: string
  other: string
  isDoubtful?: true
  isSentOnce?: true
}

export type WatchEvent =
  | { kind: 'polled' }
  /** The status changed, or was seen for the first time. */
  | { kind: 'status'; revision: Revision }
  /** The status has not changed for a minute. `trouble`: why the last poll failed. */
  | { kind: 'heartbeat'; status: string | undefined; forMs: number; trouble: string | undefined; usual?: UsualTime }
  /** A poll failed; the watch continues. `row`: the number of failed polls in a row. */
  | { kind: 'poll-failed'; trouble: string; row: number }
  /** Our revision is DEPLOYED, and the watch has seen all its phases. */
  | { kind: 'phases-timed'; times: PhaseTimes }
  /** Our revision has ended. The run waits, for at most so long, until the deployment reports what follows from that. */
  | { kind: 'awaiting'; until: 'activation' | 'successor'; forMs: number }

/** What happens while `verify-url` is read: before its first good answer, and during `verify-for`. */
export type BakeEvent =
  /** No answer of another minute was as expected. `trouble`: why the last one was not. */
  | { kind: 'not-yet-verified'; trouble: string; forMs: number; leftMs: number }
  | { kind: 'bake-began'; url: string; forMs: number }
  /** Every read of the last minute was good. `forMs`: since the begin. */
  | { kind: 'baking'; forMs: number; leftMs: number }
  /** `row`: failures in a row; at `of` of them the address counts as down. */
  | { kind: 'bake-failed'; trouble: string; row: number; of: number }
  /** The address answers as expected again. `row`: the failures before. */
  | { kind: 'bake-recovered'; row: number }
  | { kind: 'bake-passed'; forMs: number; reads: number; failures: number }

/** How long earlier rollouts of the deployment took in all, in milliseconds. */
export interface UsualTime {
  fromMs: number
  toMs: number
}

/** The logs as they grow. */
export type LogEvent =
  /** At least one line, in order. A line may hold anything. */
  | { kind: 'log-lines'; type: LogType; lines: string[] }
  /** No more lines of this revision follow. */
  | { kind: 'log-ended'; end: LogEnd }

export type LogEnd =
  | { kind: 'read' }
  /** The logs are longer than a run shows. */
  | { kind: 'limit' }
  /** The end of a log could not be read. */
  | { kind: 'incomplete' }
  /** The service lacks the route, or refuses it. */
  | { kind: 'unavailable'; trouble: string }

/** A request failed and is sent again after `delayMs` milliseconds. */
export interface RequestRetried extends RetryNotice {
  kind: 'request-retried'
}

export type Emit<Event> = (event: Event) => void

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
