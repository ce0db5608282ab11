import type { LogOffset, LogPage } from '../../control-plane/model.ts'
import { LOG_PAGE_ENTRIES, MAX_LIVE_LINES, MAX_LOG_PAGE_ENTRIES } from '../timing.ts'

/** How far one log was read. */
export interface LogTail {
  /** Where the next page begins; undefined: at the start of the log. */
  readonly from: LogOffset | undefined
  /** Entries from there on that were read already. */
  readonly known: number
  /** The ids of all entries that were read, where the service reports ids. */
  readonly keys: ReadonlySet<string>
  /** Entries of the next request. */
  readonly limit: number
}

export const NEW_TAIL: LogTail = { from: undefined, known: 0, keys: new Set(), limit: LOG_PAGE_ENTRIES }

/** A page of the log, or why there is none. `unusable`: a page that cannot be read, perhaps because it is too large. */
export type TailAnswer = { kind: 'page'; page: LogPage } | { kind: 'failed' } | { kind: 'unusable' }

export interface TailStep {
  tail: LogTail
  /** Lines that no earlier answer has shown, in order: no more than one beyond what a run shows. */
  lines: string[]
  /** Whether the log has more entries. `perhaps`: the page was short, which some services' pages always are. */
  rest: 'none' | 'perhaps' | 'more'
}

/** Takes what is new from an answer. A failed request loses nothing: the next one begins at the same place. */
export function tailStep(tail: LogTail, answer: TailAnswer): TailStep {
  switch (answer.kind) {
    case 'failed':
      return { tail, lines: [], rest: 'more' }
    case 'unusable':
      return { tail: { ...tail, limit: Math.max(1, Math.ceil(tail.limit / 2)) }, lines: [], rest: 'more' }
    case 'page': {
      const { entries, next } = answer.page
      const keys = new Set(tail.keys)
      const fresh = entries.slice(tail.known).filter(({ key }) => {
        if (key === undefined) return true
        const isNew = !keys.has(key)
        keys.add(key)
        return isNew
      })
      const place = placeAfter(tail, answer.page)
      // A service that does not move on shows what is new only behind what is known.
      const limit =
        place.known === 0
          ? tail.limit
          : Math.max(tail.limit, Math.min(MAX_LOG_PAGE_ENTRIES, place.known + LOG_PAGE_ENTRIES))
      const isShort = entries.length < tail.limit
      const isAtEnd = entries.length <= tail.known || (isShort && next === undefined)
      return {
        tail: { ...place, keys, limit },
        lines: fresh
          .values()
          .flatMap(({ message }) => linesOf(message))
          .take(MAX_LIVE_LINES + 1)
          .toArray(),
        rest: isAtEnd ? 'none' : isShort ? 'perhaps' : 'more',
      }
    }
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

/** Where the last `count` lines of a message begin. */
function startOfLast(message: string, count: number): number {
  let left = count
  for (let at = message.length - 2; at >= 0; at--) {
    const isBreak = message[at] === '\n' || (message[at] === '\r' && message[at + 1] !== '\n')
    if (isBreak && --left === 0) return at + 1
  }
  return 0
}

/**
 * A text is a place that only the service understands. A number is the count of entries before the page: then the action
 * counts, too, because services report null, or a number that is too large, on the last page.
 */
function placeAfter({ from, limit }: LogTail, { entries, next }: LogPage): Pick<LogTail, 'from' | 'known'> {
  const count = entries.length
  if (typeof next === 'string') return next === from ? { from, known: count } : { from: next, known: 0 }
  if (typeof from === 'string') return next === undefined ? { from, known: count } : { from: next, known: 0 }
  if (from === undefined && count === 0) return { from, known: 0 }
  const counted = (from ?? 0) + count
  const isMisleading = next === undefined || next <= counted || (count < limit && next === (from ?? 0) + limit)
  return { from: isMisleading ? counted : next, known: 0 }
}
