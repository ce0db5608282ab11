import { passedSteps, stepAt } from './lifecycle.ts'
import { logOf, type LogLine } from './logs.ts'
import type { StoredRevision } from './records.ts'
import type { LogType } from './schemas.ts'

/** What a revision shows at a time, in milliseconds since the epoch. */

export function statusAt({ stopped, createdAt, steps }: StoredRevision, now: number) {
  if (stopped !== undefined) return { status: stopped.status, message: stopped.message, since: stopped.at }
  const { step, sinceMs } = stepAt(steps, now - createdAt)
  return { status: step.status, message: step.message, since: createdAt + sinceMs }
}

/** Every status until now, with its duration so far in milliseconds. */
export function historyAt(
  { stopped, createdAt, steps }: StoredRevision,
  now: number,
): { status: string; ms: number }[] {
  const passed = passedSteps(steps, (stopped?.at ?? now) - createdAt)
  return stopped === undefined ? passed : [...passed, { status: stopped.status, ms: now - stopped.at }]
}

/** The revision that became active last. */
export function activeAt(revisions: readonly StoredRevision[], now: number): StoredRevision | undefined {
  return revisions
    .map((revision) => ({ revision, since: activeSince(revision, now) }))
    .filter(({ since }) => since > -Infinity)
    .sort((one, other) => one.since - other.since)
    .at(-1)?.revision
}

function activeSince(revision: StoredRevision, now: number): number {
  const { status, since } = statusAt(revision, now)
  if (!revision.activates || status !== 'DEPLOYED') return -Infinity
  const times = [since, revision.broughtBackAt ?? -Infinity].map((ended) => ended + revision.activationMs)
  return Math.max(...times.filter((time) => time <= now))
}

/** Each line has its own ID: clients that follow a log know by it what they have printed. */
export function logAt(revision: StoredRevision, type: LogType, now: number): (LogLine & { id: string })[] {
  return logOf(revision, type, Math.min(now, revision.stopped?.at ?? now)).map((line, n) => ({
    id: `${revision.id}-${type}-${n}`,
    ...line,
  }))
}

const WHY_STOPPED = {
  SKIPPED: 'A newer revision arrived before this one began to deploy.',
  INTERRUPTED: 'The revision was interrupted.',
} as const

/** Ends a revision before its last step. */
export function stop(revision: StoredRevision, status: keyof typeof WHY_STOPPED, at: number): void {
  revision.stopped = { status, message: WHY_STOPPED[status], at }
}
