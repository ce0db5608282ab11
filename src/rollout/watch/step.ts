import type { ControlPlaneError } from '../../control-plane/errors.ts'
import { BrokenContractError, isNotFound, UnreachableError } from '../../control-plane/errors.ts'
import type { Revision } from '../../control-plane/model.ts'
import type { WatchEvent } from '../event.ts'
import { phaseOf, type OverduePhase } from '../outcome.ts'
import { GONE_AFTER_MS, HEARTBEAT_MS, LOOK_EVERY_MS, POLLS_PER_DEPLOYMENT_READ, REPLICA_LAG_MS } from '../timing.ts'
import { sameCommit } from '../plan/repository.ts'
import { beginOf, isTimed, middleOf, situationOf, timesOf } from './phase-times.ts'
import { nextPollDelay } from './schedule.ts'
import type { DeploymentFinding, Moment, Observation, Step, WatchEnd, WatchState } from './state.ts'

/** Decides what an observation means for one watch, and what to observe next. */
export function step(state: WatchState, observation: Observation, moment: Moment): Step {
  switch (observation.kind) {
    case 'revision-read':
      return onRevision(state, observation.revision, moment)
    case 'poll-failed':
      return onFailure(state, observation.error, moment)
    case 'deployment-read':
      return onDeployment(state, observation.found, moment)
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
  const began = beginsPhase ? beginOf(before, revision, now) : undefined
  const state: WatchState = {
    ...before,
    revision,
    readAt: now,
    reads: before.reads + 1,
    failures: 0,
    failure: undefined,
    goneSince: undefined,
    ...(began !== undefined && { phase: { name: phase, since: now, began } }),
    ...(began !== undefined && isTimed(phase) && { begins: [...before.begins, { name: phase, at: middleOf(began) }] }),
    ...(isChange && { changedAt: now, reportedAt: now }),
  }
  const events: WatchEvent[] = isChange ? [{ kind: 'status', revision }] : []
  const { commit } = state.limits
  if (commit !== undefined && revision.repoCommitSha !== undefined && !sameCommit(commit, revision.repoCommitSha))
    return ended(state, { kind: 'other-commit', revision }, events)
  if (phase === 'terminal') {
    const times = revision.status === 'DEPLOYED' && began !== undefined ? timesOf(state, middleOf(began)) : undefined
    if (times !== undefined) events.push({ kind: 'phases-timed', times })
    return ended(state, { kind: 'terminal', revision }, events)
  }
  if (isLookDue(before, now)) {
    return {
      state: { ...state, lookAt: now + LOOK_EVERY_MS },
      events,
      next: { kind: 'read-deployment', newerThan: revision },
    }
  }
  return planPoll(state, moment, events)
}

/** The read of a deployment finds what is rare: a newer revision, of which the status shows nothing. */
function isLookDue({ limits, reads, lookAt }: WatchState, now: number): boolean {
  if (limits.pollInterval === 'auto') return now >= lookAt
  return reads > 0 && reads % POLLS_PER_DEPLOYMENT_READ === 0
}

/** A failed poll ends the watch only if the control plane refuses for good. */
function onFailure(before: WatchState, error: ControlPlaneError, moment: Moment): Step {
  const isMissing = isNotFound(error) && moment.now - before.startedAt < REPLICA_LAG_MS
  if (!isMissing && !(error instanceof UnreachableError || error instanceof BrokenContractError))
    return ended(before, { kind: 'refused', error }, [])
  const failures = before.failures + 1
  const state: WatchState = { ...before, reads: before.reads + 1, failures, failure: error }
  const events: WatchEvent[] = [{ kind: 'poll-failed', trouble: error.trouble.cameBack, row: failures }]
  if (isMissing && state.revision !== undefined)
    return { state, events, next: { kind: 'read-deployment', newerThan: undefined } }
  return planPoll({ ...state, goneSince: undefined }, moment, events)
}

function onDeployment(state: WatchState, found: DeploymentFinding, moment: Moment): Step {
  switch (found.kind) {
    case 'newer-revision':
      return ended(state, { kind: 'superseded', by: found.revisionId }, [])
    case 'gone': {
      const { failure: error, goneSince = moment.now } = state
      // A deployment whose revision was just read exists.
      if (!isNotFound(error)) return planPoll(state, moment, [])
      if (moment.now - goneSince >= GONE_AFTER_MS) return ended(state, { kind: 'refused', error }, [])
      return planPoll({ ...state, goneSince }, moment, [])
    }
    case 'unknown':
      return planPoll({ ...state, goneSince: undefined }, moment, [])
  }
}

/** Sets the time of the next poll, at the latest at the deadline and at the end of the phase; or ends the watch there. */
function planPoll(state: WatchState, { now, random, planner }: Moment, events: WatchEvent[]): Step {
  const { limits, failure, failures, reads: polls } = state
  const { deadline, pollInterval: interval } = limits
  const lastTrouble = failure?.trouble.cameBack
  if (now >= deadline) return ended(state, { kind: 'timed-out', lastTrouble }, events)
  const limit = phaseLimit(state)
  if (limit !== undefined && now >= limit.endsAt) {
    const { name, limitMs, since } = limit
    const phase: OverduePhase = { name, limitMs, forMs: now - since }
    return ended(state, { kind: 'timed-out', lastTrouble, phase }, events)
  }
  const retryAfterMs = failure instanceof UnreachableError ? failure.retryAfterMs : undefined
  const delay = nextPollDelay({
    interval,
    situation: situationOf(state, now),
    polls,
    failures,
    planner,
    retryAfterMs,
    random,
  })
  const pollAt = Math.min(now + delay, deadline, limit?.endsAt ?? deadline)
  return pause({ ...state, pollAt }, now, events)
}

/** Waits for the next poll, or for a heartbeat that is due before it. */
function pause(before: WatchState, now: number, earlier: WatchEvent[]): Step {
  const { revision, failure, changedAt, pollAt } = before
  const isDue = now >= before.reportedAt + HEARTBEAT_MS
  const reportedAt = isDue ? now : before.reportedAt
  const [status, forMs, trouble] = [revision?.status, now - changedAt, failure?.trouble.cameBack]
  const beatAt = reportedAt + HEARTBEAT_MS
  return {
    state: { ...before, reportedAt },
    events: isDue ? [...earlier, { kind: 'heartbeat', status, forMs, trouble }] : earlier,
    next: beatAt <= pollAt ? { kind: 'wake', at: beatAt } : { kind: 'read-revision', at: pollAt },
  }
}

function ended(state: WatchState, end: WatchEnd, events: WatchEvent[]): Step {
  return { state, events, next: { kind: 'end', end } }
}

/** The limit of the phase that the revision is in, if it has one. */
function phaseLimit({ phase, limits }: WatchState) {
  if (phase === undefined || !isTimed(phase.name)) return undefined
  const { name, since } = phase
  const limitMs = limits.phaseLimits[name]
  return limitMs === undefined ? undefined : { name, limitMs, since, endsAt: since + limitMs }
}
