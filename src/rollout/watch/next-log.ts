import { BrokenContractError, isNotFound, UnreachableError } from '../../control-plane/errors.ts'
import type { LogOffset, LogPage, LogType } from '../../control-plane/model.ts'
import type { LogEnd, LogEvent } from '../event.ts'
import { phaseOf } from '../outcome.ts'
import { MAX_LIVE_LINES } from '../timing.ts'

/** The part of a rollout that is under way. `ended`: the watch is over, and the rest of both logs is read. */
export type LogPhase = LogType | 'ended'

export interface LogState {
  readonly tails: Readonly<Record<LogType, LogTail>>
  /** Whether the build log was read to its end, after the build. */
  readonly isBuildRead: boolean
  /** The logs that were read to their end after the rollout. */
  readonly complete: readonly LogType[]
  /** The logs that the service does not know after the rollout. */
  readonly absent: readonly LogType[]
  /** Lines that the run may still show of this revision. */
  readonly linesLeft: number
  readonly hasAnswered: boolean
  readonly misses: number
  readonly over?: LogEnd
}

export function beginLogs(maxLines = MAX_LIVE_LINES): LogState {
  return {
    tails: { build: NEW_TAIL, deploy: NEW_TAIL },
    isBuildRead: false,
    complete: [],
    absent: [],
    linesLeft: maxLines,
    hasAnswered: false,
    misses: 0,
  }
}

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

interface LogStep {
  state: LogState
  events: LogEvent[]
}

/** This many unreadable answers in a row end the reading: each time, the action asks for half as many entries. */
const UNUSABLE_LOG_ANSWERS = 6

/** `answer`: the page, or why there is none. */
export function logStep(state: LogState, type: LogType, phase: LogPhase, answer: LogPage | Error): LogStep {
  if ('entries' in answer) return onPage(state, type, phase, answer)
  // Nothing is lost: the next request begins at the same place.
  if (answer instanceof UnreachableError) return { state, events: [] }
  if (isNotFound(answer)) return onMissing(state, type, phase)
  if (!(answer instanceof BrokenContractError))
    return ended(state, { kind: 'unavailable', trouble: answer.message }, [])
  // The page may be too large to be read.
  const tails = { ...state.tails, [type]: withSmallerPage(state.tails[type]) }
  return missed({ ...state, tails }, UNUSABLE_LOG_ANSWERS, 'the control plane returns no log that can be read')
}

function onPage(state: LogState, type: LogType, phase: LogPhase, page: LogPage): LogStep {
  const { tail, lines, rest } = tailStep(state.tails[type], page)
  const linesInLimit = lines.slice(0, state.linesLeft)
  const after: LogState = {
    ...state,
    tails: { ...state.tails, [type]: tail },
    isBuildRead: state.isBuildRead || (type === 'build' && phase !== 'build' && rest !== 'more'),
    complete: phase === 'ended' && rest === 'none' ? [...state.complete, type] : state.complete,
    linesLeft: state.linesLeft - linesInLimit.length,
    hasAnswered: true,
    misses: 0,
  }
  const events = piecesOf(linesInLimit).map((piece): LogEvent => ({ kind: 'log-lines', type, lines: piece }))
  return lines.length > linesInLimit.length ? ended(after, { kind: 'limit' }, events) : { state: after, events }
}

/** Characters of a log that are redacted and printed at once: the process answers signals in between. */
const LOG_PIECE_CHARACTERS = 64 * 1024

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

/** A service lacks the route of the logs if it answers this often in a row that it knows none. */
const MISSING_LOG_ANSWERS = 2

