import { wholeSeconds } from '../clock.ts'
import { CHECK_BEFORE_RERUN } from '../control-plane/errors.ts'
import type { RolloutOutcome } from '../rollout/outcome.ts'
import { shortCommit } from '../secrets/text.ts'
import { queuedBehind } from './failure-messages.ts'
import { actOf, isRollout, nameOf, type Final, type FinalRecord, type SingleRecord } from './record.ts'
import { formatDuration, sentences, type Words } from './words.ts'
import { NOTHING_WRITTEN, writtenSentence } from './written.ts'

/** Words for a run that ended before its operation did: it was cancelled, or its time was over. */

type TimedOut = Extract<RolloutOutcome, { kind: 'timed-out' }>

const PERHAPS_DONE = 'The request may have succeeded.'
const DELETION_CONTINUES = 'A deletion that was accepted continues on the control plane, and may take half an hour.'
const RERUN = 'Rerun the job.'
const ATTACH_AGAIN = 'Rerun the job, or use the action wait with this revision-id, to attach to the revision again'

const NO_REVISION_OF_COMMIT =
  'Check that the commit is in the branch that the deployment builds, and that something rolls it out (build-on-push, or a step)'

export function timeoutSentence(
  { phase, missing }: TimedOut,
  record: Final<SingleRecord>,
  deploymentName: string,
): string {
  const status = isRollout(record) ? record.revision?.status : undefined
  const state = status === undefined ? `waiting for ${deploymentName}` : `${deploymentName} was still ${status}`
  if (missing !== undefined) {
    const { commit, newest, forMs } = missing
    const newestText = newest === undefined ? 'none reports its commit' : `the newest is of ${shortCommit(newest)}`
    return `Timed out after ${formatDuration(forMs)}: ${deploymentName} has no revision of ${shortCommit(commit)} (${newestText}).`
  }
  if (phase === undefined) return `Timed out after ${formatDuration(record.timeoutMs ?? 0)}; ${state}.`
  const { name, limitMs, forMs } = phase
  return `The ${name} phase exceeded ${name}-timeout (${formatDuration(limitMs)}) after ${formatDuration(forMs)}; ${state}.`
}

/** Warns that a limit of less than a minute may be meant in minutes; undefined for a longer one. */
export function shortLimitSentence({ phase }: TimedOut, { timeoutMs }: FinalRecord): string | undefined {
  const [input, limitMs = LONG_MS] = phase ? [`${phase.name}-timeout`, phase.limitMs] : ['timeout', timeoutMs]
  if (limitMs >= LONG_MS) return undefined
  const seconds = wholeSeconds(limitMs)
  return `${input} is ${seconds} s; for minutes, set ${input}: ${seconds}m.`
}

/** A rollout takes minutes. */
const LONG_MS = 60_000

export function cancelledHeadline(record: Final<SingleRecord>): string {
  if (!isRollout(record) || nameOf(record) === '') return 'The run was cancelled.'
  return record.operation === 'wait'
    ? `The wait for ${nameOf(record)} was cancelled.`
    : `The ${actOf(record)} of ${nameOf(record)} was cancelled.`
}

export function afterCancellation(record: Final<SingleRecord>): Pick<Words, 'written' | 'next'> {
  if (record.operation === 'request')
    return record.isRead
      ? { written: 'Nothing was changed: the request only reads.', next: RERUN }
      : { written: PERHAPS_DONE, next: CHECK_BEFORE_RERUN }
  if (record.operation === 'teardown')
    return record.removals.length === 0
      ? { written: 'Nothing was deleted.', next: RERUN }
      : { written: DELETION_CONTINUES, next: 'Rerun the job for the others.' }
  const { revisionId, timeline, rollback } = record
  if (rollback !== undefined || (revisionId === undefined && record.isWriting === true))
    return { next: CHECK_BEFORE_RERUN }
  if (revisionId === undefined) return { next: RERUN }
  const last = timeline.at(-1)
  return last?.phase === 'terminal'
    ? { next: `Rerun the job: revision ${revisionId} had ended ${last.status}, and the steps after it were not done.` }
    : { next: `${ATTACH_AGAIN}.` }
}

export function afterTimeout(outcome: TimedOut, record: Final<SingleRecord>): Pick<Words, 'written' | 'next'> {
  if (outcome.missing !== undefined)
    return { next: `${NO_REVISION_OF_COMMIT}; or set a longer ${outcome.missing.limit}.` }
  const limit = outcome.phase === undefined ? 'timeout' : `${outcome.phase.name}-timeout`
  const { next, written } = afterTime(limit, record)
  return { written, next: sentences(next, shortLimitSentence(outcome, record)) }
}

/** `limit`: the input that ended the wait. */
function afterTime(limit: string, record: Final<SingleRecord>): Pick<Words, 'written' | 'next'> {
  if (record.operation === 'request')
    return { written: record.isRead ? undefined : PERHAPS_DONE, next: 'Set a longer timeout.' }
  if (record.operation === 'teardown')
    return record.removals.length > 0
      ? { written: DELETION_CONTINUES, next: 'Check the deployments in the control plane, or set a longer timeout.' }
      : { written: 'Nothing was deleted.', next: 'Set a longer timeout.' }
  if (record.revisionId !== undefined)
    return { next: `${queuedBehind(record)}${ATTACH_AGAIN}; or set a longer ${limit}.` }
  return { next: writtenSentence(record) === NOTHING_WRITTEN ? RERUN : CHECK_BEFORE_RERUN }
}
