import type { Api } from '../control-plane/api.ts'
import type { Deployment, Field, LogType, Revision } from '../control-plane/model.ts'
import type { ChoiceReason } from '../previews/teardown-request.ts'
import type { PreviewEvent } from '../previews/event.ts'
import type { Answer, RequestEvent } from '../request/event.ts'
import type { Rollback } from '../rollout/rollback-result.ts'
import type { MadeTwice } from '../rollout/event.ts'
import type { Change, Outcome, Phase, PhaseTimes } from '../rollout/outcome.ts'
import type { PlanDocument } from './plan-document.ts'

/** Everything that happens in a run. */
export type RunEvent = PreviewEvent | RequestEvent | { kind: 'connecting'; baseUrl: string }

/** What is known of a run's operation. Made by `fold` alone: it can be reported at any moment, failures included. */
export type RunRecord = RolloutRecord | TeardownRecord | RequestRecord

/** A record whose end is known: what is reported. */
export type FinalRecord = RunRecord & {
  /** Milliseconds since the epoch. */
  endedAt: number
  outcome: Outcome
}

/** Known of a run whatever it does. */
export interface RunFacts {
  /** Milliseconds since the epoch. */
  startedAt: number
  runUrl: string | undefined
  /** This action as the workflow names it, `owner/name@ref`; undefined if it is a local one. */
  action?: string | undefined
  /** Address of the workflow's repository, as in `https://github.com/owner/name`. */
  repositoryUrl?: string | undefined
  /** The commit that the run is about: the one that triggered it, unless something else is built. */
  commit: string | undefined
  /** The deployment that the inputs name, before they are checked. */
  asked?: string | undefined
}

interface OperationFacts extends RunFacts {
  /** What the step names: the deployment's name or id, or a method and a path. */
  target: string
  /** Milliseconds; undefined as long as the inputs are not read. */
  timeoutMs: number | undefined
}

/** `name`: undefined if it may not be shown. */
export type NamedDeployment = Pick<Deployment, 'id'> & { name: string | undefined }

export interface RolloutRecord extends OperationFacts {
  operation: 'rollout' | 'wait' | 'rollback'
  onSuperseded: 'fail' | 'succeed'
  /** In whose words the run is reported. */
  api: Api['name']
  change: Change
  plan: PlanDocument | undefined
  deployment: NamedDeployment | undefined
  /** The deployment's own address, as the control plane reports it. */
  url: string | undefined
  /** The revision that was active before, or the latest one where the active one is not reported. */
  previousRevisionId: string | undefined
  /** The revision that was active before, where it is reported. */
  activeBefore: string | undefined
  revisionId: string | undefined
  /** As last seen. */
  revision: Pick<Revision, 'status' | 'statusMessage' | 'repoCommitSha'> | undefined
  timeline: readonly TimelineEntry[]
  /** How long the phases took, if the rollout was seen whole. */
  phaseTimes?: PhaseTimes
  polls: number
  /** The end of the log that explains a failure, where the control plane has it. */
  log: { type: LogType; lines: string[] } | undefined
  rollback: Rollback | undefined
  /** What the action *rollback* goes back to, and the settings that this does not restore. */
  goesBackTo: { id: string; notRestored: readonly Field[] } | undefined
  /** What a lost write and its repetition made, both. */
  madeTwice: readonly Omit<MadeTwice, 'kind'>[]
  /** Patched settings that no response of the control plane shows. */
  unconfirmed: readonly Field[]
  /** The branch or tag of this repository that is built. */
  ref: string | undefined
  /** The repository that is built, when it is another than the workflow's. */
  otherRepository: string | undefined
}

export interface TimelineEntry {
  status: string
  phase: Phase
  /** Milliseconds since the epoch when the run first saw it. */
  at: number
}

export interface TeardownRecord extends OperationFacts {
  operation: 'teardown'
  /** The one deployment that the step names. */
  deployment: NamedDeployment | undefined
  /** Of that one, as long as it exists. */
  url: string | undefined
  /** Every deployment that was considered. */
  removals: readonly Removal[]
  /** Names of deployments that do not exist any more. */
  gone: readonly string[]
}

/** What became of one deployment in a teardown. */
export interface Removal {
  id: string
  name: string
  /** Of a preview. */
  pullRequest?: number
  /** `planned`: it would be, or was going to be, deleted. */
  result: 'removed' | 'kept' | 'failed' | 'planned'
  because: ChoiceReason | { kind: 'failed'; trouble: string }
}

export interface RequestRecord extends OperationFacts {
  operation: 'request'
  /** The request cannot change anything. */
  isRead: boolean
  answer: Answer | undefined
}

/** The record of an operation that has not begun yet. */
export function openRecord(operation: RunRecord['operation'], facts: RunFacts): RunRecord {
  switch (operation) {
    case 'rollout':
    case 'rollback':
    case 'wait':
      return openRollout(operation, facts)
    case 'teardown':
      return openTeardown(facts)
    case 'request':
      return openRequest(facts)
  }
}

export function openRollout(operation: RolloutRecord['operation'], facts: RunFacts): RolloutRecord {
  return {
    ...common(facts),
    operation,
    onSuperseded: 'fail',
    api: 'agent-server',
    change: 'none',
    plan: undefined,
    deployment: undefined,
    url: undefined,
    previousRevisionId: undefined,
    activeBefore: undefined,
    revisionId: undefined,
    revision: undefined,
    timeline: [],
    polls: 0,
    log: undefined,
    rollback: undefined,
    goesBackTo: undefined,
    madeTwice: [],
    unconfirmed: [],
    ref: undefined,
    otherRepository: undefined,
  }
}

export function openTeardown(facts: RunFacts): TeardownRecord {
  const known = { deployment: undefined, url: undefined, removals: [], gone: [] }
  return { ...common(facts), operation: 'teardown', ...known }
}

export function openRequest(facts: RunFacts): RequestRecord {
  return { ...common(facts), operation: 'request', isRead: false, answer: undefined }
}

function common({ startedAt, runUrl, repositoryUrl, commit, action, asked }: RunFacts): OperationFacts {
  const known = {
    startedAt,
    runUrl,
    repositoryUrl,
    commit,
    ...(action !== undefined && { action }),
    ...(asked !== undefined && { asked }),
  }
  return { ...known, target: '', timeoutMs: undefined }
}

/** The one deployment that a teardown was to delete, and that it has kept. */
export function keptDeployment(record: RunRecord): Removal | undefined {
  if (record.operation !== 'teardown' || record.deployment === undefined) return undefined
  return record.removals.find(({ result }) => result === 'kept')
}

/** The deployment's name as far as it is known, or what a request asks for. */
export function nameOf(record: RunRecord): string {
  return (record.operation === 'request' ? undefined : record.deployment?.name) ?? record.target
}

/** What a run does to its deployment, as a noun. */
export function actOf({ operation }: RunRecord): 'rollback' | 'rollout' {
  return operation === 'rollback' ? 'rollback' : 'rollout'
}
