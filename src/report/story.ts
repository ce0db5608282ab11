import { ControlPlaneError, RefusedError } from '../control-plane/errors.ts'
import type { FailureCause } from '../rollout/outcome.ts'
import type { ConcludedRecord } from '../rollout/record.ts'
import { InputError } from '../sources/problem.ts'
import { formatDuration } from './time.ts'

/** What became of a run, in words. May hold text of the server: every door that it leaves through escapes it. */
export interface Story {
  mark: '✅' | '❌' | '⚠️' | '⏱️' | '⏭️' | '🚀' | '📋' | '🧹'
  /** One sentence. */
  headline: string
  /** Why, where there is more to say than the headline. */
  reason: string | undefined
  /** What to do next, where there is something to do. */
  next: string | undefined
}

/** Tells the story of a record; the same one in the log, in the error and in the summary. */
export function tellStory(record: ConcludedRecord): Story {
  const { outcome, revision, revisionId } = record
  const name = record.deployment?.name ?? record.target
  const which = name === '' ? 'the deployment' : name
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
        headline: `No end after ${formatDuration(record.timeoutMs ?? 0)}: stopped waiting for ${which}${revision === undefined ? '' : ` in status ${revision.status}`}.`,
        reason: outcome.lastTrouble,
        next:
          revisionId === undefined
            ? 'No revision is known to have been created. Look at the deployment before you run the job again.'
            : `The rollout goes on remotely, as there is no way to cancel it. Look at revision ${revisionId} in the control plane, or set a longer timeout.`,
      }
    case 'cancelled':
      return {
        mark: '⚠️',
        headline: `The run was cancelled.`,
        reason: undefined,
        next:
          revisionId === undefined
            ? 'No revision is known to have been created.'
            : `The rollout goes on remotely, as there is no way to cancel it: revision ${revisionId}.`,
      }
    case 'failed':
      return { mark: '❌', ...tellFailure(outcome.because, record, which) }
  }
}

function tellRemovals({ removals }: ConcludedRecord, which: string): string {
  const removed = removals.filter(({ result }) => result === 'removed')
  return removed.length === 1
    ? `${removed[0]?.name ?? which} is torn down.`
    : `${removed.length} deployments are torn down.`
}

function tellFailure(because: FailureCause, record: ConcludedRecord, which: string): Omit<Story, 'mark'> {
  switch (because.kind) {
    case 'revision':
      return {
        headline: `The rollout of ${which} failed with ${record.revision?.status ?? 'a failure'}.`,
        reason: record.revision?.statusMessage,
        next: nextAfterFailure(record),
      }
    case 'nothing-active':
      return {
        headline: `The revision of ${which} is DEPLOYED, but the deployment names no active revision.`,
        reason: undefined,
        next: 'Look at the deployment in the control plane before you trust it.',
      }
    case 'active-unknown':
      return {
        headline: `The revision of ${which} is DEPLOYED, but whether it is the active one could not be read.`,
        reason: because.trouble,
        next: 'Look at the deployment in the control plane before you run the job again: that makes another revision.',
      }
    case 'teardown': {
      const failures = record.removals.filter(({ result }) => result === 'failed')
      return {
        headline: `${because.failed} of ${record.removals.filter(({ result }) => result !== 'kept').length} deployments could not be deleted.`,
        reason: failures.map(({ name, because: why }) => `${name}: ${why}`).join('\n'),
        next: 'The others are gone. Run the job again, or delete these in the control plane.',
      }
    }
    case 'teardown-blind':
      return {
        headline: `Nothing was deleted: of ${because.unknown} previews it is not known whether their pull request is closed.`,
        reason: undefined,
        next: 'Give the job the permission pull-requests: read, and github-token if it is not the default one.',
      }
    case 'error': {
      const told = tellError(because.error, which)
      return { ...told, next: [told.next, aftermath(record)].filter(Boolean).join(' ') }
    }
  }
}

function nextAfterFailure(record: ConcludedRecord): string {
  const where: Record<string, string> = {
    CREATE_FAILED: 'Check the configuration of the deployment and the quotas of the control plane',
    BUILD_FAILED: "Look at the build log in the control plane and at the app's dependencies",
    DEPLOY_FAILED: "Look at the deploy log in the control plane, at the app's start and at its secrets",
  }
  const look = where[record.revision?.status ?? ''] ?? 'Look at the revision in the control plane'
  const serving = record.wasActive !== undefined ? ' The revision that was active before still serves.' : ''
  return `${look}, then run the job again.${serving}`
}

/** What was written before the run had to end, and goes on without it. */
function aftermath({ change, revisionId, timeline }: ConcludedRecord): string | undefined {
  const isOver = timeline.at(-1)?.phase === 'terminal'
  if (revisionId !== undefined && !isOver) return `The rollout goes on remotely: revision ${revisionId}.`
  if (revisionId === undefined && change === 'patched')
    return 'The settings were patched already; no revision is known to have been created.'
  return undefined
}

function tellError(error: Error, which: string): Omit<Story, 'mark'> {
  if (error instanceof InputError) {
    const many = error.problems.length > 1
    return {
      headline: many ? `${error.problems.length} inputs cannot be used.` : 'An input cannot be used.',
      reason: error.message,
      next: `Correct ${many ? 'them' : 'it'} in the workflow. Nothing was written.`,
    }
  }
  if (error instanceof ControlPlaneError) {
    const { attempted, cameBack, hint } = error.trouble
    const refused = error instanceof RefusedError ? 'The control plane refused to' : 'Could not'
    return { headline: `${refused} ${attempted}.`, reason: cameBack, next: hint }
  }
  return {
    headline: `The rollout of ${which} could not go on: an error of this action.`,
    reason: error.message,
    next: 'Run the job again with debug logging, and report what it prints.',
  }
}
