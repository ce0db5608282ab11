import type { Outcome } from '../rollout/outcome.ts'
import { continuesRemotely, queuedBehind } from './failure-messages.ts'
import { isRollout, type Final, type FinalRecord, type SingleRecord } from './record.ts'
import { rollbackSentence, sentences } from './rollback-messages.ts'
import { formatDuration } from './time.ts'

const PERHAPS_DONE = 'The request may have succeeded.'
const DELETION_CONTINUES = 'A deletion that was accepted continues on the control plane, and may take half an hour.'
export const NO_REVISION = 'No revision is known to have been created.'

/** Which limit has ended a run, and what it was waiting for. */
export function timeoutSentence(
  { phase }: Extract<Outcome, { kind: 'timed-out' }>,
  record: Final<SingleRecord>,
  which: string,
): string {
  const status = isRollout(record) ? record.revision?.status : undefined
  const state = status === undefined ? `waiting for ${which}` : `${which} was still ${status}`
  if (phase === undefined) return `Timed out after ${formatDuration(record.timeoutMs ?? 0)}; ${state}.`
  const { name, limitMs, forMs } = phase
  return `The ${name} phase exceeded ${name}-timeout (${formatDuration(limitMs)}) after ${formatDuration(forMs)}; ${state}.`
}

/** What a limit of less than a minute may mean; undefined for a longer one. */
export function shortLimitSentence(
  { phase }: Extract<Outcome, { kind: 'timed-out' }>,
  { timeoutMs }: Pick<FinalRecord, 'timeoutMs'>,
): string | undefined {
  const [input, limitMs = LONG_MS] = phase ? [`${phase.name}-timeout`, phase.limitMs] : ['timeout', timeoutMs]
  if (limitMs >= LONG_MS) return undefined
  const seconds = Math.ceil(limitMs / 1000)
  return `${input}: ${seconds} is seconds; for minutes, set ${input}: ${seconds}m.`
}

/** A rollout takes minutes. */
const LONG_MS = 60_000

/** What a cancelled run leaves, and what to do about it. */
export function nextAfterCancellation(record: Final<SingleRecord>): string {
  switch (record.operation) {
    case 'request':
      return record.isRead ? 'Nothing was changed: the request only reads.' : PERHAPS_DONE
    case 'teardown':
      return record.removals.length === 0
        ? 'Nothing was deleted.'
        : `${DELETION_CONTINUES} Rerun the job for the others.`
    case 'rollout':
    case 'rollback':
    case 'wait': {
      const { rollback, revisionId, timeline } = record
      const last = timeline.at(-1)
      if (revisionId === undefined) return NO_REVISION
      if (rollback !== undefined)
        return sentences(
          rollbackSentence(record),
          rollback.kind === 'under-way' ? 'It continues on the control plane.' : undefined,
          'Check the deployment.',
        )
      return last?.phase === 'terminal'
        ? `Revision ${revisionId} had already ended ${last.status}; the steps after it were not done.`
        : continuesRemotely(revisionId)
    }
  }
}

export function nextAfterTimeout(record: Final<SingleRecord>): string {
  switch (record.operation) {
    case 'request':
      return `${record.isRead ? '' : `${PERHAPS_DONE} `}Set a longer timeout.`
    case 'teardown':
      return record.removals.length > 0
        ? `${DELETION_CONTINUES} Check the deployments in the control plane, or set a longer timeout.`
        : 'Nothing was deleted. Set a longer timeout.'
    case 'rollout':
    case 'rollback':
    case 'wait': {
      const { revisionId } = record
      return revisionId === undefined
        ? `${NO_REVISION} Check the deployment before you rerun the job.`
        : `${queuedBehind(record)}${continuesRemotely(revisionId)} Rerun the job, or use the action wait with this revision-id, to attach to it again; or set a longer timeout.`
    }
  }
}
