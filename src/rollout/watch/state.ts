import type { ControlPlaneError } from '../../control-plane/errors.ts'
import type { Revision } from '../../control-plane/model.ts'
import type { WatchEvent } from '../event.ts'
import type { Outcome, Phase, TimedPhase } from '../outcome.ts'
import type { WatchRequest } from '../rollout-request.ts'
import { LOOK_EVERY_MS } from '../timing.ts'
import type { Planner } from './schedule.ts'

export type WatchPace = Pick<WatchRequest, 'pollInterval' | 'phaseLimits' | 'logs'>

/**
 * How long to watch. `deadline`: monotonic milliseconds. `commit`: the watch ends when the revision reports another one.
 */
export type WatchLimits = Omit<WatchPace, 'logs'> & { deadline: number; commit?: string | undefined }

/** What a driver has observed since the last step. */
export type Observation =
  | { kind: 'revision-read'; revision: Revision }
  | { kind: 'poll-failed'; error: ControlPlaneError }
  | { kind: 'deployment-read'; found: DeploymentFinding }
  | { kind: 'time-passed' }

/** `unknown`: the deployment exists and no newer revision is known, or the deployment could not be read. */
export type DeploymentFinding = { kind: 'newer-revision'; revisionId: string } | { kind: 'gone' } | { kind: 'unknown' }

/** `now`: monotonic milliseconds. `random`: a random number from 0 to 1. `planner`: undefined as long as it is not loaded. */
export type Moment = Record<'now' | 'random', number> & { planner?: Planner | undefined }

/** What the driver does next. Times are monotonic milliseconds. */
export type Next =
  | { kind: 'read-revision'; at: number }
  /** Now. `newerThan`: the revision that a newer one may have superseded; undefined: only see whether it exists. */
  | { kind: 'read-deployment'; newerThan: Revision | undefined }
  /** Reports that time has passed: a heartbeat is due. */
  | { kind: 'wake'; at: number }
  /** The state takes no further step. */
  | { kind: 'end'; end: WatchEnd }

export type WatchEnd =
  | { kind: 'terminal'; revision: Revision }
  | Extract<Outcome, { kind: 'superseded' | 'timed-out' }>
  | { kind: 'other-commit'; revision: Revision }
  /** The control plane refuses for good to return the revision, or the deployment is gone: the error to throw. */
  | { kind: 'refused'; error: ControlPlaneError }

/** What a watch knows of its one revision. Times are monotonic milliseconds. */
export interface WatchState {
  readonly limits: WatchLimits
  readonly startedAt: number
  /** As last read. */
  readonly revision: Revision | undefined
  /**
   * Since when the watch sees the revision in its phase, and between which moments the phase began. An unknown status
   * begins a phase only when it is the first status.
   */
  readonly phase: { name: Phase; since: number; began: Span } | undefined
  /** When the phases began, in order, as nearly as it is known. */
  readonly begins: readonly { name: TimedPhase; at: number }[]
  /** When the revision was last read. */
  readonly readAt: number
  readonly changedAt: number
  /** Of the last status or heartbeat. */
  readonly reportedAt: number
  /** Reads of the revision, also failed ones. The response that created the revision counts as the first. */
  readonly reads: number
  /** Polls that failed in a row, and why the last one did. */
  readonly failures: number
  readonly failure: ControlPlaneError | undefined
  /** Since when the deployment is not found either. */
  readonly goneSince: number | undefined
  readonly pollAt: number
  /** With automatic pauses: the first poll from then on is followed by a read of the deployment. */
  readonly lookAt: number
}

/** The earliest and the latest moment, in monotonic milliseconds. */
export type Span = readonly [after: number, by: number]

export interface Step {
  state: WatchState
  events: WatchEvent[]
  next: Next
}

export function beginWatch(limits: WatchLimits, now: number): WatchState {
  return {
    limits,
    startedAt: now,
    revision: undefined,
    phase: undefined,
    begins: [],
    readAt: now,
    changedAt: now,
    reportedAt: now,
    reads: 0,
    failures: 0,
    failure: undefined,
    goneSince: undefined,
    pollAt: now,
    lookAt: now + LOOK_EVERY_MS,
  }
}
