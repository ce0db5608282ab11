import type { FleetRequest, Wave } from '../fleet/fleet-request.ts'
import { LongList } from './long-list.ts'
import { NO_FACTS, type ServingFacts } from './serving-facts.ts'
import type { FleetEvent, FleetOutcome } from '../fleet/event.ts'
import type { ChoiceReason } from '../previews/request.ts'
import type { PreviewEnd, PreviewEvent, TeardownOutcome } from '../previews/event.ts'
import type { Answer, RequestEvent, RequestOutcome } from '../request/event.ts'
import { type AnyOutcome, type Change, type Phase, type RolloutOutcome, ownRevisionServes } from '../rollout/outcome.ts'
import type { Api } from '../control-plane/api.ts'
import type { Field, LogType } from '../control-plane/model.ts'
import type { AccessInput } from '../inputs/inputs.ts'
import type { MadeTwice, Rollback } from '../rollout/event.ts'
import type { PlanOutline } from '../rollout/plan/approval-outline.ts'
import type { PlanDocument } from './plan.ts'
import type { ByKind } from './words.ts'

export type RunEvent = PreviewEvent | RequestEvent | FleetEvent | { kind: 'connecting'; baseUrl: string }

export type EventOf<Kind extends RunEvent['kind']> = RunEvent & { kind: Kind }

/** Functions by kinds of events, which return the record after the event. `at`: in milliseconds since the epoch. */
export type Folds<Of> = Partial<ByKind<RunEvent, [record: Of, at: number], Of>>

/** The same as `perKind` for a table that lacks some kinds. */
export function perSomeKinds<Of extends { kind: string }, More extends unknown[], Result>(
  table: Partial<ByKind<Of, More, Result>>,
  variant: Of & { kind: Of['kind'] },
  ...more: More
): Result | undefined {
  return table[variant.kind]?.(variant, ...more)
}

/** The known facts about a run's operation. Only `fold` makes it. It can be reported at any moment, failures included. */
export type RunRecord = SingleRecord | FleetRecord

export type SingleRecord = RolloutRecord | TeardownRecord | RequestRecord

export type FinalRecord =
  | EndedRow
  | (TeardownRecord & End<TeardownOutcome>)
  | (RequestRecord & End<RequestOutcome>)
  | (FleetRecord & End<FleetOutcome>)

export type Final<Of extends RunRecord> = Extract<FinalRecord, Of>

interface End<Outcome> {
  /** Milliseconds since the epoch. */
  endedAt: number
  outcome: Outcome
}

export type Outcome = FinalRecord['outcome']

export function errorOf(outcome: Outcome): Error | undefined {
  return outcome.kind === 'failed' && outcome.because.kind === 'error' ? outcome.because.error : undefined
}

/** How an operation has ended. `rollout`: also *wait* and *rollback*. `any`: in a way in which each may end. */
export type Ended =
  | PreviewEnd
  | { operation: 'request'; outcome: RequestOutcome }
  | { operation: 'fleet'; outcome: FleetOutcome }
  | { operation: 'any'; outcome: AnyOutcome }

export interface TeardownRecord extends OperationFacts {
  operation: 'teardown'
  /** The one deployment that the step names. */
  deployment: NamedDeployment | undefined
  ofFleet?: true | undefined
  /** The address of the deployment, as long as it exists. */
  url: string | undefined
  removals: readonly Removal[]
  /** Names of deployments that do not exist any more, for GitHub. A removal may hide the name of one. */
  gone: readonly string[]
}

export interface Removal {
  id: string
  name: string
  pullRequest?: number
  /** `planned`: it would be, or was going to be, deleted. */
  result: 'removed' | 'kept' | 'failed' | 'planned'
  because: ChoiceReason | { kind: 'failed'; trouble: string } | { kind: 'accepted' }
}

export interface RequestRecord extends OperationFacts {
  operation: 'request'
  isRead: boolean
  answer: Answer | undefined
}

export function openRecord(operation: RunRecord['operation'], facts: RunFacts): RunRecord {
  if (operation === 'teardown') return openTeardown(facts)
  if (operation === 'request') return openRequest(facts)
  return operation === 'fleet' ? openFleet(facts) : openRollout(operation, facts)
}

