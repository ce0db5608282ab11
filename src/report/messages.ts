import type { DeploymentState } from '../github/deployments.ts'
import type { TeardownOutcome } from '../previews/event.ts'
import type { RequestOutcome } from '../request/event.ts'
import { ControlPlaneError, IT_MAY_HAVE_SUCCEEDED } from '../control-plane/errors.ts'
import { InputError } from '../problem.ts'
import { withoutEnd } from '../secrets/text.ts'
import { sameId } from '../control-plane/model.ts'
import type { NotStartedCause, RolloutOutcome, SkipCause, Unverified } from '../rollout/outcome.ts'
import { afterCancellation, afterTimeout, cancelledHeadline, timeoutSentence } from './cut-short.ts'
import { describeStop, failedRollout, failedTeardown } from './failure-messages.ts'
import {
  actOf,
  errorOf,
  isRollout,
  keptDeployment,
  nameOf,
  type Final,
  type Outcome,
  type RequestRecord,
  type EndedRow,
  type Row,
  type SingleRecord,
  type TeardownRecord,
} from './record.ts'
import { describeReason } from './removals.ts'
import { deployedSentence, replacedRevision, rollbackSentence } from './serving.ts'
import { servingSentence, servingState } from './serving-state.ts'
import { isNotBegun, writtenSentence } from './written.ts'
import { unconfirmedFact } from './log-lines.ts'
import { capital, sentences, formatDuration, perKind, type ByKind, type Message, type Words } from './words.ts'
import { BAKE_FAILURES } from '../rollout/timing.ts'

interface Look {
  mark: string
  /** The state of the GitHub Deployment after the run; undefined if the rollout continues, or the run has not started anything. */
  state: DeploymentState | undefined
}

export function lookOf(outcome: Outcome): Look {
  if (outcome.kind === 'failed' && outcome.because.kind === 'revision') return FAILED
  if (outcome.kind === 'skipped' && outcome.because === 'revision') return FAILED
  return LOOKS[outcome.kind]
}

const FAILED: Look = { mark: '❌', state: 'failure' }

const LOOKS: Readonly<Record<Outcome['kind'], Look>> = {
  deployed: { mark: '✅', state: 'success' },
  started: { mark: '🚀', state: undefined },
  planned: { mark: '📋', state: undefined },
  // Another run has rolled out the same since this one started.
  unchanged: { mark: '✅', state: 'success' },
  unverified: FAILED,
  'rolled-back': { mark: '↩️', state: 'failure' },
  superseded: { mark: '⏭️', state: 'inactive' },
  'torn-down': { mark: '🧹', state: 'inactive' },
  'nothing-to-tear-down': { mark: '🧹', state: 'inactive' },
  answered: { mark: '📨', state: undefined },
  skipped: { mark: '⏭️', state: undefined },
  interrupted: { mark: '❌', state: 'error' },
  'timed-out': { mark: '⏱️', state: 'error' },
  cancelled: { mark: '⚠️', state: 'error' },
  failed: { mark: '❌', state: 'error' },
}

export function describeOutcome(record: Final<SingleRecord>): Message {
  const { mark } = lookOf(record.outcome)
  if (isRollout(record)) return { mark, ...describeRow(record) }
  return record.operation === 'teardown'
    ? { mark, ...wordTeardown(record.outcome, record, nameOf(record) || 'the deployment') }
    : { mark, ...wordRequest(record.outcome, record, nameOf(record) || 'the request') }
}

function describeRow(row: EndedRow): Omit<Message, 'mark'> {
  const words = wordRow(row, (row.outcome.kind === 'skipped' ? namedBy(row) : nameOf(row)) || 'the deployment')
  const { unconfirmed } = row
  const [fact, check] =
    unconfirmed.length === 0 ? [] : [unconfirmedFact(unconfirmed), 'Check these settings in the control plane.']
  return {
    ...words,
    headline: withName(words.headline, row),
    serving: isNotBegun(row) ? undefined : servingSentence(row),
    written: sentences(writtenSentence(row), fact, rollbackSentence(row)) || undefined,
    // The sentence about the writes says it already.
    next: sentences(check, words.next?.replace(IT_MAY_HAVE_SUCCEEDED, '').trim()) || undefined,
  }
}

/** A request names the deployment by its id, or is about all deployments. */
function withName(headline: string, row: EndedRow): string {
  const { id, name } = row.deployment ?? {}
  const named =
    id === undefined || name === undefined
      ? headline
      : headline.replaceAll(`deployment ${id}`, `deployment ${name}`.trimEnd())
  const error = errorOf(row.outcome)
  const deploymentName = namedBy(row)
  if (deploymentName === '' || named.includes(deploymentName)) return named
  if (error instanceof InputError) return `${withoutEnd(named, '.')} of ${deploymentName}.`
  if (!(error instanceof ControlPlaneError)) return named
  const act = row.operation === 'wait' ? 'wait for' : `${actOf(row)} of`
  return `The ${act} ${deploymentName} stopped: ${named.charAt(0).toLowerCase()}${named.slice(1)}`
}

