import type { Outcome } from '../rollout/outcome.ts'
import { continuesRemotely, describeFailure, queuedBehind } from './failure-messages.ts'
import { actOf, keptDeployment, nameOf, type Final, type RolloutRecord, type SingleRecord } from './record.ts'
import { describeReason } from './removal-messages.ts'
import {
  deployedSentence,
  notRestoredSentence,
  rollbackSentence,
  sentences,
  unconfirmedSentences,
} from './rollback-messages.ts'
import { BAKE_FAILURES } from '../rollout/timing.ts'
import { servingSentence } from './serving.ts'
import { describeSkip } from './skip-messages.ts'
import { formatDuration } from './time.ts'

/** The outcome of a run in words. May contain text of the server: whatever prints it escapes it. */
export interface Message {
  mark: '✅' | '❌' | '⚠️' | '⏱️' | '⏭️' | '🚀' | '📋' | '🧹' | '↩️' | '📨'
  /** One sentence. */
  headline: string
  /** Why, where there is more to say than the headline. */
  reason?: string | undefined
  /** What serves after a failure, where it is known. */
  serving?: string | undefined
  /** What to do next, where there is something to do. */
  next?: string | undefined
}

/** Words the outcome: the same in the log, in the error, in the summary and in the comment. */
export function describeOutcome(record: Final<SingleRecord>): Message {
  const message = { ...wordOutcome(record), serving: servingSentence(record) }
  const fields = isRollout(record) ? record.unconfirmed : []
  if (fields.length === 0) return message
  return { ...message, next: sentences(message.next, unconfirmedSentences(fields)) }
}

function wordOutcome(record: Final<SingleRecord>): Message {
  const { outcome } = record
  const name = nameOf(record)
  const which = name === '' ? (record.operation === 'request' ? 'the request' : 'the deployment') : name
  const reason = isRollout(record) ? record.revision?.statusMessage : undefined
  switch (outcome.kind) {
    case 'deployed':
      return {
        mark: '✅',
        headline: deployedSentence(record, which),
        reason: outcome.confirmed
          ? undefined
          : 'The control plane does not report which revision is active; the status of ours is DEPLOYED.',
        next: notRestoredSentence(record),
      }
    case 'started':
      return { mark: '🚀', headline: `Started a revision of ${which}. Not waiting for it (wait: false).` }
    case 'planned':
      return { mark: '📋', headline: `Planned ${which}. Nothing was written (dry-run: true).` }
    case 'unchanged':
      return { mark: '✅', headline: `${which} is unchanged: its active revision is already what was requested.` }
    case 'unverified':
      return {
        mark: '❌',
        headline:
          outcome.afterMs === undefined
            ? `${which} is deployed, but the check of ${outcome.url} failed.`
            : `${which} is deployed, but the check of ${outcome.url} failed ${BAKE_FAILURES} times in a row, ${formatDuration(outcome.afterMs)} after it had succeeded.`,
        reason: outcome.trouble,
        next: sentences(
          rollbackSentence(record),
          outcome.evidence === 'none'
            ? 'Check verify-url, and that the runner reaches it (name, proxy, certificate). This revision is active.'
            : 'Check the deployment: this revision was active during the check.',
        ),
      }
    case 'rolled-back': {
      const first = wordOutcome({ ...record, outcome: outcome.from, ...WITHOUT_ROLLBACK })
      return {
        mark: '↩️',
        headline: `${first.headline} It was rolled back: revision ${outcome.to} has restored the previous one.`,
        reason: first.reason,
        next: sentences(rollbackSentence(record), 'Fix the cause, then rerun the job.'),
      }
    }
    case 'superseded':
      return {
        mark: '⏭️',
        headline: `This ${actOf(record)} of ${which} was superseded by revision ${outcome.by}.`,
        reason,
        next: 'Check the run that created that revision. If this should not fail the job, set on-superseded to succeed.',
      }
    case 'torn-down':
      return { mark: '🧹', headline: tornDownSentence(record, which) }
    case 'nothing-to-tear-down': {
      const kept = keptDeployment(record)
      if (kept !== undefined)
        return {
          mark: '🧹',
          headline: `Nothing was deleted: ${kept.name} is kept.`,
          reason: describeReason(kept.because),
        }
      const isOne = record.operation !== 'teardown' || record.removals.length === 0
      const missing = isOne ? `${which} does not exist` : 'no preview has to be deleted'
      return { mark: '🧹', headline: `Nothing to tear down: ${missing}.` }
    }
    case 'answered': {
      const status = record.operation === 'request' ? record.answer?.status : undefined
      return { mark: '📨', headline: `${record.target} was answered with ${status ?? 'success'}.` }
    }
    case 'skipped':
      return describeSkip(outcome, which, reason)
    case 'interrupted':
      return {
        mark: '❌',
        headline: `The ${actOf(record)} of ${which} was interrupted.`,
        reason,
        next: 'Rerun the job. If it is interrupted again, ask the operators of the control plane.',
      }
    case 'timed-out':
      return {
        mark: '⏱️',
        headline: timeoutSentence(outcome, record, which),
        reason: outcome.lastTrouble,
        next: nextAfterTimeout(record),
      }
    case 'cancelled':
      return { mark: '⚠️', headline: 'The run was cancelled.', next: nextAfterCancellation(record) }
    case 'failed':
      return { mark: '❌', ...describeFailure(outcome.because, record, which) }
  }
}

const WITHOUT_ROLLBACK = { rollback: undefined }

function isRollout(record: Final<SingleRecord>): record is Final<RolloutRecord> {
  return record.operation !== 'teardown' && record.operation !== 'request'
}

function timeoutSentence(
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

const PERHAPS_DONE = 'The request may have succeeded.'
const DELETION_CONTINUES = 'A deletion that was accepted continues on the control plane, and may take half an hour.'
const NO_REVISION = 'No revision is known to have been created.'

function nextAfterCancellation(record: Final<SingleRecord>): string {
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
      const { rollback, revision, revisionId, timeline } = record
      if (revisionId === undefined) return NO_REVISION
      if (rollback !== undefined)
        return `${rollbackSentence(record) ?? ''} It continues on the control plane. Check the deployment.`
      return timeline.at(-1)?.phase === 'terminal'
        ? `Revision ${revisionId} had already ended ${revision?.status ?? ''}; the steps after it were not done.`
        : continuesRemotely(revisionId)
    }
  }
}

function nextAfterTimeout(record: Final<SingleRecord>): string {
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

function tornDownSentence(record: Final<SingleRecord>, which: string): string {
  const removals = record.operation === 'teardown' ? record.removals : []
  const removed = removals.filter(({ result }) => result === 'removed')
  return removed.length === 1
    ? `${removed[0]?.name ?? which} is deleted.`
    : `${removed.length} deployments are deleted.`
}
