import type { Outcome } from '../rollout/outcome.ts'
import type { Operation } from '../inputs/names.ts'
import { nameOf, type ConcludedRecord } from './record.ts'
import { tellFailure } from './failure-messages.ts'
import { formatDuration } from './time.ts'

/** What became of a run, in words. May hold text of the server: every door that it leaves through escapes it. */
export interface Story {
  mark: '✅' | '❌' | '⚠️' | '⏱️' | '⏭️' | '🚀' | '📋' | '🧹' | '↩️' | '📨'
  /** One sentence. */
  headline: string
  /** Why, where there is more to say than the headline. */
  reason: string | undefined
  /** What to do next, where there is something to do. */
  next: string | undefined
}

/** Tells the story of a record; the same one in the log, in the error and in the summary. */
export function tellStory(record: ConcludedRecord): Story {
  const { outcome, revision } = record
  const name = nameOf(record)
  const which = name === '' ? NAMELESS[record.operation] : name
  const reason = revision?.statusMessage
  switch (outcome.kind) {
    case 'deployed':
      return {
        mark: '✅',
        headline: `${which} is deployed.`,
        reason: outcome.confirmed
          ? undefined
          : 'The control plane does not tell which revision is active; the status of ours is DEPLOYED.',
        next: undefined,
      }
    case 'started':
      return {
        mark: '🚀',
        headline: `A revision of ${which} has been started; nobody waits for it.`,
        reason: undefined,
        next: undefined,
      }
    case 'planned':
      return {
        mark: '📋',
        headline: `The plan for ${which} is made; nothing was written.`,
        reason: undefined,
        next: undefined,
      }
    case 'unchanged':
      return {
        mark: '✅',
        headline: `${which} is unchanged: its active revision is what was asked for.`,
        reason: undefined,
        next: undefined,
      }
    case 'unverified':
      return {
        mark: '❌',
        headline: `${which} was deployed, but ${outcome.url} does not answer as it should.`,
        reason: outcome.trouble,
        next: [
          rollbackSentence(record),
          'Look at the deployment: this revision was the active one when its address was looked at.',
        ]
          .filter((part) => part !== undefined)
          .join(' '),
      }
    case 'rolled-back': {
      const first = tellStory({ ...record, outcome: outcome.from, rollback: undefined })
      return {
        mark: '↩️',
        headline: `${first.headline} It was rolled back: what was active before serves again, as revision ${outcome.to}.`,
        reason: first.reason,
        next: [rollbackSentence(record), 'Mend what went wrong, then run the job again.']
          .filter((part) => part !== undefined)
          .join(' '),
      }
    }
    case 'superseded':
      return {
        mark: '⏭️',
        headline: `This rollout of ${which} was superseded by revision ${outcome.by}.`,
        reason,
        next: 'Look at the run that made that revision. Set on-superseded to succeed if this should not fail the job.',
      }
    case 'torn-down':
      return {
        mark: '🧹',
        headline: tellRemovals(record, which),
        reason: undefined,
        next: undefined,
      }
    case 'nothing-to-tear-down':
      return {
        mark: '🧹',
        headline: `Nothing to tear down: there is no ${record.removals.length === 0 ? which : 'preview that has to go'}.`,
        reason: undefined,
        next: undefined,
      }
    case 'answered':
      return {
        mark: '📨',
        headline: `${record.target} was answered with ${record.answer?.status ?? 'success'}.`,
        reason: undefined,
        next: undefined,
      }
    case 'skipped':
      if (outcome.because === 'no-credentials') {
        return {
          mark: '⏭️',
          headline: `Skipped ${which}: this run has no credentials for the control plane.`,
          reason: undefined,
          next: 'Pull requests from forks and from bots get no secrets; nothing has to be done about it.',
        }
      }
      return {
        mark: '❌',
        headline: `The control plane skipped this revision of ${which}, and no newer one is known.`,
        reason,
        next: 'Run the job again.',
      }
    case 'interrupted':
      return {
        mark: '❌',
        headline: `The rollout of ${which} was interrupted.`,
        reason,
        next: 'Run the job again; if it happens again, ask those who run the control plane.',
      }
    case 'timed-out':
      return {
        mark: '⏱️',
        headline: `${overdue(outcome, record)}: stopped waiting for ${which}${revision === undefined ? '' : ` in status ${revision.status}`}.`,
        reason: outcome.lastTrouble,
        next: nextAfterTimeout(record),
      }
    case 'cancelled':
      return {
        mark: '⚠️',
        headline: `The run was cancelled.`,
        reason: undefined,
        next: nextAfterCancellation(record),
      }
    case 'failed':
      return { mark: '❌', ...tellFailure(outcome.because, record, which) }
  }
}

function rollbackSentence({ rollback }: ConcludedRecord): string | undefined {
  return rollback === undefined ? undefined : `${rollback.charAt(0).toUpperCase()}${rollback.slice(1)}.`
}

function overdue({ phase }: Extract<Outcome, { kind: 'timed-out' }>, { timeoutMs }: ConcludedRecord): string {
  if (phase === undefined) return `No end after ${formatDuration(timeoutMs ?? 0)}`
  const { name, limitMs, forMs } = phase
  return `The ${name} phase ran out of its ${formatDuration(limitMs)}, after ${formatDuration(forMs)}`
}

const NAMELESS: Record<Operation, string> = {
  rollout: 'the deployment',
  wait: 'the deployment',
  teardown: 'the deployment',
  request: 'the request',
}

const PERHAPS_DONE = 'Whether the control plane has acted on the request is not known.'

function nextAfterCancellation(record: ConcludedRecord): string {
  const { operation, isRead, removals, rollback, revision, revisionId, timeline } = record
  switch (operation) {
    case 'request':
      return isRead ? 'Nothing was changed: the request only reads.' : PERHAPS_DONE
    case 'teardown':
      return removals.length === 0
        ? 'Nothing was deleted.'
        : 'What was deleted may still go. Run the job again for the rest.'
    case 'rollout':
    case 'wait':
      if (revisionId === undefined) return 'No revision is known to have been created.'
      if (rollback !== undefined) return `${rollback}: it goes on remotely. Look at the deployment.`
      return timeline.at(-1)?.phase === 'terminal'
        ? `Revision ${revisionId} has ended ${revision?.status ?? ''} by then; what was to follow was left undone.`
        : `The rollout goes on remotely, as there is no way to cancel it: revision ${revisionId}.`
  }
}

function nextAfterTimeout({ operation, isRead, removals, revisionId }: ConcludedRecord): string {
  if (operation === 'request') return `${isRead ? '' : `${PERHAPS_DONE} `}Set a longer timeout.`
  if (removals.length > 0)
    return 'What was deleted may still go. Look at the deployments in the control plane, or set a longer timeout.'
  return revisionId === undefined
    ? 'No revision is known to have been created. Look at the deployment before you run the job again.'
    : `The rollout goes on remotely, as there is no way to cancel it. Run the job again, or the action wait with revision-id, to re-attach to revision ${revisionId}; or set a longer time.`
}

function tellRemovals({ removals }: ConcludedRecord, which: string): string {
  const removed = removals.filter(({ result }) => result === 'removed')
  return removed.length === 1
    ? `${removed[0]?.name ?? which} is torn down.`
    : `${removed.length} deployments are torn down.`
}