export function openTeardown(facts: RunFacts): TeardownRecord {
  return { ...commonFacts(facts), operation: 'teardown', deployment: undefined, url: undefined, removals: [], gone: [] }
}

export function openRequest(facts: RunFacts): RequestRecord {
  return { ...commonFacts(facts), operation: 'request', isRead: false, answer: undefined }
}

export function isRollout(record: RunRecord): record is RolloutRecord {
  const { operation } = record
  return operation === 'rollout' || operation === 'rollback' || operation === 'wait'
}

/** The run has read the log that explains a failure, and it is not empty. */
export function hasLog(record: RolloutRecord): record is RolloutRecord & { log: NonNullable<RolloutRecord['log']> } {
  return record.log !== undefined && record.log.lines.length > 0
}

export function latestStatus(record: RunRecord): TimelineEntry | undefined {
  return 'timeline' in record ? record.timeline.at(-1) : undefined
}

/** The end of a title, like `BUILD_FAILED`: the status of a revision that has failed, or else the outcome. */
export function endWord(outcome: RolloutOutcome, { revision }: Row): string {
  return (ownRevisionServes(outcome) === 'certainly-not' ? revision?.status : undefined) ?? outcome.kind
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

/** Whether nothing of a fleet of previews is left that a run should delete. */
export function isGoneFleet({ ofFleet, outcome, removals }: Final<TeardownRecord>): boolean {
  const isOver = outcome.kind === 'torn-down' || outcome.kind === 'nothing-to-tear-down'
  const isOfOthers = ({ because: { kind } }: Removal): boolean => kind === 'not-proven' || kind === 'other-repository'
  return ofFleet === true && isOver && removals.every((one) => one.result === 'removed' || isOfOthers(one))
}

export function actOf({ operation }: RunRecord): 'rollback' | 'rollout' {
  return operation === 'rollback' ? 'rollback' : 'rollout'
}

export interface RunFacts {
  /** Milliseconds since the epoch. */
  startedAt: number
  runUrl: string | undefined
  /** This action as the workflow names it, `owner/name@ref`; undefined if it is a local one. */
  action?: string | undefined
  repositoryUrl?: string | undefined
  /** The commit that the run is about: the one that triggered it, unless something else is built. */
  commit: string | undefined
  /** The deployment that the inputs name, before they are checked. */
  askedDeployment?: string | undefined
  /** The deployment's name, where the inputs set it. A preview has one of its own. */
  askedName?: string | undefined
  /** The inputs that give the step access to the control plane: their names only. */
  access?: readonly AccessInput[] | undefined
}

export interface OperationFacts extends RunFacts {
  /** The object of the step: the deployment's name or id, or a method and a path. */
  target: string
  /** Milliseconds; undefined as long as the inputs are not read. */
  timeoutMs: number | undefined
}

/** `name`: undefined if it may not be shown. */
export interface NamedDeployment {
  id: string
  name: string | undefined
}

/**
 * The facts of the rollout of one deployment, also of its *wait* or *rollback*. A single rollout is one row, and a
 * fleet has one for each entry: outputs, comment and summary word each row in the same way.
 */
export interface Row extends OperationFacts {
  operation: 'rollout' | 'wait' | 'rollback'
  onSuperseded: 'fail' | 'succeed'
  api: Api['name']
  change: Change
  /** Set for a dry run, whose `change` is the one that the plan would make. */
  isDryRun?: true
  plan?: PlanDocument | undefined
  outline?: PlanOutline | undefined
  deployment?: NamedDeployment | undefined
  url?: string | undefined
  /** No revision of the deployment is active, or was when the control plane last reported it. */
  servesNothing: boolean
  /** The revision that was active before, or the latest one where the active one is not reported. */
  previousRevisionId?: string | undefined
  /** The revision that was active before, where it is reported. */
  activeBefore?: string | undefined
  servingFacts: ServingFacts
  revisionId?: string | undefined
  /** The run has begun to write, and what it writes last is not acknowledged yet. */
  isWriting?: boolean
  /** The settings that the run has patched. */
  patchedFields: readonly Field[]
  /** Notes that the run has read name the newer revision. */
  isSupersededByOwnRun?: true
  /** Set if a write was lost, and nothing has shown its result. */
  hasLostWrite?: true | undefined
  /** The revision, or deployment, that the run has found, and that nothing proves to be its own. */
  adopted?: string
  revision?: { status: string; statusMessage: string | undefined; repoCommitSha: string | undefined } | undefined
  timeline: readonly TimelineEntry[]
  polls: number
  /** The end of the log that explains a failure, where the control plane has it. */
  log?: { type: LogType; lines: string[] } | undefined
  rollback?: Rollback | undefined
  /** The revision that the action *rollback* goes back to, its ref or image, and the settings that it does not restore. */
  goesBackTo?: { id: string; origin: string | undefined; notRestored: readonly Field[] } | undefined
  madeTwice: readonly Omit<MadeTwice, 'kind'>[]
  /** Patched settings that no response of the control plane shows. */
  unconfirmed: readonly Field[]
  /** The branch or tag of this repository that is built. */
  ref?: string | undefined
  /** The repository that is built, when it is another than the workflow's. */
  otherRepository?: string | undefined
  /** Undefined for an entry of a fleet whose rollout has not begun. In milliseconds since the epoch, as `endedAt`. */
  beganAt: number | undefined
  endedAt?: number | undefined
  /** The outcome; undefined before the end. */
  outcome?: RolloutOutcome | undefined
}

export type RolloutRecord = Row

export type EndedRow = Row & End<RolloutOutcome>

/** All rows of a run; none for a teardown and a request. */
export function rowsOf(record: RunRecord): Iterable<Row> {
  if (record.operation === 'fleet') return record.deployments
  return isRollout(record) ? [record] : []
}

export interface TimelineEntry {
  status: string
  phase: Phase
  /** Milliseconds since the epoch when the run first saw it. */
  at: number
}

export function openRollout(operation: RolloutRecord['operation'], facts: RunFacts): RolloutRecord {
  return {
    ...commonFacts(facts),
    operation,
    onSuperseded: 'fail',
    api: 'agent-server',
    change: 'none',
    servesNothing: false,
    servingFacts: NO_FACTS,
    patchedFields: [],
    beganAt: facts.startedAt,
    timeline: [],
    polls: 0,
    madeTwice: [],
    unconfirmed: [],
  }
}

/** Returns the facts with which a record begins. Of an earlier record of the run, no others continue. */
function commonFacts(facts: RunFacts): OperationFacts {
  const { startedAt, runUrl, repositoryUrl, commit, action, askedDeployment, askedName, access } = facts
  const ofRun = { startedAt, runUrl, repositoryUrl, commit, action, askedDeployment, askedName, access }
  return { ...ofRun, target: '', timeoutMs: undefined }
}

export interface FleetRecord
  extends OperationFacts, Pick<FleetRequest, 'dryRun' | 'preview' | 'shards'>, FleetSelection {
  operation: 'fleet'
  isPlanned: boolean
  /** Whether too many deployments have failed: then no further rollout begins. */
  isStopped: boolean
  waves: readonly FleetWave[]
  deployments: LongList<FleetRow>
  longestName: number
}

export type FleetSelection = Required<Pick<FleetRequest, 'notSelected' | 'skippedWaves'>>

/** Times are in milliseconds since the epoch. */
export interface FleetWave extends Pick<Wave, 'name' | 'maxParallel' | 'bakeMs'> {
  size: number
  /** The number of its deployments with a `verify-url`, which are checked during the bake. */
  checks: number
  beganAt: number | undefined
  bakingSince: number | undefined
  endedAt: number | undefined
}

export interface FleetRow extends Row {
  /** The name of the entry in the manifest. */
  name: string
  /** The place of the entry's wave in the list of waves. */
  wave: number
  /** The warnings of the plan: sentences without a full stop. */
  warnings: readonly string[]
  /** Whether another ref is built, so that `protect-newer` compares no commits. */
  isOfOtherRef?: boolean
  /** Which code the event means, and what else was tested: sentences without a full stop. */
  ofEvent?: readonly string[]
  /** The commit with which its files were compared. */
  since?: string | undefined
}

export function openFleet(facts: RunFacts): FleetRecord {
  return {
    ...commonFacts(facts),
    operation: 'fleet',
    dryRun: false,
    isPlanned: false,
    isStopped: false,
    waves: [],
    deployments: LongList.from([]),
    longestName: 0,
    shards: [],
    notSelected: [],
    skippedWaves: [],
  }
}