/** A replica may lag, the service may have no such route, or no such log: an image has no build. */
function onMissing(state: LogState, type: LogType, phase: LogPhase): LogStep {
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

export function isReadToEnd(state: LogState): boolean {
  const isGone = state.absent.some((type) => state.tails[type].from !== undefined || state.tails[type].entriesRead > 0)
  return nextLog(state, 'ended') === undefined && !isGone
}

function missed(state: LogState, limit: number, trouble: string): LogStep {
  const misses = state.misses + 1
  const next = { ...state, misses }
  return misses < limit ? { state: next, events: [] } : ended(next, { kind: 'unavailable', trouble }, [])
}

function ended(state: LogState, end: LogEnd, events: LogEvent[]): LogStep {
  return { state: { ...state, over: end }, events: [...events, { kind: 'log-ended', end }] }
}

export interface LogTail {
  /** Where the next page begins; undefined: at the start of the log. */
  readonly from: LogOffset | undefined
  /** Entries from there on that were read already. */
  readonly entriesRead: number
  /** The ids of all entries that were read, where the service reports ids. */
  readonly keys: ReadonlySet<string>
  readonly limit: number
}

/** Entries of one request for a log. */
const LOG_PAGE_ENTRIES = 500

export const NEW_TAIL: LogTail = { from: undefined, entriesRead: 0, keys: new Set(), limit: LOG_PAGE_ENTRIES }

export function withSmallerPage(tail: LogTail): LogTail {
  return { ...tail, limit: Math.max(1, Math.ceil(tail.limit / 2)) }
}

interface TailStep {
  tail: LogTail
  /** Lines that no earlier answer has shown, in order: no more than one beyond what a run shows. */
  lines: string[]
  /** Whether the log has more entries. `perhaps`: the page was short, which some services' pages always are. */
  rest: 'none' | 'perhaps' | 'more'
}

/** The most that a service returns (contract notes, `GET …/logs`). */
const MAX_LOG_PAGE_ENTRIES = 1_000

export function tailStep(tail: LogTail, page: LogPage): TailStep {
  const { entries, next } = page
  const keys = new Set(tail.keys)
  const fresh = entries.slice(tail.entriesRead).filter(({ key }) => {
    if (key === undefined) return true
    const isNew = !keys.has(key)
    keys.add(key)
    return isNew
  })
  const place = placeAfter(tail, page)
  // A service that does not move on shows what is new only behind what is known.
  const enough = place.entriesRead === 0 ? 0 : Math.min(MAX_LOG_PAGE_ENTRIES, place.entriesRead + LOG_PAGE_ENTRIES)
  const lines = fresh.values().flatMap(({ message }) => linesOf(message))
  const isShort = entries.length < tail.limit
  const isAtEnd = entries.length <= tail.entriesRead || (isShort && next === undefined)
  return {
    tail: { ...place, keys, limit: Math.max(tail.limit, enough) },
    lines: lines.take(MAX_LIVE_LINES + 1).toArray(),
    rest: isAtEnd ? 'none' : isShort ? 'perhaps' : 'more',
  }
}

/** The lines of a message; the line break at its end begins no further one. */
export function* linesOf(message: string): Generator<string> {
  let from = 0
  for (const { 0: lineBreak, index } of message.matchAll(/\r\n?|\n/g)) {
    yield message.slice(from, index)
    from = index + lineBreak.length
  }
  if (from < message.length || message === '') yield message.slice(from)
}

/** The last lines of messages, at most `count`. A message may have millions of lines: the others are not made. */
export function lastLinesOf(messages: readonly string[], count: number): string[] {
  const lines: string[] = []
  for (const message of messages.toReversed()) {
    if (lines.length >= count) break
    lines.unshift(...linesOf(message.slice(startOfLast(message, count))))
  }
  return lines.slice(-count)
}

function startOfLast(message: string, count: number): number {
  let breaksLeft = count
  for (let at = message.length - 2; at >= 0; at--) {
    const isBreak = message[at] === '\n' || (message[at] === '\r' && message[at + 1] !== '\n')
    if (isBreak && --breaksLeft === 0) return at + 1
  }
  return 0
}

/**
 * A text is a place that only the service understands. A number counts the entries before the page: then the action
 * counts, too, as services report null, or a number that is too large, on the last page.
 */
function placeAfter(
  { from, limit }: LogTail,
  { entries, next }: LogPage,
): { from: LogOffset | undefined; entriesRead: number } {
  const count = entries.length
  if (typeof next === 'string') return next === from ? { from, entriesRead: count } : { from: next, entriesRead: 0 }
  if (typeof from === 'string')
    return next === undefined ? { from, entriesRead: count } : { from: next, entriesRead: 0 }
  if (from === undefined && count === 0) return { from, entriesRead: 0 }
  const counted = (from ?? 0) + count
  const isMisleading = next === undefined || next <= counted || (count < limit && next === (from ?? 0) + limit)
  return { from: isMisleading ? counted : next, entriesRead: 0 }
}