/** The inputs name the deployment even if they have a problem. A longer text is no name. */
function namedBy(row: EndedRow): string {
  return nameOf(row) || (/^\S{1,100}$/.exec(row.askedDeployment ?? '')?.[0] ?? '')
}

function wordRow(row: EndedRow, deploymentName: string): Words {
  return wordRollout(row.outcome, row, deploymentName)
}

type About<Of = Final<SingleRecord>> = [record: Of, deploymentName: string]

type TimedOut = Extract<RolloutOutcome, { kind: 'timed-out' }>

/** Ends that several operations have. */
const ENDS: ByKind<TimedOut | { kind: 'planned' | 'cancelled' } | ({ kind: 'skipped' } & SkipCause), About, Words> = {
  planned: (_outcome, _record, deploymentName) => ({
    headline: `Planned ${deploymentName}. Nothing was written (dry-run: true).`,
  }),
  skipped: (outcome, record, deploymentName) =>
    describeSkip(outcome, deploymentName, isRollout(record) ? record.revision?.statusMessage : undefined),
  'timed-out': (outcome, record, deploymentName) => ({
    headline: timeoutSentence(outcome, record, deploymentName),
    reason: outcome.lastTrouble,
    ...afterTimeout(outcome, record),
  }),
  cancelled: (_outcome, record) => ({ headline: cancelledHeadline(record), ...afterCancellation(record) }),
}

const wordRollout = perKind<RolloutOutcome, About<EndedRow>, Words>({
  ...ENDS,
  deployed: ({ isConfirmed }, record, deploymentName) => ({
    headline: deployedSentence(record, deploymentName),
    reason: isConfirmed
      ? undefined
      : 'Not confirmed by the active revision: the status of the revision of this run is DEPLOYED.',
    isSentence: true,
  }),
  started: (_outcome, _record, deploymentName) => ({
    headline: `Started a revision of ${deploymentName}. Not waiting for it (wait: false).`,
  }),
  unchanged: (_outcome, _record, deploymentName) => ({
    headline: `${deploymentName} is unchanged: its active revision is already what was requested.`,
  }),
  unverified(outcome, record, deploymentName) {
    const { url, trouble, evidence } = outcome
    const { rollback } = record
    // The earlier revision serves again although the check has failed there, too.
    if (rollback?.kind === 'restored')
      return {
        headline: `${deploymentName} was rolled back to revision ${rollback.to}; it fails the same check, so verify-url itself may be wrong.`,
        reason: trouble,
        isSentence: true,
        next: `Check verify-url and what answers there${url === ANY_ADDRESS ? '.' : `: ${url}`}`,
      }
    return {
      headline: `${deploymentName} is ${isUnchanged(record) ? 'unchanged' : 'deployed'}, but ${failedCheck(outcome)}.`,
      reason: trouble,
      isSentence: true,
      next: sentences(
        evidence === 'none'
          ? 'Check verify-url, and that the runner reaches it (name, proxy, certificate).'
          : undefined,
        nextAfterCheck(record),
        isUnchanged(record) && record.operation === 'rollout' && evidence !== 'none'
          ? 'A rerun only checks it again; a run with if-unchanged: revise creates a new revision.'
          : undefined,
      ),
    }
  },
  'rolled-back'({ from }, record, deploymentName) {
    const first = wordRow({ ...record, outcome: from }, deploymentName)
    // A rerun of this job would be refused, and must not be proposed.
    const isRerunVain = from.kind === 'failed' && from.because.kind === 'other-commit'
    return {
      ...first,
      headline:
        from.kind === 'unverified'
          ? `${deploymentName} was rolled back to the previous revision: ${failedCheck(from)}.`
          : `${first.headline} It was rolled back to the previous revision.`,
      next: isRerunVain ? first.next : 'Fix the cause, then rerun the job.',
    }
  },
  superseded({ by }, record, deploymentName) {
    if (isNeverActivated(by, record))
      return {
        headline: `Revision ${supersederText(by, record)} still serves ${deploymentName}: the new revision was not activated.`,
        reason: record.revision?.statusMessage,
        next: 'Check in the control plane why it was not activated, then rerun the job.',
      }
    return {
      headline: `This ${actOf(record)} of ${deploymentName} was superseded by revision ${supersederText(by, record)}.`,
      reason: record.revision?.statusMessage,
      next: sentences(
        record.isSupersededByOwnRun === true
          ? 'Give the jobs of this run deployments of different names, or let one wait for the other (needs).'
          : 'Check the run that created that revision.',
        record.onSuperseded === 'succeed'
          ? undefined
          : 'If this should not fail the job, set on-superseded to succeed.',
      ),
    }
  },
  interrupted: (_outcome, record, deploymentName) => ({
    headline: `The ${actOf(record)} of ${deploymentName} was interrupted.`,
    reason: record.revision?.statusMessage,
    next: 'Rerun the job. If it is interrupted again, ask the operators of the control plane.',
  }),
  failed: ({ because }, record, deploymentName) => failedRollout(because, record, deploymentName),
})

