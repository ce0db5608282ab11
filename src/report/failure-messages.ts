import { ControlPlaneError, RefusedError } from '../control-plane/errors.ts'
import type { FailureCause } from '../rollout/outcome.ts'
import type { ConcludedRecord } from './record.ts'
import { InputError } from '../problem.ts'

/** As in a story: what happened in one sentence, why, and what to do next. */
export interface FailureStory {
  headline: string
  reason: string | undefined
  next: string | undefined
}

/** Why a run failed, and what to do about it. */
export function tellFailure(because: FailureCause, record: ConcludedRecord, which: string): FailureStory {
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
        headline: tellBlindness(because.unknown, record),
        reason: undefined,
        next: 'Give the job the permission pull-requests: read, and github-token if it is not the default one.',
      }
    case 'error': {
      const told = tellError(because.error, which)
      return { ...told, next: [told.next, aftermath(record)].filter(Boolean).join(' ') }
    }
  }
}

/** What was old enough to go has gone all the same. */
function tellBlindness(unknown: number, { removals }: ConcludedRecord): string {
  const removed = removals.filter(({ result }) => result === 'removed').length
  const done =
    removed === 0
      ? 'Nothing was deleted:'
      : `${removed} ${removed === 1 ? 'deployment is' : 'deployments are'} torn down, but`
  const whose =
    unknown === 1 ? 'preview it is not known whether its' : 'previews it is not known whether their'
  return `${done} of ${unknown} ${whose} pull request is closed.`
}

function nextAfterFailure(record: ConcludedRecord): string {
  const where: Record<string, string> = {
    CREATE_FAILED: 'Check the configuration of the deployment and the quotas of the control plane',
    BUILD_FAILED: "Look at the build log in the control plane and at the app's dependencies",
    DEPLOY_FAILED: "Look at the deploy log in the control plane, at the app's start and at its secrets",
  }
  const look = where[record.revision?.status ?? ''] ?? 'Look at the revision in the control plane'
  const serving = record.wasActive !== undefined ? ' The revision that was active before still serves.' : ''
  const rollback = record.rollback === undefined ? '' : ` ${record.rollback}.`
  return `${look}, then run the job again.${rollback === '' ? serving : rollback}`
}

/** What was written before the run had to end, and what goes on without it. */
function aftermath({ change, plan, revisionId, timeline }: ConcludedRecord): string | undefined {
  const isOver = timeline.at(-1)?.phase === 'terminal'
  if (revisionId !== undefined)
    return isOver ? undefined : `The rollout goes on remotely: revision ${revisionId}.`
  switch (change) {
    case 'created':
      return plan?.upload === undefined
        ? 'The deployment was created already, and its first revision goes on remotely.'
        : 'The deployment was created already, but no revision that builds its source is known: another run makes one.'
    case 'patched':
      return 'The settings were patched already; no revision is known to have been created.'
    case 'revised':
    case 'resumed':
    case 'none':
      return undefined
  }
}

function tellError(error: Error, which: string): FailureStory {
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
    headline: `The run for ${which} could not go on: an error of this action.`,
    reason: error.message,
    next: 'Run the job again with debug logging, and report what it prints.',
  }
}
