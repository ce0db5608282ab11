import type { Deployment, Revision } from '../control-plane/model.ts'
import type { Change } from '../rollout/apply/apply.ts'
import { phaseOf, type Outcome, type Phase } from '../rollout/outcome.ts'
import type { PlanDocument } from './plan-document.ts'

/** What a step can ask for (interface, input `operation`). */
export const OPERATIONS = ['rollout', 'wait', 'teardown', 'request'] as const
export type Operation = (typeof OPERATIONS)[number]

export interface TimelineEntry {
  status: string
  phase: Phase
  /** Milliseconds since the epoch when we first saw it. */
  at: number
}

/** What became of one deployment in a teardown. */
export interface Removal {
  id: string
  name: string
  /** Of a preview. */
  pullRequest?: number
  /** `planned`: it would be, or was going to be, deleted. */
  result: 'removed' | 'kept' | 'failed' | 'planned'
  /** As the end of a sentence; of a failure the whole of it. */
  because: string
}

/** What came back of a single request. */
export interface CallAnswer {
  status: number
  /** Of its body; of a HEAD the size that it tells. */
  bytes: number
  /** Where its body is; nothing of a list that broke off. */
  file: string | undefined
  /** The same, when it is a text and small enough for an output. */
  text: string | undefined
  /** Of a list that was read to its end. */
  entries: number | undefined
}

/** Everything known of a run. Filled as the run goes on, so that it can be told at any moment, failures included. */
export interface RolloutRecord {
  operation: Operation
  /** What the step named: the deployment's name or id. */
  target: string
  change: Change
  plan: PlanDocument | undefined
  deployment: Pick<Deployment, 'id' | 'name'> | undefined
  /** The deployment's own address, as it tells it. */
  url: string | undefined
  /** The revision that was active before, or the latest one where none is told. */
  previousRevisionId: string | undefined
  /** The revision that was active before, where the deployment tells it. */
  wasActive: string | undefined
  revisionId: string | undefined
  /** As last seen. */
  revision: Pick<Revision, 'status' | 'statusMessage' | 'repoCommitSha'> | undefined
  timeline: TimelineEntry[]
  polls: number
  /** The last lines of the log that explains a failure, where the control plane has it. */
  log: { type: 'build' | 'deploy'; lines: string[] } | undefined
  /** What was done, or not done, to put the revision before back; as a sentence without a full stop. */
  rollback: string | undefined
  /** Of a teardown: every deployment that it looked at. */
  removals: Removal[]
  /** Names of deployments that are not there any more, whoever deleted them. */
  gone: string[]
  /** Of a single request: it cannot have changed anything. */
  isRead: boolean
  /** Of a single request. */
  answer: CallAnswer | undefined
  /** The pull request that this run belongs to, of a preview. */
  pullRequest: number | undefined
  /** Milliseconds since the epoch. */
  startedAt: number
  endedAt: number | undefined
  /** The wait's limit in milliseconds, and whether a superseded rollout fails the step: the report speaks of both. */
  timeoutMs: number | undefined
  onSuperseded: 'fail' | 'succeed'
  runUrl: string | undefined
  /** What is rolled out: the commit that triggered the run, unless something else is built. */
  commit: string | undefined
  /** The branch or tag of this repository that is built. */
  ref: string | undefined
  /** The repository that is built, when it is another than that of the workflow. */
  elsewhere: string | undefined
}

/** A record whose end is known: what is reported. */
export interface ConcludedRecord extends RolloutRecord {
  endedAt: number
  outcome: Outcome
}

export function openRecord(startedAt: number, operation: Operation = 'rollout'): RolloutRecord {
  return {
    operation,
    target: '',
    change: 'none',
    plan: undefined,
    deployment: undefined,
    url: undefined,
    previousRevisionId: undefined,
    wasActive: undefined,
    revisionId: undefined,
    revision: undefined,
    timeline: [],
    polls: 0,
    log: undefined,
    rollback: undefined,
    removals: [],
    gone: [],
    isRead: false,
    answer: undefined,
    pullRequest: undefined,
    startedAt,
    endedAt: undefined,
    timeoutMs: undefined,
    onSuperseded: 'fail',
    runUrl: undefined,
    commit: undefined,
    ref: undefined,
    elsewhere: undefined,
  }
}

/** The deployment's name, as far as it is known. */
export function nameOf({ deployment, target }: RolloutRecord): string {
  return deployment?.name ?? target
}

export function noteDeployment(record: RolloutRecord, deployment: Deployment): void {
  record.deployment = { id: deployment.id, name: deployment.name }
  record.url = deployment.settings.customUrl ?? record.url
}

/** Notes what a revision looks like, and a new entry of the timeline when its status is another one than before. */
export function noteRevision(record: RolloutRecord, revision: Revision, at: number): void {
  record.revisionId = revision.id
  record.revision = revision
  if (record.timeline.at(-1)?.status === revision.status) return
  record.timeline.push({ status: revision.status, phase: phaseOf(revision.status), at })
}
