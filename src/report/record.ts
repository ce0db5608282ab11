import type { FleetEvent } from '../fleet/event.ts'
import type { ChoiceReason } from '../previews/request.ts'
import type { PreviewEvent } from '../previews/event.ts'
import type { Answer, RequestEvent } from '../request/event.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { openFleet, type FleetRecord } from './fleet/record.ts'
import {
  commonFacts,
  openRollout,
  type NamedDeployment,
  type OperationFacts,
  type RolloutRecord,
  type RunFacts,
} from './rollout-record.ts'

export {
  openRollout,
  type NamedDeployment,
  type RolloutRecord,
  type RunFacts,
  type TimelineEntry,
} from './rollout-record.ts'

/** Everything that happens in a run. */
export type RunEvent = PreviewEvent | RequestEvent | FleetEvent | { kind: 'connecting'; baseUrl: string }

/** What is known of a run's operation. Made by `fold` alone: it can be reported at any moment, failures included. */
export type RunRecord = SingleRecord | FleetRecord

/** Of an operation that is no fleet. */
export type SingleRecord = RolloutRecord | TeardownRecord | RequestRecord

/** A record whose end is known: what is reported. */
export type Final<Of extends RunRecord> = Of & {
  /** Milliseconds since the epoch. */
  endedAt: number
  outcome: Outcome
}
export type FinalRecord = Final<RunRecord>

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
  because: ChoiceReason | { kind: 'failed'; trouble: string } | { kind: 'accepted' }
}

export interface RequestRecord extends OperationFacts {
  operation: 'request'
  /** The request cannot change anything. */
  isRead: boolean
  answer: Answer | undefined
}

/** The record of an operation that has not begun yet. */
export function openRecord(operation: RunRecord['operation'] | 'fleet', facts: RunFacts): RunRecord {
  switch (operation) {
    case 'rollout':
    case 'rollback':
    case 'wait':
      return openRollout(operation, facts)
    case 'teardown':
      return openTeardown(facts)
    case 'request':
      return openRequest(facts)
    case 'fleet':
      return openFleet(facts)
  }
}

export function openTeardown(facts: RunFacts): TeardownRecord {
  const known = { deployment: undefined, url: undefined, removals: [], gone: [] }
  return { ...commonFacts(facts), operation: 'teardown', ...known }
}

export function openRequest(facts: RunFacts): RequestRecord {
  return { ...commonFacts(facts), operation: 'request', isRead: false, answer: undefined }
}

/** Of an operation that is about a revision. */
export function isRollout(record: Final<SingleRecord>): record is Final<RolloutRecord> {
  return record.operation !== 'teardown' && record.operation !== 'request'
}

/** The one deployment that a teardown was to delete, and that it has kept. */
export function keptDeployment(record: RunRecord): Removal | undefined {
  if (record.operation !== 'teardown' || record.deployment === undefined) return undefined
  return record.removals.find(({ result }) => result === 'kept')
}

/** The deployment's name as far as it is known, or what a request asks for. */
export function nameOf(record: RunRecord): string {
  return ('deployment' in record ? record.deployment?.name : undefined) ?? record.target
}

/** What a run does to its deployment, as a noun. */
export function actOf({ operation }: RunRecord): 'rollback' | 'rollout' {
  return operation === 'rollback' ? 'rollback' : 'rollout'
}
