import { apiOf } from '../control-plane/api.ts'
import { ControlPlaneError, RefusedError } from '../control-plane/errors.ts'
import { NoTemporaryFolderError } from '../files.ts'
import { InputError, countProblems, describeProblem, MAX_NAMED, type Problem } from '../problem.ts'
import type { TeardownFailure } from '../previews/event.ts'
import { isUncertain, isUnprovable } from '../previews/request.ts'
import type {
  ErrorCause,
  PlanDifference,
  RolloutFailure,
  TooManyPreviews,
  Unfit,
  UnfitState,
} from '../rollout/outcome.ts'
import { differenceWords } from './difference-words.ts'
import { describeReason } from './removals.ts'
import { actOf, type EndedRow, errorOf, hasLog, type FinalRecord, type Removal, type Row } from './record.ts'
import { builtText } from './serving.ts'
import { NOTHING_WRITTEN } from './written.ts'
import { failedText } from './plan-words.ts'
import { notPromotableWords } from './promotion-words.ts'
import { capital, countOf, formatAge, IN_STEP_LOG, perKind, sentences, type Words } from './words.ts'
import { MAX_EARLIER_ERRORS } from './log.ts'

export const failedRollout = perKind<RolloutFailure, [record: Row, deploymentName: string], Words>({
  revision: (_because, record, deploymentName) => ({
    headline: `The ${actOf(record)} of ${deploymentName} failed with ${record.revision?.status ?? 'a failure'}.`,
    reason: record.revision?.statusMessage,
    next: nextAfterFailedRevision(record),
  }),
  'nothing-active': (_because, _record, deploymentName) => ({
    headline: `The revision of ${deploymentName} is DEPLOYED, but the deployment reports no active revision.`,
    next: 'Check the deployment in the control plane before you rely on it.',
  }),
  'active-unknown': ({ trouble }, _record, deploymentName) => ({
    headline: `The revision of ${deploymentName} is DEPLOYED, but the deployment could not be read to confirm that it is active.`,
    reason: trouble,
    next: 'Check the deployment in the control plane before you rerun the job: a rerun creates another revision.',
  }),
  'other-commit'(because, record, deploymentName) {
    const { revisionId = '', previousRevisionId: previous, goesBackTo, rollback, plan } = record
    if (record.operation === 'rollback')
      return {
        headline: `The rollback of ${deploymentName} did not restore the revision ${goesBackTo?.id ?? ''}.`,
        reason: `Revision ${revisionId} followed, and ${builtText(because)}.`,
        isSentence: true,
        next: `Check which revision serves. To go back, roll out a tag of the commit ${because.wanted}.`,
      }
    const { deployment, ref } = plan?.promotion ?? {}
    const isOther = because.built !== undefined
    const moved = isOther && ref !== undefined ? ` ${ref} has moved since this run asked GitHub for its commit.` : ''
    const back =
      previous === undefined
        ? 'No revision served before.'
        : `To go back, use the action rollback with the id of the previous revision, ${previous}.`
    return {
      headline: `${deploymentName} is deployed, but not with the commit of ${deployment?.name ?? 'the other deployment'}.`,
      reason: `Revision ${revisionId}: ${builtText(because)}.${moved}`,
      isSentence: true,
      next: sentences(
        rollback === undefined ? back : undefined,
        `To roll out exactly that commit, give it a tag, and set repo-ref to it in place of promote-from.`,
      ),
    }
  },
  deleted: (_because, record, deploymentName) => ({
    headline: `${deploymentName} was deleted during the ${actOf(record)}.`,
    next: 'Find out what deleted it before you rerun the job.',
  }),
  'too-many-previews': ({ max, existing }, _record, deploymentName) => ({
    headline: `${deploymentName} was not created: max-previews is ${max}, and ${countOf(existing.length, 'preview exists', 'previews exist')}.`,
    reason: existingLines(existing).join('\n'),
    next: 'Close a pull request, delete a preview with the action teardown, or raise max-previews. Then rerun the job.',
  }),
  'never-served': ({ active, newer, before }) => ({
    // The sentence about the serving revision names the active one.
    headline: `${capital(failedText(newer))}, so there is nothing to go back from.`,
    next:
      before === undefined
        ? 'No earlier revision ended DEPLOYED: to replace the active one, roll out a revision that works.'
        : `To leave ${active.id}, set revision-id: ${before}.`,
  }),
  'other-plan': ({ differences }, _record, deploymentName) => ({
    headline: `The plan of ${deploymentName} is not the one that was approved.`,
    reason: `Since the approval: ${differenceWords(differences)}.`,
    isSentence: true,
    next: sentences(
      'Plan again with dry-run: true, and have the new plan approved.',
      differences.some(mayBeOwn) ? 'With the input environment, a rerun knows what it has made itself.' : undefined,
    ),
  }),
  unfit: (because, _record, deploymentName) => describeStop(because, deploymentName),
  error: (because, _record, deploymentName) => describeStop(because, deploymentName),
})

