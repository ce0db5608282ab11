import { apiOf } from '../control-plane/api.ts'
import { addressOf, type Deployment, type Revision } from '../control-plane/model.ts'
import type { TeardownOutcome } from '../previews/event.ts'
import { type Change, phaseOf, type RolloutOutcome } from '../rollout/outcome.ts'
import { changeOf } from '../rollout/plan/plan.ts'
import { withoutLogin } from '../secrets/image.ts'
import { shortRef } from '../secrets/text.ts'
import { TEARDOWN } from './removals.ts'
import { foldFacts } from './fold-serving.ts'
import { describePlan, hostByDefault, withPatched } from './plan.ts'
import {
  type Ended,
  errorOf,
  type EventOf,
  type Final,
  type FinalRecord,
  type Folds,
  isRollout,
  openFleet,
  openRequest,
  openRollout,
  openTeardown,
  perSomeKinds,
  type RolloutRecord,
  type Row,
  type RunEvent,
  type RunRecord,
  type TeardownRecord,
} from './record.ts'

/** Returns the record after an event. `at`: in milliseconds since the epoch. An operation that begins has a new record. */
export function fold(record: RunRecord, event: RunEvent, at: number): RunRecord {
  const begun = perSomeKinds(BEGINNINGS, event, record, at)
  if (begun !== undefined) return begun
  if (isRollout(record)) return foldRow(record, event, at)
  if (record.operation === 'teardown') return perSomeKinds(TEARDOWN, event, record, at) ?? record
  // The part of the report that is loaded with a fleet folds its events.
  return record.operation === 'request' && event.kind === 'answered' ? { ...record, answer: event.answer } : record
}

/** Returns the row after an event about its rollout. */
export function foldRow(row: Row, event: RunEvent, at: number): Row {
  const folded = perSomeKinds(ROLLOUT, event, row, at) ?? row
  const servingFacts = foldFacts(row.servingFacts, event, at)
  return servingFacts === folded.servingFacts ? folded : { ...folded, servingFacts }
}

const BEGINNINGS: Folds<RunRecord> = {
  'rollout-began'({ operation, target, timeoutMs, onSuperseded, api }, record) {
    return { ...openRollout(operation, record), target, timeoutMs, onSuperseded, api }
  },
  'teardown-began'({ target, timeoutMs, ofFleet }, record) {
    return { ...openTeardown(record), target, timeoutMs, ofFleet }
  },
  'request-began': ({ target, isRead, timeoutMs }, record) => ({ ...openRequest(record), target, isRead, timeoutMs }),
  'head-read': ({ commit }, record) => ({ ...record, commit }),
}

/** The record of a run that has ended. An operation that has not begun has a record without facts of its own. */
export function foldEnd(record: RunRecord, ended: Ended, endedAt: number): FinalRecord {
  switch (ended.operation) {
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
  return errorOf(outcome)?.message
}

const ROLLOUT: Folds<RolloutRecord> = {
  'current-state-read': ({ current, builtRef }, record) => ({ ...withCurrent(record, current), ...builtRef }),
  'revision-awaited': ({ deployment }, record) => withDeployment(record, deployment),
  'revision-chosen'({ to: { id, settings }, notRestored }, record) {
    const image = settings.imageUri && withoutLogin(settings.imageUri)
    return {
      ...record,
      goesBackTo: { id, origin: (settings.repoRef && shortRef(settings.repoRef)) ?? image, notRestored },
    }
  },
  planned(event, record) {
    const plan = describePlan(event, apiOf(record.api), hostByDefault(record))
    const change = event.dryRun ? changeOf(event.plan) : record.change
    const { outline } = event
    const planToShow = record.change === 'patched' ? withPatched(plan, record.plan) : plan
    return { ...record, outline, plan: planToShow, change, ...(event.dryRun && { isDryRun: true }) }
  },
  waiting: ({ deployment, revision, builtRef }, record, at) =>
    withRevision({ ...withDeployment(record, deployment), ...builtRef }, revision, at),
  'deployment-read': ({ deployment }, record) => withDeployment(record, deployment),
  'during-rollback': ({ event }, record) =>
    event.kind === 'deployment-read' ? withDeployment(record, event.deployment) : record,
  polled: (_event, record) => ({ ...record, polls: record.polls + 1 }),
  status: ({ revision }, record, at) => withRevision(record, revision, at),
  'log-read': ({ type, lines }, record) => ({ ...record, log: { type, lines } }),
  'rollback-changed': ({ rollback }, record) => ({ ...record, rollback }),
  written: withWrite,
  applied(event, record, at) {
    const written = { ...withWrite(event, record), isWriting: false }
    const withNewRevision = event.revision === undefined ? written : withRevision(written, event.revision, at)
    // A revision that was found after a lost response and shows no commit may be another client's.
    const isAdopted = event.isFound && event.revision?.repoCommitSha === undefined
    return isAdopted ? { ...withNewRevision, adopted: event.revisionId } : withNewRevision
  },
  attached({ because, revision }, record, at) {
    const change = because === 'resumed' ? patchedOr('resumed', record) : record.change
    return { ...withRevision(record, revision, at), change, adopted: revision.id, isWriting: false }
  },
  'write-lost': (_event, record) => ({ ...record, hasLostWrite: true }),
  'secrets-uncompared': ({ id }, record) => ({ ...record, adopted: id }),
  'other-commit': withoutRevision,
  'not-activated': withoutRevision,
  'made-twice'({ what: resource, ours, other: otherId, isDoubtful, isSentOnce }, record) {
    const twice = {
      what: resource,
      ours,
      other: otherId,
      ...(isDoubtful && { isDoubtful }),
      ...(isSentOnce && { isSentOnce }),
    }
    return { ...record, madeTwice: [...record.madeTwice, twice] }
  },
  'superseded-by-own-run': (_event, record) => ({ ...record, isSupersededByOwnRun: true }),
  applying: (_event, record) => ({ ...record, isWriting: true }),
  'patch-lost': (_event, record) => ({ ...record, hasLostWrite: true }),
  'settings-patched': ({ fields }, record) => ({
    ...record,
    hasLostWrite: undefined,
    patchedFields: [...new Set([...record.patchedFields, ...fields])],
  }),
  'patch-unconfirmed': ({ fields }, record) => ({
    ...record,
    unconfirmed: [...new Set([...record.unconfirmed, ...fields])],
  }),
}

/** Forgets the resumed revision: it is not the requested one, and the run plans again. */
function withoutRevision(_event: RunEvent, record: RolloutRecord): RolloutRecord {
  return { ...record, change: patchedOr('none', record), revisionId: undefined, revision: undefined, timeline: [] }
}

function withWrite(event: EventOf<'written' | 'applied'>, record: RolloutRecord): RolloutRecord {
  const change = event.change === 'revised' ? patchedOr(event.change, record) : event.change
  // Nothing serves a new deployment, even if the control plane does not report it.
  const servesNothing = change === 'created' || record.servesNothing
  const { revisionId, deployment, patched } = event
  const written = withDeployment({ ...record, change, servesNothing, hasLostWrite: undefined }, deployment)
  return { ...written, revisionId, url: patched?.customUrl ?? written.url }
}

/** Settings that a run has patched stay patched, whatever its later plans do. */
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
