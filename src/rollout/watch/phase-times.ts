import type { Revision } from '../../control-plane/model.ts'
import type { Phase, PhaseTimes, TimedPhase } from '../outcome.ts'
import { DATED_EARLY_MS, DATED_LATE_MS } from '../timing.ts'
import type { Situation } from './schedule.ts'
import type { Span, WatchState } from './state.ts'

/**
 * Between which moments the status began that is read now: since the last read, and, where the dates of the server are
 * plausible, about the moment that they show.
 */
export function beginOf({ revision: last, startedAt, readAt }: WatchState, revision: Revision, now: number): Span {
  if (last === undefined) return [startedAt, startedAt]
  const { createdAt, updatedAt } = revision
  const seen: Span = [readAt, now]
  // A service that reports no update repeats the creation.
  if (createdAt === undefined || updatedAt === undefined || updatedAt <= createdAt) return seen
  const dated = startedAt + updatedAt - createdAt
  const [after, by] = [Math.max(readAt, dated - DATED_LATE_MS), Math.min(now, dated + DATED_EARLY_MS)]
  return after <= by ? [after, by] : seen
}

export function middleOf([after, by]: Span): number {
  return (after + by) / 2
}

export function isTimed(phase: Phase): phase is TimedPhase {
  return phase !== 'terminal' && phase !== 'unknown'
}

/** Undefined unless all phases were seen, each once, and the queue from the begin of the watch. */
export function timesOf({ begins, startedAt }: WatchState, endedAt: number): PhaseTimes | undefined {
  const [queue, build, deploy, ...others] = begins
  if (
    queue?.name !== 'queue' ||
    queue.at > startedAt ||
    build?.name !== 'build' ||
    deploy?.name !== 'deploy' ||
    others.length > 0
  )
    return undefined
  return { queue: build.at - queue.at, build: deploy.at - build.at, deploy: endedAt - deploy.at }
}

export function situationOf({ startedAt, phase }: WatchState, now: number): Situation {
  const [after, by] = phase?.began ?? [startedAt, startedAt]
  return {
    elapsedMs: now - startedAt,
    // Before its first read, a revision is likely to be new.
    phase: phase === undefined ? 'queue' : isTimed(phase.name) ? phase.name : 'unknown',
    began: [after - startedAt, by - startedAt],
  }
}