const wordTeardown = perKind<TeardownOutcome, About<Final<TeardownRecord>>, Words>({
  ...ENDS,
  'torn-down'(_outcome, { removals }) {
    const removed = removals.filter(({ result }) => result === 'removed')
    const [onlyRemoval] = removed
    if (removed.length !== 1 || onlyRemoval === undefined)
      return { headline: `${removed.length} deployments are deleted.` }
    return {
      headline: `${onlyRemoval.name} is deleted.`,
      reason: describeReason(onlyRemoval.because),
      isSentence: true,
    }
  },
  'nothing-to-tear-down'(_outcome, record, deploymentName) {
    const kept = keptDeployment(record)
    if (kept !== undefined)
      return {
        headline: `Nothing was deleted: ${kept.name} is kept.`,
        reason: describeReason(kept.because),
        isSentence: true,
      }
    const isOne = record.removals.length === 0 && !record.ofFleet
    const missing = isOne ? `${deploymentName} does not exist` : 'no preview has to be deleted'
    return { headline: `Nothing to tear down: ${missing}.` }
  },
  failed: ({ because }, record, deploymentName) => failedTeardown(because, record.removals, deploymentName),
})

const wordRequest = perKind<RequestOutcome, About<Final<RequestRecord>>, Words>({
  ...ENDS,
  answered: (_outcome, { target, answer }) => ({
    headline: `${target} was answered with ${answer?.status ?? 'success'}.`,
  }),
  failed: ({ because }, _record, deploymentName) => describeStop(because, deploymentName),
})

/** Replaces the address of a check in a sentence about several deployments. */
export const ANY_ADDRESS = 'verify-url'

function failedCheck({ url, afterMs }: Unverified): string {
  const failed = `the check of ${url} failed`
  if (afterMs === undefined) return failed
  return `${failed} ${BAKE_FAILURES} times in a row, ${formatDuration(afterMs)} after it had succeeded`
}

/** Words the remedy after a failed check. The checked revision serves, unless a rollback has replaced it. */
function nextAfterCheck(row: EndedRow): string {
  const state = servingState(row)
  const isOurs = state.kind === 'revision' && sameId(state.id, row.revisionId)
  const serves = isOurs && row.change !== 'none' ? 'The new revision serves its users now; ' : undefined
  const previous = replacedRevision(row)
  if (previous === undefined) return capital(`${serves ?? ''}fix the cause, then roll out again.`)
  const back = `to go back: use the action rollback with revision-id: ${previous}.`
  return capital(`${serves ?? ''}${back}`)
}

/** Whether the run has made a revision, and the one from before it still serves: no newer run is involved. */
function isNeverActivated(by: string, { activeBefore, change, revisionId }: Row): boolean {
  return change !== 'none' && revisionId !== undefined && sameId(by, activeBefore)
}

/** By what, as far as the run has read it anyway. */
function supersederText(by: string, { servingFacts, isSupersededByOwnRun: isOwn }: Row): string {
  const origin = servingFacts.origins.find(({ id }) => sameId(id, by))?.origin
  return `${by}${origin === undefined ? '' : ` (${origin})`}${isOwn === true ? ', of another job or attempt of this run' : ''}`
}

function isUnchanged({ plan, change }: Row): boolean {
  return plan?.kind === 'unchanged' && change === 'none'
}

/** `reason`: the message of the revision that the control plane skipped. */
export function describeSkip(cause: SkipCause, deploymentName: string, reason: string | undefined): Words {
  if (cause.because === 'revision')
    return {
      headline: `The control plane skipped this revision of ${deploymentName}, and reports no newer one.`,
      reason,
      next: 'Rerun the job.',
    }
  const [why, next] = NOT_STARTED[cause.because]
  const words = { headline: `Skipped ${deploymentName}: ${why}.`, next }
  if (cause.because !== 'untrusted-author') return words
  return { ...words, reason: `author_association: ${cause.association ?? 'not reported by the event'}` }
}

const NOT_STARTED: Readonly<Record<NotStartedCause['because'], readonly [why: string, next?: string]>> = {
  'no-credentials': [
    'this run has no credentials for the control plane',
    'Pull requests from forks and bots get no secrets: then there is nothing to do. In any other run, check that the secret is set.',
  ],
  'untrusted-author': [
    'only an owner, a member or a collaborator of the repository may start it by a comment or a review',
    'Ask one of them to write it. GitHub reports a private member of the organisation as CONTRIBUTOR.',
  ],
  'no-pull-request': ['the comment is on an issue, not on a pull request'],
  unlabeled: [
    'its pull request does not have the label that preview-label names',
    'Add the label to the pull request to get a preview.',
  ],
  'other-label': ['the label that was removed is not the one that preview-label names'],
}
