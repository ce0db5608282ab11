import { askedWaitMs, type ControlPlaneError, isNotFound, isUnusable } from '../../control-plane/errors.ts'
import type { LogType, Revision } from '../../control-plane/model.ts'
import type { WatchEvent } from '../event.ts'
import { type RolloutOutcome, type Phase, phaseOf, type TimedPhase } from '../outcome.ts'
import { sameCommit } from '../plan/repository.ts'
import type { WatchRequest } from '../rollout-request.ts'
import { GONE_AFTER_MS, HEARTBEAT_MS, REPLICA_LAG_MS } from '../timing.ts'
import { nextPollDelay, type PollMoment } from './next-poll.ts'

/** How a revision is watched. `deadline`: monotonic milliseconds. */
export interface WatchLimits extends Pick<WatchRequest, 'phaseLimits'> {
  pollInterval: PollMoment['interval']
  deadline: number
  /** The watch ends when the revision reports another one. */
  commit?: string | undefined
}

export type Observation =
  | { kind: 'revision-read'; revision: Revision }
  | { kind: 'poll-failed'; error: ControlPlaneError }
  | { kind: 'deployment-read'; finding: DeploymentFinding }
  | { kind: 'time-passed' }

/** `unknown`: the deployment exists and no newer revision is known. */
export type DeploymentFinding =
  { kind: 'newer-revision'; revisionId: string } | { kind: 'gone' } | { kind: 'unknown' } | { kind: 'unreadable' }

export interface Moment {
  now: number
  random: number
}

/** The next action of the driver. Times are monotonic milliseconds. */
export type Next =
  | { kind: 'read-revision'; at: number }
  /** Now. `newerThan`: the revision that a newer one may have superseded; undefined: only see whether it exists. */
  | { kind: 'read-deployment'; newerThan: Revision | undefined }
  | { kind: 'wake'; at: number }
  | { kind: 'end'; end: WatchEnd }

export type WatchEnd =
  | { kind: 'terminal'; revision: Revision }
  | Extract<RolloutOutcome, { kind: 'superseded' | 'timed-out' }>
  | { kind: 'other-commit'; revision: Revision }
  /** Neither the revision nor the deployment exists any more. */
  | { kind: 'deleted' }
  | { kind: 'refused'; error: ControlPlaneError }

/** Times are monotonic milliseconds. */
export interface WatchState {
  readonly limits: WatchLimits
  readonly startedAt: number
  readonly revision?: Revision | undefined
  /** `since`: when the watch saw it begin. An unknown status begins a phase only when it is the first status. */
  readonly phase?: { name: Phase; since: number }
  /** The last phase in which the watch saw it build or deploy. */
  readonly lastLogged?: LogType | undefined
  readonly changedAt: number
  readonly reportedAt: number
  /** Reads of the revision, also failed ones. The response that created the revision counts as the first. */
  readonly reads: number
  /** Polls that failed in a row, and why the last one did. */
  readonly failures: number
  readonly failure?: ControlPlaneError | undefined
  /** Since when the deployment is not found either. */
  readonly goneSince?: number | undefined
  readonly pollAt: number
  /** With automatic pauses: the first poll from then on is followed by a read of the deployment. */
  readonly lookAt: number
}

export interface Step {
  state: WatchState
  events: WatchEvent[]
  next: Next
}

/** With automatic pauses: between two reads of the deployment, to find a newer revision that has replaced ours. */
const LOOK_EVERY_MS = 240_000

export function beginWatch(limits: WatchLimits, now: number): WatchState {
  return {
    limits,
    startedAt: now,
    changedAt: now,
    reportedAt: now,
    reads: 0,
    failures: 0,
    pollAt: now,
    lookAt: now + LOOK_EVERY_MS,
  }
}

/** Decides what an observation means for one watch, and what to observe next. */
export function step(state: WatchState, observation: Observation, moment: Moment): Step {
  switch (observation.kind) {
    case 'revision-read':
      return onRevision(state, observation.revision, moment)
    case 'poll-failed':
      return onFailure(state, observation.error, moment)
    case 'deployment-read':
      return onDeployment(state, observation.finding, moment)
    case 'time-passed':
      return pause(state, moment.now, [])
  }
}

function onRevision(before: WatchState, revision: Revision, moment: Moment): Step {
  const { now } = moment
  const phase = phaseOf(revision.status)
  // An unknown status that comes and goes must not restart the time of a phase.
  const beginsPhase = phase !== before.phase?.name && (phase !== 'unknown' || before.phase === undefined)
  const isChange = revision.status !== before.revision?.status
  const state: WatchState = {
    ...before,
    revision,
    reads: before.reads + 1,
    failures: 0,
    failure: undefined,
    goneSince: undefined,
    ...(beginsPhase && { phase: { name: phase, since: now } }),
    ...((phase === 'build' || phase === 'deploy') && { lastLogged: phase }),
    ...(isChange && { changedAt: now, reportedAt: now }),
  }
  const events: WatchEvent[] = isChange ? [{ kind: 'status', revision }] : []
  const { commit } = state.limits
  if (commit !== undefined && revision.repoCommitSha !== undefined && !sameCommit(commit, revision.repoCommitSha))
    return ended(state, { kind: 'other-commit', revision }, events)
  if (phase === 'terminal') return ended(state, { kind: 'terminal', revision }, events)
  if (!isLookDue(before, now)) return planPoll(state, moment, events)
  const lookAt = now + LOOK_EVERY_MS
  return { state: { ...state, lookAt }, events, next: { kind: 'read-deployment', newerThan: revision } }
}

