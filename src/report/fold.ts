import { apiOf } from '../control-plane/api.ts'
import { addressOf, type Deployment, type Revision } from '../control-plane/model.ts'
import type { TeardownOutcome } from '../previews/event.ts'
import type { Applied } from '../rollout/event.ts'
import { type Change, phaseOf, type RolloutOutcome } from '../rollout/outcome.ts'
import { changeOf } from '../rollout/plan/plan.ts'
import { foldTeardown } from './removals.ts'
import { describePlan, withPatched } from './plan.ts'
import {
  type Ended,
  type EventOf,
  type Final,
  type FinalRecord,
  isRollout,
  openFleet,
  openRequest,
  openRollout,
  openTeardown,
  type RolloutRecord,
  type RunEvent,
  type RunRecord,
  type TeardownRecord,
} from './record.ts'

/** The record after an event at a time in milliseconds since the epoch. An operation that begins has a new record. */
export function fold(record: RunRecord, event: RunEvent, at: number): RunRecord {
  switch (event.kind) {
    case 'rollout-began': {
      const { operation, target, timeoutMs, onSuperseded, api } = event
      return { ...openRollout(operation, record), target, timeoutMs, onSuperseded, api }
    }
    case 'teardown-began':
      return { ...openTeardown(record), target: event.target, timeoutMs: event.timeoutMs, ofFleet: event.ofFleet }
    case 'request-began': {
      const { target, isRead, timeoutMs } = event
      return { ...openRequest(record), target, isRead, timeoutMs }
    }
    case 'head-read':
      return { ...record, commit: event.commit }
    default:
      return foldOperation(record, event, at)
  }
}

/** The record of a run that has ended. An operation that has not begun has a record without facts of its own. */
export function foldEnd(record: RunRecord, ended: Ended, endedAt: number): FinalRecord {
  switch (ended.of) {
    case 'rollout':
      return endRollout(isRollout(record) ? record : openRollout('rollout', record), ended.outcome, endedAt)
    case 'teardown':
      return endTeardown(record.operation === 'teardown' ? record : openTeardown(record), ended.outcome, endedAt)
    case 'request':
      return { ...(record.operation === 'request' ? record : openRequest(record)), endedAt, outcome: ended.outcome }
    case 'fleet':
      return { ...(record.operation === 'fleet' ? record : openFleet(record)), endedAt, outcome: ended.outcome }
    case 'any':
      if (record.operation === 'teardown') return endTeardown(record, ended.outcome, endedAt)
      if (isRollout(record)) return endRollout(record, ended.outcome, endedAt)
      return { ...record, endedAt, outcome: ended.outcome }
  }
}

function endRollout(record: RolloutRecord, outcome: RolloutOutcome, endedAt: number): Final<RolloutRecord> {
  return { ...record, change: changeAtEnd(record, outcome), endedAt, outcome }
}

/** A dry run that has not ended as planned would not do what it has planned. */
export function changeAtEnd({ change, isDryRun }: RolloutRecord, { kind }: RolloutOutcome): Change {
  return isDryRun === true && kind !== 'planned' ? 'none' : change
}

/** A deletion that an error has ended is a failed one. */
function endTeardown(record: TeardownRecord, outcome: TeardownOutcome, endedAt: number): Final<TeardownRecord> {
  const trouble = troubleOf(outcome)
  if (trouble === undefined) return { ...record, endedAt, outcome }
  const failed = { result: 'failed', because: { kind: 'failed', trouble } } as const
  const removals = record.removals.map((one) => (one.result === 'planned' ? { ...one, ...failed } : one))
  return { ...record, removals, endedAt, outcome }
}

function troubleOf(outcome: TeardownOutcome): string | undefined {
  if (outcome.kind === 'timed-out') return outcome.lastTrouble ?? 'the time was over'
  return outcome.kind === 'failed' && outcome.because.kind === 'error' ? outcome.because.error.message : undefined
}

function foldOperation(record: RunRecord, event: RunEvent, at: number): RunRecord {
  if (isRollout(record)) return foldRollout(record, event, at)
  if (record.operation === 'teardown') return foldTeardown(record, event)
  // The part of the report that is loaded with a fleet folds its events.
  return record.operation === 'request' && event.kind === 'answered' ? { ...record, answer: event.answer } : record
}