/** An earlier attempt may have made it, and nothing shows that. */
function mayBeOwn(difference: PlanDifference): boolean {
  if (difference.kind === 'deployment') return difference.approved === undefined
  return difference.kind === 'active' || difference.kind === 'latest'
}

export const failedTeardown = perKind<TeardownFailure, [removals: readonly Removal[], deploymentName: string], Words>({
  teardown({ failed }, removals) {
    const failures = removals.filter(({ result }) => result === 'failed')
    const considered = removals.filter(({ result }) => result !== 'kept').length
    return {
      headline: `${failed} of ${considered} deployments could not be deleted.`,
      reason: failures.map(({ name, because }) => `${name}: ${describeReason(because)}`).join('\n'),
      written: failed < considered ? 'The others are deleted.' : undefined,
      next: 'Rerun the job, or delete these in the control plane.',
    }
  },
  'states-unknown'({ unknown }, removals) {
    const removed = removals.filter(({ result }) => result === 'removed').length
    const done = removed === 0 ? 'Nothing was deleted' : `Deleted ${countOf(removed)}`
    const isLabel = removals.some(({ because }) => because.kind === 'label-event-outdated')
    const [of1, ofMore] = isLabel ? ['lacks the label', 'lack the label'] : ['is closed', 'are closed']
    const claim =
      unknown === 1 ? `the pull request of 1 preview ${of1}` : `the pull requests of ${unknown} previews ${ofMore}`
    const uncertain = removals.filter(({ because }) => isUncertain(because))
    const unproved = removals.filter(({ because }) => isUnprovable(because)).length
    if (unproved > 0)
      return {
        headline: `${done}; GitHub did not answer whether ${unproved === 1 ? '1 deployment is a preview' : `${unproved} deployments are previews`} of the pull request.`,
        reason: uncertain.map(({ name, because }) => `${name}: ${describeReason(because)}`).join('\n'),
        next: 'Rerun the job. If GitHub does not answer again, grant the job the permission pull-requests: read.',
      }
    return {
      headline: `${done}; GitHub did not report whether ${claim}.`,
      reason: uncertain.map(({ because }) => describeReason(because)).join('\n') || undefined,
      next: 'Rerun the job. If GitHub does not answer again, grant the job the permission pull-requests: read, and set github-token if it is not the default one.',
    }
  },
  unfit: (because, _removals, deploymentName) => describeStop(because, deploymentName),
  error: (because, _removals, deploymentName) => describeStop(because, deploymentName),
})

function existingLines(existing: TooManyPreviews['existing']): string[] {
  const lines = existing.slice(0, MAX_NAMED.message).map(({ name, ageMs }) => {
    return `${name}: ${ageMs === undefined ? 'its age is unknown' : `updated ${formatAge(ageMs)} ago`}`
  })
  const more = existing.length - MAX_NAMED.message
  return more > 0 ? [...lines, `and ${more} more`] : lines
}

/** Explains the end of a queue-timeout on a service that lets a revision wait; '' otherwise. Ends with a blank. */
export function queuedBehind({ api, outcome }: EndedRow): string {
  const isOfQueue = outcome.kind === 'timed-out' && outcome.phase?.name === 'queue'
  if (!isOfQueue || !apiOf(api).queuesBehindStuck) return ''
  return 'A revision waits as QUEUED until the earlier ones of the deployment have ended: check in the service whether one is stuck, and end it. '
}

const WHERE_TO_LOOK: Readonly<Record<string, string>> = {
  CREATE_FAILED: 'Check the configuration of the deployment and the quotas of the control plane',
  BUILD_FAILED: "Check the build log in the control plane and the app's dependencies",
  DEPLOY_FAILED: 'Check the deploy log in the control plane, how the app starts, and its secrets',
}

/** These replace them if the run has read the log that explains the failure. */
const WHERE_IN_LOG = {
  build: `Check the end of the build log ${IN_STEP_LOG}, and the app's dependencies`,
  deploy: `Check the end of the deploy log ${IN_STEP_LOG}, how the app starts, and its secrets`,
}

function nextAfterFailedRevision(record: Row): string {
  const where = WHERE_TO_LOOK[record.revision?.status ?? ''] ?? 'Check the revision in the control plane'
  const check = hasLog(record) ? WHERE_IN_LOG[record.log.type] : where
  return `${check}, then rerun the job.`
}

/**
 * Words why a run could not continue. `deploymentName`: also `the fleet`.
 * @param extra what the run has written, and a further next step
 */
