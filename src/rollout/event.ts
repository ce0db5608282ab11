import type { Api } from '../control-plane/api.ts'
import type { Deployment, DeploymentDraft, Field, LogType, Revision, Settings } from '../control-plane/model.ts'
import type { RequestRetried } from '../control-plane/transport.ts'
import type { DeploymentChange } from './deployment-change.ts'
import type { Change, Evidence, FailedBefore, RolloutOutcome, Seen } from './outcome.ts'
import type { PlanOutline } from './plan/approval-outline.ts'
import type { AnyPlan } from './plan/plan.ts'
import type { BuiltRef } from './plan/repository.ts'

export type RolloutEvent =
  | {
      kind: 'rollout-began'
      operation: 'rollout' | 'wait' | 'rollback'
      target: string
      timeoutMs: number
      onSuperseded: 'fail' | 'succeed'
      api: Api['name']
    }
  /** `revisions`: those of the deployment that were read. */
  | {
      kind: 'current-state-read'
      current: Deployment | undefined
      builtRef: BuiltRef | undefined
      revisions?: readonly Revision[]
    }
  /** `notRestored`: the settings of the deployment that no revision reports. */
  | { kind: 'revision-chosen'; to: Revision; notRestored: readonly Field[] }
  | {
      kind: 'planned'
      plan: AnyPlan
      outline?: PlanOutline
      wait: boolean
      dryRun: boolean
      /** Sentences without a full stop. */
      warnings: readonly string[]
      prefix: string
    }
  /** An unfinished revision may be ours: the run waits for its commit. */
  | { kind: 'commit-awaited'; revisionId: string; limitMs: number }
  /** The revision of a commit has not appeared yet. */
  | { kind: 'revision-awaited'; deployment: Deployment; commit: string; limitMs: number }
  | { kind: 'newer-commit-deployed'; deployed: string; ours: string }
  | { kind: 'name-taken' }
  | { kind: 'changed-meanwhile'; deploymentId: string; change: DeploymentChange }
  /** Writes follow. */
  | { kind: 'applying' }
  /** `revisionId`: of the revision that the write created, if the run watches that one. */
  | ({ kind: 'written'; revisionId: string | undefined } & Pick<Applied, 'change' | 'deployment' | 'patched'>)
  | { kind: 'patch-unconfirmed'; fields: readonly Field[] }
  /** A PATCH of the rollout, not of its rollback, was accepted. */
  | { kind: 'settings-patched'; fields: readonly Field[] }
  /** Such a PATCH may have been carried out: its response did not come. */
  | { kind: 'patch-lost' }
  /** The run reads whether the write succeeded before it repeats it. */
  | { kind: 'write-lost'; cameBack: string }
  /** This counts as the result of a lost write, and no response shows the values of its secrets. */
  // eslint-disable-next-line names/empty-words -- the record has this key
  | { kind: 'secrets-uncompared'; what: MadeTwice['what']; id: string }
  /** The same of a revision that has not reported its commit. */
  | { kind: 'commit-uncompared'; id: string }
  /** The plan after a lost write finds this revision active, and nothing to change: the write may have made it. */
  | { kind: 'maybe-own-revision'; id: string }
  | MadeTwice
  | Applied
  | { kind: 'attached'; because: 'unchanged' | 'resumed'; deployment: Deployment; revision: Revision }
  /** The revision that the run has resumed builds another commit: the run plans again. */
  | { kind: 'other-commit'; revisionId: string; commit: string | undefined }
  /** The revision that the run has resumed is DEPLOYED, and does not become active: the run plans again. */
  | { kind: 'not-activated'; revisionId: string }
  | { kind: 'waiting'; deployment: Deployment; revision: Revision; builtRef: BuiltRef | undefined }
  /** The deployment that the step requires: none that these credentials can see. */
  | { kind: 'deployment-not-found' }
  /** A later read of the deployment, which may report an address that it did not have before. */
  | { kind: 'deployment-read'; deployment: Deployment }
  /** Notes of this run, which it has read for another purpose, name the revision that superseded ours. */
  | { kind: 'superseded-by-own-run' }
  /** Read at the end, to say what serves. */
  | { kind: 'active-revision-read'; revision: Revision }
  | WatchEvent
  | LogEvent
  /** The end of the log that explains a failure. `isShown`: the run has emitted this log as it grew. */
  | { kind: 'log-read'; type: LogType; lines: string[]; isShown: boolean }
  | { kind: 'log-unreadable'; trouble: string }
  /** `verify-url` fails already, before the first write. `status`: that `verify-status` expects. */
  | ({ kind: 'failed-before'; status: number } & FailedBefore)
  | { kind: 'verifying'; url: string }
  | BakeEvent
  | { kind: 'verification-failed'; url: string; trouble: string; evidence: Evidence; afterMs?: number }
  | { kind: 'rollback-changed'; rollback: Rollback }
  /** An event of the rollback's own revision: it is logged, and the record takes from it only what the deployment shows. */
  | { kind: 'during-rollback'; event: RolloutEvent }
  | RequestRetried

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
  patched?: Settings | undefined
}

/**
 * A lost write, most often sent again: the control plane may act on both, also after the run has looked. `before`: what
 * was there before. `commit`: what the revision must build, if known. `sinceFirstMs`: from the first attempt to the
 * answer. `createdAt`: of the deployment that the answer shows.
 */