function foldRollout(record: RolloutRecord, event: RunEvent, at: number): RolloutRecord {
  switch (event.kind) {
    case 'current-state-read':
      return { ...withCurrent(record, event.current), ...event.builtRef }
    case 'revision-chosen': {
      const { id, settings } = event.to
      const origin = settings.repoRef ?? settings.imageUri
      return { ...record, goesBackTo: { id, origin, notRestored: event.notRestored } }
    }
    case 'planned': {
      const plan = describePlan(event, apiOf(record.api))
      const change = event.dryRun ? changeOf(event.plan) : record.change
      const { outline } = event
      const shown = record.change === 'patched' ? withPatched(plan, record.plan) : plan
      return { ...record, outline, plan: shown, change, ...(event.dryRun && { isDryRun: true }) }
    }
    case 'waiting':
      return withRevision({ ...withDeployment(record, event.deployment), ...event.builtRef }, event.revision, at)
    case 'deployment-read':
      return withDeployment(record, event.deployment)
    case 'during-rollback':
      return event.event.kind === 'deployment-read' ? withDeployment(record, event.event.deployment) : record
    case 'polled':
      return { ...record, polls: record.polls + 1 }
    case 'status':
      return withRevision(record, event.revision, at)
    case 'phases-timed':
      return { ...record, phaseTimes: event.times }
    case 'log-read':
      return { ...record, log: { type: event.type, lines: event.lines } }
    case 'rollback-changed':
      return { ...record, rollback: event.rollback }
    default:
      return foldWrite(record, event, at)
  }
}

function foldWrite(record: RolloutRecord, event: RunEvent, at: number): RolloutRecord {
  switch (event.kind) {
    case 'written':
      return withWrite(record, event)
    case 'applied': {
      const written = withWrite(record, event)
      const shown = event.revision === undefined ? written : withRevision(written, event.revision, at)
      return isAdopted(event) ? { ...shown, adopted: event.revisionId } : shown
    }
    case 'attached': {
      const change = event.because === 'resumed' ? patchedOr('resumed', record) : record.change
      return { ...withRevision(record, event.revision, at), change, adopted: event.revision.id }
    }
    case 'write-lost':
      return { ...record, hasLostWrite: true }
    case 'secrets-uncompared':
      return { ...record, adopted: event.id }
    case 'other-commit':
    case 'not-activated':
      return { ...record, change: patchedOr('none', record), revisionId: undefined, revision: undefined, timeline: [] }
    case 'made-twice': {
      const { what, ours, other, isDoubtful, isSentOnce } = event
      const twice = { what, ours, other, ...(isDoubtful && { isDoubtful }), ...(isSentOnce && { isSentOnce }) }
      return { ...record, madeTwice: [...record.madeTwice, twice] }
    }
    case 'patch-unconfirmed':
      return { ...record, unconfirmed: [...new Set([...record.unconfirmed, ...event.fields])] }
    default:
      return record
  }
}

function withWrite(record: RolloutRecord, event: EventOf<'written' | 'applied'>): RolloutRecord {
  const change = event.change === 'revised' ? patchedOr(event.change, record) : event.change
  // Nothing serves a new deployment, even if the control plane does not report it.
  const servesNothing = change === 'created' || record.servesNothing
  const { revisionId, deployment, patched } = event
  const written = withDeployment({ ...record, change, servesNothing, hasLostWrite: undefined }, deployment)
  return { ...written, revisionId, url: patched?.customUrl ?? written.url }
}

/** What was found after a lost response, and shows no commit, may be another client's. */
function isAdopted({ isFound, revision }: Applied): boolean {
  return isFound && revision?.repoCommitSha === undefined
}

/** What a run has patched stays patched, whatever its later plans do. */
function patchedOr(change: Change, record: RolloutRecord): Change {
  return record.change === 'patched' ? 'patched' : change
}

function withCurrent(record: RolloutRecord, current: Deployment | undefined): RolloutRecord {
  if (current === undefined) return record
  // null: no revision is active. undefined: the control plane does not report which one is.
  const { activeRevisionId: active, latestRevisionId: latest } = current
  const previousRevisionId = active === undefined ? latest : (active ?? undefined)
  return { ...withDeployment(record, current), previousRevisionId, activeBefore: active ?? undefined }
}

function withDeployment(record: RolloutRecord, deployment: Deployment): RolloutRecord {
  const { id, name, activeRevisionId } = deployment
  const servesNothing = activeRevisionId === undefined ? record.servesNothing : activeRevisionId === null
  return { ...record, deployment: { id, name }, url: addressOf(deployment) ?? record.url, servesNothing }
}

function withRevision(record: RolloutRecord, revision: Revision, at: number): RolloutRecord {
  const { status } = revision
  const isSame = record.timeline.at(-1)?.status === status
  const timeline = isSame ? record.timeline : [...record.timeline, { status, phase: phaseOf(status), at }]
  return { ...record, revisionId: revision.id, revision, timeline }
}