export function describeStop(
  because: ErrorCause | Unfit,
  deploymentName: string,
  extra: Pick<Words, 'written' | 'next'> = {},
): Words {
  const isRefusal = because.kind === 'unfit' || because.error instanceof InputError
  const message =
    because.kind === 'unfit' ? describeUnfit(because, deploymentName) : describeError(because.error, deploymentName)
  return {
    ...message,
    written: extra.written ?? (isRefusal ? NOTHING_WRITTEN : undefined),
    next: sentences(message.next, extra.next),
  }
}

function describeUnfit({ state, namedBy }: Unfit, deploymentName: string): Words {
  return { isSentence: true, ...unfitWords(state, deploymentName, namedBy) }
}

const unfitWords = perKind<UnfitState, [deploymentName: string, namedBy: Unfit['namedBy']], Words>({
  'being-deleted': (_state, deploymentName, namedBy) => ({
    headline: `${deploymentName} is being deleted by the control plane.`,
    reason: 'This may take half an hour.',
    next:
      namedBy === 'name'
        ? 'Rerun the job when it is gone, or choose another name.'
        : 'Find out what deletes it: when it is gone, this deployment-id names no deployment.',
  }),
  'other-source': ({ has, wanted: wantedSource }, deploymentName, namedBy) => ({
    headline: `${deploymentName} is of source ${has}, not of source ${wantedSource}.`,
    reason: 'The source of a deployment cannot change after it is created.',
    next: `${otherDeployment(namedBy)}, or set what a deployment of source ${has} takes.`,
  }),
  'unsupported-source': ({ source }, deploymentName, namedBy) => ({
    headline:
      source === undefined
        ? `The control plane does not report the source of ${deploymentName}.`
        : `${deploymentName} is of source "${source}", which this action does not support.`,
    next: `Change it in the control plane itself. ${otherDeployment(namedBy)} for this step.`,
  }),
  'other-repository': ({ reported, expected }, deploymentName, namedBy) => ({
    headline: `${deploymentName} is built from ${reported}, not from ${expected}.`,
    reason: 'It has the name of this preview, and is another one: this step neither changes nor deletes it.',
    next: `${otherDeployment(namedBy)}, or delete it in the control plane. If the preview is built from ${reported}, set repo-url.`,
  }),
  'nothing-earlier': (_state, deploymentName) => ({
    headline: `${deploymentName} has nothing to go back to: no revision before the active one ended DEPLOYED.`,
    next: 'Roll out a revision that works.',
  }),
  'not-promotable': notPromotableWords,
})

function otherDeployment(namedBy: Unfit['namedBy']): string {
  return namedBy === 'name' ? 'Choose another name' : 'Set the deployment-id of another deployment'
}

function describeError(error: Error, deploymentName: string): Words {
  if (error instanceof InputError) {
    const count = countProblems(error.problems)
    return {
      headline: count === 1 ? 'A problem in the inputs.' : `${count} problems in the inputs.`,
      reason: error.message,
      isList: true,
      next: `Correct ${count === 1 ? 'it' : 'them'} in ${filesOf(error.problems)}.`,
    }
  }
  if (error instanceof ControlPlaneError) {
    const { attempted, cameBack, hint } = error.trouble
    const refused = error instanceof RefusedError ? 'The control plane refused to' : 'Could not'
    return { headline: `${refused} ${attempted}.`, reason: cameBack, next: hint }
  }
  if (error instanceof NoTemporaryFolderError)
    return {
      headline: `The run for ${deploymentName} needs a folder for temporary files, and none can be made.`,
      reason: error.message,
      next: 'Set RUNNER_TEMP on the runner to a folder that its user can write to, then rerun the job.',
    }
  return {
    headline: `The run for ${deploymentName} stopped because of an error in this action.`,
    reason: error.message,
    next: 'Rerun the job with debug logging, and report what it prints.',
  }
}

/** The problems that GitHub shows beside lines of files, and what the error of the step says in their place. */
export function placedProblems({ outcome }: FinalRecord): { placed: readonly Problem[]; reason: string } | undefined {
  const error = errorOf(outcome)
  if (!(error instanceof InputError)) return undefined
  const placed = error.problems.filter(({ place }) => place !== undefined)
  if (placed.length === 0) return undefined
  const others = error.problems.filter(({ place }) => place === undefined)
  return { placed, reason: [...others.map(describeProblem), whereShown(placed)].join('\n') }
}

function whereShown(placed: readonly Problem[]): string {
  const files = filesOf(placed)
  if (placed.length === 1) return `See the annotation of ${files}.`
  if (placed.length <= MAX_EARLIER_ERRORS) return `See the ${placed.length} annotations of ${files}.`
  return `See the first ${MAX_EARLIER_ERRORS} in the annotations of ${files}, and the others below.`
}

/** An input without a place is set in the workflow. */
function filesOf(problems: readonly Problem[]): string {
  return [...new Set(problems.map(({ place }) => place?.file ?? 'the workflow'))].join(' and ')
}
