import { phaseOf } from '../outcome.ts'
import type { LogType } from '../../control-plane/model.ts'
import type { LogEnd, LogEvent } from '../event.ts'
import { LOG_PIECE_CHARACTERS, MAX_LIVE_LINES, MISSING_LOG_ANSWERS, UNUSABLE_LOG_ANSWERS } from '../timing.ts'
import { NEW_TAIL, tailStep, type LogTail, type TailAnswer } from './log-tail.ts'

/** The part of a rollout that is under way. `ended`: the watch is over, and the rest of both logs is read. */
export type LogPhase = LogType | 'ended'

/** `missing`: a 404, of a lagging replica or of a service without the route. `refused`: for good. */
export type LogAnswer = TailAnswer | { kind: 'missing' } | { kind: 'refused'; trouble: string }

/** How far the logs of one revision were read. */
export interface LogState {
  readonly tails: Readonly<Record<LogType, LogTail>>
  /** Whether the build log was read to its end after the build. */
  readonly isBuildRead: boolean
  /** The logs that were read to their end after the rollout. */
  readonly complete: readonly LogType[]
  /** The logs that the service did not know after the rollout. */
  readonly absent: readonly LogType[]
  /** Lines that may still be shown. */
  readonly left: number
  /** Whether the service has returned a log. */
  readonly hasAnswered: boolean
  /** Answers in a row that held no log. */
  readonly misses: number
  /** Why no more of the logs is read. */
  readonly over: LogEnd | undefined
}

export function beginLogs(maxLines = MAX_LIVE_LINES): LogState {
  return {
    tails: { build: NEW_TAIL, deploy: NEW_TAIL },
    isBuildRead: false,
    complete: [],
    absent: [],
    left: maxLines,
    hasAnswered: false,
    misses: 0,
    over: undefined,
  }
}

/** Returns the phase whose log grows in a status; undefined if there is none. */
export function logPhaseOf(status: string): LogType | undefined {
  const phase = phaseOf(status)
  return phase === 'build' || phase === 'deploy' ? phase : undefined
}

/** Chooses the log to read next: the build log comes first, because polls may miss a short build. */
export function nextLog({ isBuildRead, complete, absent, over }: LogState, phase: LogPhase): LogType | undefined {
  if (over !== undefined) return undefined
  if (phase === 'ended') return LOG_TYPES.find((type) => !complete.includes(type) && !absent.includes(type))
  return isBuildRead ? phase : 'build'
}

const LOG_TYPES = ['build', 'deploy'] as const

/** Decides what an answer means for the logs. */
export function logStep(
  state: LogState,
  { type, phase }: { type: LogType; phase: LogPhase },
  answer: LogAnswer,
): { state: LogState; events: LogEvent[] } {
  if (answer.kind === 'refused') return ended(state, { kind: 'unavailable', trouble: answer.trouble }, [])
  if (answer.kind === 'missing') return onMissing(state, type, phase)
  const { tail, lines, rest } = tailStep(state.tails[type], answer)
  const tails = { ...state.tails, [type]: tail }
  if (answer.kind === 'failed') return { state, events: [] }
  if (answer.kind === 'unusable') {
    return missed({ ...state, tails }, UNUSABLE_LOG_ANSWERS, 'the control plane returns no log that can be read')
  }
  const shown = lines.slice(0, state.left)
  const after: LogState = {
    ...state,
    tails,
    isBuildRead: state.isBuildRead || (type === 'build' && phase !== 'build' && rest !== 'more'),
    complete: phase === 'ended' && rest === 'none' ? [...state.complete, type] : state.complete,
    left: state.left - shown.length,
    hasAnswered: true,
    misses: 0,
  }
  const events = piecesOf(shown).map((piece): LogEvent => ({ kind: 'log-lines', type, lines: piece }))
  return lines.length > shown.length ? ended(after, { kind: 'limit' }, events) : { state: after, events }
}

/** Lines in pieces of limited length; a longer line is a piece of its own. */
function piecesOf(lines: readonly string[]): string[][] {
  const pieces: string[][] = []
  let room = -1
  for (const line of lines) {
    if (line.length > room) {
      pieces.push([])
      room = LOG_PIECE_CHARACTERS
    }
    pieces.at(-1)?.push(line)
    room -= line.length
  }
  return pieces
}

/** A service may lack one of the logs: an image has no build. */
function onMissing(state: LogState, type: LogType, phase: LogPhase): { state: LogState; events: LogEvent[] } {
  const isLast = type === 'deploy' || phase === 'build'
  if (isLast && !state.hasAnswered)
    return missed(state, MISSING_LOG_ANSWERS, 'the control plane has no log of this revision')
  // The log that grows may be missing on a replica that lags.
  if (type === phase) return { state, events: [] }
  const misses = state.misses + 1
  if (misses < MISSING_LOG_ANSWERS) return { state: { ...state, misses }, events: [] }
  const absent = phase === 'ended' ? [...state.absent, type] : state.absent
  return { state: { ...state, misses: 0, isBuildRead: true, absent }, events: [] }
}

/** Whether every log that the service has was read to its end. */
export function isReadToEnd(state: LogState): boolean {
  const isGone = state.absent.some((type) => state.tails[type].from !== undefined || state.tails[type].known > 0)
  return nextLog(state, 'ended') === undefined && !isGone
}

function missed(state: LogState, limit: number, trouble: string): { state: LogState; events: LogEvent[] } {
  const misses = state.misses + 1
  const next = { ...state, misses }
  return misses < limit ? { state: next, events: [] } : ended(next, { kind: 'unavailable', trouble }, [])
}

function ended(state: LogState, end: LogEnd, events: LogEvent[]): { state: LogState; events: LogEvent[] } {
  return { state: { ...state, over: end }, events: [...events, { kind: 'log-ended', end }] }
}