export type Repeated = { commit?: string | undefined; sinceFirstMs: number } & (
  | { kind: 'deployment'; draft: DeploymentDraft; before: readonly Deployment[]; createdAt: number | undefined }
  /**
   * `isSentOnce`: it was not sent again, as its result was found; the control plane may still have acted twice.
   * `createdAt`: of what the run took for its result, where it has planned again since.
   */
  | { kind: 'revision'; before: Deployment; settings: Settings; isSentOnce?: true; createdAt?: number | undefined }
)

/** The control plane acted on a lost write and on its repetition, too, or another client has created the same. */
export interface MadeTwice {
  kind: 'made-twice'
  // eslint-disable-next-line names/empty-words -- the record has this key
  what: 'deployment' | 'revision'
  /** The run continues with this one. */
  ours: string
  // eslint-disable-next-line names/empty-words -- the record has this key
  other: string
  /** The other one has another configuration or commit. */
  isDoubtful?: true
  /** This run has not repeated the write. */
  isSentOnce?: true
}

export type WatchEvent =
  | { kind: 'polled' }
  | { kind: 'status'; revision: Revision }
  /** The status has not changed for a minute. `trouble`: why the last poll failed. */
  | { kind: 'heartbeat'; status: string | undefined; forMs: number; trouble: string | undefined; usual?: UsualTime }
  /** A poll failed; the watch continues. `row`: the number of failed polls in a row. */
  | { kind: 'poll-failed'; trouble: string; row: number }
  /** Our revision has ended. The run waits until the deployment reports that, for `forMs` at most. */
  | { kind: 'awaiting'; until: 'activation' | 'successor'; forMs: number }

/** The events while `verify-url` is read: before its first good answer, and during `verify-for`. */
export type BakeEvent =
  /** No answer of another minute was as expected. `trouble`: why the last one was not. */
  | { kind: 'not-yet-verified'; trouble: string; forMs: number; leftMs: number }
  | { kind: 'bake-began'; url: string; forMs: number }
  | { kind: 'baking'; forMs: number; leftMs: number }
  /** `row`: failures in a row; at `of` of them the address counts as down. */
  | { kind: 'bake-failed'; trouble: string; row: number; limit: number }
  | { kind: 'bake-recovered'; row: number }
  | { kind: 'bake-passed'; forMs: number; reads: number; failures: number }

/** How long earlier rollouts of the deployment took in all, in milliseconds. */
export interface UsualTime {
  fromMs: number
  toMs: number
}

export type LogEvent = { kind: 'log-lines'; type: LogType; lines: string[] } | { kind: 'log-ended'; end: LogEnd }

export type LogEnd =
  { kind: 'read' } | { kind: 'limit' } | { kind: 'incomplete' } | { kind: 'unavailable'; trouble: string }

export type Emit<Event> = (event: Event) => void

export type Rollback =
  | ({ kind: 'not-possible'; because: RollbackObstacle } & SettingsLeft)
  | { kind: 'under-way'; to: string }
  /** The revision `revisionId`, which may be `to` itself, serves. `failsCheck`: `verify-url` does not answer there either. */
  | ({ kind: 'restored'; to: string; revisionId: string; failsCheck: boolean } & NotRestored)
  | ({ kind: 'incomplete'; to: string; revisionId: string; outcome: RolloutOutcome } & SettingsLeft)
  /** `isUnknown`: it may have succeeded nevertheless. `unsure`: the settings of a PATCH whose result is unknown. */
  | ({
      kind: 'error'
      isUnknown: boolean
      revisionId: string | undefined
      trouble: string
      unsure: Field[]
      /** The control plane refuses what these credentials ask for. */
      isForbidden?: true
    } & SettingsLeft)

export interface NotRestored {
  /** They keep the rollout's value: the earlier value is unknown, or cannot be set. */
  kept: Field[]
  /** They no longer show the rollout's value: another client may have set them. */
  changedSince: Field[]
}

/** The state of the settings after a rollback that has not succeeded. `restored`: by a PATCH. */
export interface SettingsLeft extends NotRestored {
  restored: Field[]
}

export type RollbackObstacle =
  /** The check got no answer and was not refused: the reason may be outside of the deployment. */
  | { kind: 'no-evidence' }
  | { kind: 'failed-before'; seen: Seen }
  | { kind: 'no-deployment-before' }
  | { kind: 'no-active-revision-before' }
  | { kind: 'another-revision-serves'; revisionId: string }
  /** The run has patched settings, and then found that another client's active revision is what was requested. */
  | { kind: 'not-own-revision'; revisionId: string }
  | { kind: 'newer-revision'; revisionId: string }
  | { kind: 'unknown-source' }
  | { kind: 'commit-unknown' }
  | NotRedeployed
  | { kind: 'other-commit'; revisionId: string; builds: string; wanted: string }

/** Only a redeploy restores the revision, and there is none. `commit`: of a revision of a branch, else undefined. */
export interface NotRedeployed {
  kind: 'not-redeployed'
  because: 'no-route' | 'refused' | 'no-revision'
  cameBack: string
  commit: string | undefined
}

/** A sentence without its subject, which is the revision to go back to. */
export function notRedeployedText({ because, cameBack, commit }: NotRedeployed): string {
  // Only a branch has a commit and cannot be repeated.
  const obstacle = commit === undefined ? 'reports no configuration that could be repeated' : 'is of a branch'
  const instead = commit === undefined ? 'its configuration' : `a tag of its commit ${commit}`
  return `${obstacle}, so only a redeploy restores it, and ${NO_REDEPLOY[because]} (${cameBack}); to go back, roll out ${instead}`
}

const NO_REDEPLOY = {
  'no-route': 'the control plane has no route to deploy a revision again',
  refused: 'the control plane refuses to deploy it again',
  'no-revision': 'it has created no revision',
}