/** With a fixed pause: polls for each read of the deployment, which costs up to three requests. */
const POLLS_PER_DEPLOYMENT_READ = 6

/** The read of a deployment finds what is rare: a newer revision, of which the status shows nothing. */
function isLookDue({ limits, reads, lookAt }: WatchState, now: number): boolean {
  if (typeof limits.pollInterval !== 'number') return now >= lookAt
  return reads > 0 && reads % POLLS_PER_DEPLOYMENT_READ === 0
}

/** A failed poll ends the watch only if the control plane refuses for good. */
function onFailure(before: WatchState, error: ControlPlaneError, moment: Moment): Step {
  const isMissing = isNotFound(error)
  if (!isMissing && !isUnusable(error)) return ended(before, { kind: 'refused', error }, [])
  const failures = before.failures + 1
  const state: WatchState = { ...before, reads: before.reads + 1, failures, failure: error }
  const events: WatchEvent[] = [{ kind: 'poll-failed', trouble: error.trouble.cameBack, row: failures }]
  if (isMissing && (state.revision !== undefined || isPastLag(state, moment.now)))
    return { state, events, next: { kind: 'read-deployment', newerThan: undefined } }
  return planPoll({ ...state, goneSince: undefined }, moment, events)
}

/** Whether every replica knows the revision by now. */
function isPastLag({ startedAt }: WatchState, now: number): boolean {
  return now - startedAt >= REPLICA_LAG_MS
}

function onDeployment(state: WatchState, finding: DeploymentFinding, moment: Moment): Step {
  switch (finding.kind) {
    case 'newer-revision':
      return ended(state, { kind: 'superseded', by: finding.revisionId }, [])
    case 'gone': {
      const { failure: error, goneSince = moment.now } = state
      // A deployment whose revision was just read exists.
      if (!isNotFound(error)) return planPoll(state, moment, [])
      if (moment.now - goneSince >= GONE_AFTER_MS) return ended(state, { kind: 'deleted' }, [])
      return planPoll({ ...state, goneSince }, moment, [])
    }
    case 'unknown': {
      const { failure: error } = state
      if (isNotFound(error) && isPastLag(state, moment.now)) return ended(state, { kind: 'refused', error }, [])
      return planPoll({ ...state, goneSince: undefined }, moment, [])
    }
    case 'unreadable':
      return planPoll({ ...state, goneSince: undefined }, moment, [])
  }
}

/** Sets the time of the next poll, at the latest at the deadline and at the end of the phase; or ends the watch there. */
function planPoll(state: WatchState, { now, random }: Moment, events: WatchEvent[]): Step {
  const { limits, failure, failures, startedAt } = state
  const { deadline, pollInterval: interval } = limits
  const lastTrouble = failure?.trouble.cameBack
  if (now >= deadline) return ended(state, { kind: 'timed-out', lastTrouble }, events)
  const limit = phaseLimit(state, now)
  if (limit !== undefined && now >= limit.endsAt)
    return ended(state, { kind: 'timed-out', lastTrouble, phase: limit.phase }, events)
  const retryAfterMs = askedWaitMs(failure)
  const delay = nextPollDelay({ interval, elapsedMs: now - startedAt, failures, retryAfterMs, random })
  return pause({ ...state, pollAt: Math.min(now + delay, deadline, limit?.endsAt ?? deadline) }, now, events)
}

/** Waits for the next poll, or for a heartbeat that is due before it. */
function pause(before: WatchState, now: number, events: WatchEvent[]): Step {
  const { revision, failure, changedAt, pollAt } = before
  const isDue = now >= before.reportedAt + HEARTBEAT_MS
  const reportedAt = isDue ? now : before.reportedAt
  const [status, forMs, trouble] = [revision?.status, now - changedAt, failure?.trouble.cameBack]
  const beatAt = reportedAt + HEARTBEAT_MS
  return {
    state: { ...before, reportedAt },
    events: isDue ? [...events, { kind: 'heartbeat', status, forMs, trouble }] : events,
    next: beatAt <= pollAt ? { kind: 'wake', at: beatAt } : { kind: 'read-revision', at: pollAt },
  }
}

function ended(state: WatchState, end: WatchEnd, events: WatchEvent[]): Step {
  return { state, events, next: { kind: 'end', end } }
}

function phaseLimit({ phase, limits }: WatchState, now: number) {
  if (phase === undefined || !isTimed(phase.name)) return undefined
  const { name, since } = phase
  const limitMs = limits.phaseLimits[name]
  return limitMs === undefined ? undefined : { phase: { name, limitMs, forMs: now - since }, endsAt: since + limitMs }
}

function isTimed(phase: Phase): phase is TimedPhase {
  return phase !== 'terminal' && phase !== 'unknown'
}
