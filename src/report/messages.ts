import type { Outcome } from '../rollout/outcome.ts'
import { describeFailure } from './failure-messages.ts'
import { actOf, isRollout, keptDeployment, nameOf, type Final, type SingleRecord } from './record.ts'
import { describeReason } from './removal-messages.ts'
import { deployedSentence, rollbackSentence, sentences, unconfirmedSentences } from './rollback-messages.ts'
import { BAKE_FAILURES } from '../rollout/timing.ts'
import { servingSentence } from './serving.ts'
import { describeSkip } from './skip-messages.ts'
import { formatDuration } from './time.ts'
import { nextAfterCancellation, nextAfterTimeout, shortLimitSentence, timeoutSentence } from './unfinished-messages.ts'

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

/** The run has planned again after its PATCH, and then needed no revision. */
function isPatchedOnly(record: Final<SingleRecord>): boolean {
  return isRollout(record) && record.change === 'patched' && record.revisionId === undefined
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
      }
    case 'started':
      return { mark: '🚀', headline: `Started a revision of ${which}. Not waiting for it (wait: false).` }
    case 'planned':
      return { mark: '📋', headline: `Planned ${which}. Nothing was written (dry-run: true).` }
    case 'unchanged':
      return { mark: '✅', headline: `${which} is unchanged: its active revision is already what was requested.` }
    case 'unverified': {
      const restored = restoredFor(record)
      if (restored !== undefined)
        return {
          mark: '❌',
          headline: `${which} was rolled back to revision ${restored}; it fails the same check, so verify-url itself may be wrong.`,
          reason: outcome.trouble,
          next: sentences(rollbackSentence(record), `Check verify-url and what answers there: ${outcome.url}`),
        }
      return {
        mark: '❌',
        headline: unverifiedSentence(outcome, record, which),
        reason: outcome.trouble,
        next: sentences(
          rollbackSentence(record),
          outcome.evidence === 'none'
            ? 'Check verify-url, and that the runner reaches it (name, proxy, certificate). This revision is active.'
            : 'Check the deployment: this revision was active during the check.',
          isUnchanged(record) && record.operation === 'rollout' && outcome.evidence !== 'none'
            ? 'A rerun only checks it again; a run with if-unchanged: revise creates a new revision.'
            : undefined,
        ),
      }
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
        reason: isPatchedOnly(record) ? 'It has changed settings before, and has created no revision.' : reason,
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
        next: sentences(nextAfterTimeout(record), shortLimitSentence(outcome, record)),
      }
    case 'cancelled':
      return { mark: '⚠️', headline: 'The run was cancelled.', next: nextAfterCancellation(record) }
    case 'failed':
      return { mark: '❌', ...describeFailure(outcome.because, record, which) }
  }
}

const WITHOUT_ROLLBACK = { rollback: undefined }

function unverifiedSentence(
  { url, afterMs }: Extract<Outcome, { kind: 'unverified' }>,
  record: Final<SingleRecord>,
  which: string,
): string {
  const failed = `${which} is ${isUnchanged(record) ? 'unchanged' : 'deployed'}, but the check of ${url} failed`
  if (afterMs === undefined) return `${failed}.`
  return `${failed} ${BAKE_FAILURES} times in a row, ${formatDuration(afterMs)} after it had succeeded.`
}

/** The earlier revision that serves again although the check has failed there, too. */
function restoredFor(record: Final<SingleRecord>): string | undefined {
  return isRollout(record) && record.rollback?.kind === 'restored' ? record.rollback.to : undefined
}

/** This run was to change nothing. */
function isUnchanged(record: Final<SingleRecord>): boolean {
  return isRollout(record) && record.plan?.kind === 'unchanged'
}

function tornDownSentence(record: Final<SingleRecord>, which: string): string {
  const removals = record.operation === 'teardown' ? record.removals : []
  const removed = removals.filter(({ result }) => result === 'removed')
  return removed.length === 1
    ? `${removed[0]?.name ?? which} is deleted.`
    : `${removed.length} deployments are deleted.`
}
