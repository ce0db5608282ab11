import type { BakeEvent } from '../event.ts'
import { BAKE_FAILURES, HEARTBEAT_MS, VERIFY_REQUEST_TIMEOUT_MS } from '../timing.ts'
import { type Findings, findingsAfterSuccess, type ProbeEnd } from './evidence.ts'

/** The state of `verify-for`. Times are monotonic milliseconds. */
export interface Bake {
  since: number
  endsAt: number
  /** From the start of one read to the start of the next. */
  pauseMs: number
  reportedAt: number
  row: readonly ProbeEnd[]
  rowSince: number
  reads: number
  failures: number
}

/** `trouble`: why the answer is not as expected; undefined if it is. */
interface BakeRead {
  startedAt: number
  endedAt: number
  end: ProbeEnd
  trouble: string | undefined
}

/** `afterMs`: from the begin of the bake to the first failure of the row. */
export type BakeEnd = { kind: 'passed' } | ({ kind: 'down'; trouble: string; afterMs: number } & Findings)

interface BakeStep {
  bake: Bake
  events: BakeEvent[]
  next: { kind: 'read'; at: number } | { kind: 'end'; end: BakeEnd }
}

/** Limit of the pause from the start of one read of `verify-for` to the start of the next. */
const LONGEST_BAKE_PAUSE_MS = 10_000
/** The same for a bake of seconds. */
const SHORTEST_BAKE_PAUSE_MS = 500
/** The least number of reads, also of a short bake. */
const BAKE_READS = 6

/** Begins to bake at the first good answer. A short bake reads more often, so that a row of failures fits into it. */
export function beginBake(url: string, forMs: number, now: number): BakeStep {
  const pauseMs = Math.max(SHORTEST_BAKE_PAUSE_MS, Math.min(LONGEST_BAKE_PAUSE_MS, forMs / BAKE_READS))
  const endsAt = now + forMs
  const bake = { since: now, endsAt, pauseMs, reportedAt: now, row: [], rowSince: now, reads: 0, failures: 0 }
  const next = { kind: 'read', at: Math.min(now + pauseMs, endsAt) } as const
  return { bake, events: [{ kind: 'bake-began', url, forMs }], next }
}

/** Decides after each read. {@link BAKE_FAILURES} failures in a row end the bake; a row that has begun is always decided. */
export function stepBake(before: Bake, read: BakeRead): BakeStep {
  const counted = { ...before, reads: before.reads + 1 }
  return read.trouble === undefined ? afterSuccess(counted, read) : afterFailure(counted, read, read.trouble)
}

function afterSuccess(before: Bake, { startedAt, endedAt: now }: BakeRead): BakeStep {
  const { since, endsAt, pauseMs, row, reads, failures } = before
  const events: BakeEvent[] = row.length === 0 ? [] : [{ kind: 'bake-recovered', row: row.length }]
  if (now >= endsAt) {
    events.push({ kind: 'bake-passed', forMs: now - since, reads, failures })
    return { bake: { ...before, row: [] }, events, next: { kind: 'end', end: { kind: 'passed' } } }
  }
  // The next step comes after a pause and a request: the line must not be later than that.
  const isDue = now >= before.reportedAt + HEARTBEAT_MS - pauseMs - VERIFY_REQUEST_TIMEOUT_MS
  if (isDue && events.length === 0) events.push({ kind: 'baking', forMs: now - since, leftMs: endsAt - now })
  const reportedAt = events.length === 0 ? before.reportedAt : now
  const at = Math.max(now, Math.min(startedAt + pauseMs, endsAt))
  return { bake: { ...before, row: [], reportedAt }, events, next: { kind: 'read', at } }
}

function afterFailure(before: Bake, { startedAt, endedAt: now, end: seen }: BakeRead, trouble: string): BakeStep {
  const row = [...before.row, seen]
  const rowSince = row.length === 1 ? startedAt : before.rowSince
  const bake = { ...before, row, rowSince, failures: before.failures + 1, reportedAt: now }
  const events: BakeEvent[] = [{ kind: 'bake-failed', trouble, row: row.length, limit: BAKE_FAILURES }]
  if (row.length < BAKE_FAILURES)
    return { bake, events, next: { kind: 'read', at: Math.max(now, startedAt + before.pauseMs) } }
  const end = { kind: 'down', trouble, ...findingsAfterSuccess(row), afterMs: rowSince - before.since } as const
  return { bake, events, next: { kind: 'end', end } }
}
