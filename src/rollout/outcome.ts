import { type Clock, toError } from '../clock.ts'
import { UnreachableError } from '../control-plane/errors.ts'
import type { DeploymentChange } from './deployment-change.ts'

/** The statuses of each phase of a revision, in order (contract notes, "Statuses"). */
const STATUSES = {
  queue: ['CREATING', 'QUEUED'],
  build: ['AWAITING_BUILD', 'BUILDING'],
  deploy: ['AWAITING_DEPLOY', 'DEPLOYING'],
  terminal: ['DEPLOYED', 'CREATE_FAILED', 'BUILD_FAILED', 'DEPLOY_FAILED', 'SKIPPED', 'INTERRUPTED'],
}

/** `unknown`: a status that this version does not know. It may change, as in any phase that is not terminal. */
export type Phase = keyof typeof STATUSES | 'unknown'

export const TIMED_PHASES = ['queue', 'build', 'deploy'] as const

export type TimedPhase = (typeof TIMED_PHASES)[number]

export function phaseOf(status: string): Phase {
  return [...TIMED_PHASES, 'terminal' as const].find((phase) => STATUSES[phase].includes(status)) ?? 'unknown'
}

export type AnyOutcome =
  | { kind: 'failed'; because: ErrorCause | Unfit }
  /** The time of the wait is over. A rollout that has begun continues on the control plane. */
  | { kind: 'timed-out'; lastTrouble: string | undefined }
  | { kind: 'cancelled' }
  | ({ kind: 'skipped' } & NotStartedCause)

/** The result of a rollout, as far as it is known. Also that of the actions *wait* and *rollback*. */
export type RolloutOutcome =
  /** `isConfirmed`: the deployment reports our revision as its active one. Else it reports no active revision at all. */
  | { kind: 'deployed'; isConfirmed: boolean }
  | { kind: 'failed'; because: RolloutFailure }
  /** The time of the wait, or of a phase, is over. The rollout continues on the control plane. */
  | { kind: 'timed-out'; lastTrouble: string | undefined; phase?: OverduePhase; missing?: MissingCommit }
  /** `by`: the newer revision, or the active one. */
  | { kind: 'superseded'; by: string }
  /** The revision ended SKIPPED and no newer one is known; or the run must not, or need not, start anything. */
  | ({ kind: 'skipped' } & SkipCause)
  | { kind: 'interrupted' }
  | { kind: 'cancelled' }
  | Unverified
  | { kind: 'rolled-back'; to: string; from: RolloutOutcome }
  /** The revision exists; the run does not wait for it. */
  | { kind: 'started' }
  | { kind: 'planned' }
  | { kind: 'unchanged' }

/**
 * Our revision is active, and its check failed. `seen`: how, if that can be compared. `afterMs`: the address had
 * answered as expected for this time. `cutWhile`: the run ended before the check, whose last read had failed or passed.
 */
export interface Unverified {
  kind: 'unverified'
  url: string
  trouble: string
  evidence: Evidence
  seen?: Seen | undefined
  afterMs?: number
  cutWhile?: 'failing' | 'passing'
}

export type SkipCause = { because: 'revision' } | NotStartedCause

export type NotStartedCause =
  | { because: 'no-credentials' }
  /** A comment started the run. `association`: of its author with the repository; undefined if not reported. */
  | { because: 'untrusted-author'; association: string | undefined }
  | { because: 'no-pull-request' }
  | { because: 'unlabeled' }
  | { because: 'other-label' }

/** The evidence of a failed check against the revision. During `verify-for`, a connection that hangs counts as refused. */
export type Evidence = 'answer' | 'refusals' | 'none'

/** The result of a failed check: the status of its last answer, or only refused connections. */
export type Seen = number | 'refused'

/** A check that failed while the earlier revision served: the address itself may be wrong. */
export interface FailedBefore {
  url: string
  seen: Seen
}

/**
 * No revision of the commit has appeared. `newest`: the commit of the newest revision, if it is reported. `limit`: the
 * input that ended the wait.
 */
export interface MissingCommit {
  commit: string
  newest: string | undefined
  forMs: number
  limit: 'timeout' | 'queue-timeout'
}

export interface OverduePhase {
  name: TimedPhase
  limitMs: number
  forMs: number
}

export interface ErrorCause {
  kind: 'error'
  error: Error
}

/**
 * The state of the deployment, now or soon, excludes the step's operation. No other value of a single input would help:
 * another deployment does, or another state of this one. Any other refusal is an InputError.
 */
export interface Unfit {
  kind: 'unfit'
  /** The input by which the step names the deployment. */
  namedBy: 'name' | 'deployment-id'
  state: UnfitState
}

export type UnfitState =
  | { kind: 'being-deleted' }
  /** In the words of the service. */
  | { kind: 'other-source'; has: string; wanted: string }
  /** Undefined: the control plane does not report it. */
  | { kind: 'unsupported-source'; source: string | undefined }
  /** It only has the name of a preview. Both are without user info. */
  | { kind: 'other-repository'; reported: string; expected: string }
  /** No revision before the active one ended DEPLOYED. */
  | { kind: 'nothing-earlier' }
  | NotPromotable

/** The deployment that `promote-from` names runs nothing that can be rolled out exactly. `from`: its name. */
export interface NotPromotable {
  kind: 'not-promotable'
  from: string
  because: NotPromotableCause
}

/** Sources are in the words of the service. */
export type NotPromotableCause =
  | { kind: 'nothing-active' }
  | { kind: 'active-not-reported' }
  | { kind: 'revision-not-reported'; revisionId: string; lacks: 'image' | 'ref' | 'commit' }
  /** Undefined: the control plane does not report it. */
  | { kind: 'unsupported-source'; source: string | undefined }
  | { kind: 'revision-of-other-source'; revisionId: string; revisionSource: string; source: string }
  /** It has no version that another deployment could roll out. */
  | { kind: 'unversioned-source'; revisionId: string; source: 'internal_source' | 'internal_template' }
  /** The revision reports another commit than the one that it was to build. */
  | { kind: 'contradictory-commit'; revisionId: string; ref: string; commit: string }
  /** `head`: the commit that GitHub reports of the ref; undefined if it reports none. */
  | { kind: 'ref-moved'; ref: string; isTag: boolean; commit: string; head: string | undefined }

/** In place of a repository that is not shown. */
export const UNNAMED = 'another address'

/** Carries the cause to the end of the operation. */
export class UnfitError extends Error {
  override readonly name = 'UnfitError'
  readonly unfit: Unfit

  constructor(unfit: Unfit) {
    super(`the state of the deployment excludes the operation: ${unfit.state.kind}`)
    this.unfit = unfit
  }
}

export type RolloutFailure =
  | { kind: 'revision' }
  | { kind: 'nothing-active' }
  | { kind: 'active-unknown'; trouble: string }
  /** Somebody has deleted the deployment while the run waited. */
  | { kind: 'deleted' }
  /** The revision was to restore or to promote a commit, and builds another one, or reports none. */
  | { kind: 'other-commit'; wanted: string; built: string | undefined }
  | TooManyPreviews
  | NeverServed
  | { kind: 'other-plan'; differences: readonly PlanDifference[] }
  | Unfit
  | ErrorCause

/** Every revision newer than the active one has failed: to go back would replace one that was never to be left. */
export interface NeverServed {
  kind: 'never-served'
  active: ServingRevision
  newer: FailedRevisions
  /** The id of the revision before the active one that ended DEPLOYED, if there is one. */
  before: string | undefined
}

/** `origin`: its ref with its commit, or its image; undefined if the control plane reports neither. */
export interface ServingRevision {
  id: string
  origin: string | undefined
}

/** The newest of them, and how many there are besides. */
export interface FailedRevisions {
  id: string
  status: string
  others: number
}

/** Another preview would exceed the limit. `ageMs`: since the last update, by the server's clock. */
export interface TooManyPreviews {
  kind: 'too-many-previews'
  max: number
  existing: readonly { name: string; ageMs: number | undefined }[]
}

/**
 * A change since the approval, of a value that would be set (`sent`), or that the deployment has (`replaced`). Its keys are
 * those of `PlanOutline`. Values without secrets; undefined: there was none, or is none.
 */
export type PlanDifference =
  /** Another one than the hash of the approved plan: nothing else is known of it. */
  | { kind: 'hash' }
  | { kind: 'not-approved'; others: readonly string[] }
  /** The control plane or the workspace is another one. */
  | { kind: 'control-plane' }
  /** Its id: it was deleted, or created, or both. */
  | { kind: 'deployment'; approved: string | undefined; now: string | undefined }
  | { kind: 'active'; approved: string | undefined; now: string | undefined }
  | { kind: 'latest'; approved: string | undefined; now: string | undefined }
  | { kind: 'revision' }
  /** After the run's own PATCH. Nothing else of the plan shows it. */
  | { kind: 'meanwhile'; change: DeploymentChange }
  | { kind: 'value'; side: 'sent' | 'replaced'; key: string; approved: string | undefined; now: string | undefined }

export type Change = 'created' | 'patched' | 'revised' | 'redeployed' | 'resumed' | 'none'

/** Whether our revision is the active one although the run has failed: by its check, or as it runs another commit. */
export function isActiveFailure(outcome: RolloutOutcome): boolean {
  return outcome.kind === 'unverified' || (outcome.kind === 'failed' && outcome.because.kind === 'other-commit')
}

export function isDeleted(outcome: RolloutOutcome): boolean {
  return outcome.kind === 'failed' && outcome.because.kind === 'deleted'
}

/**
 * Whether the revision of the run is the active one. `certainly-not`: it ended, and not as DEPLOYED. `maybe`: it may be the
 * active one, or become it. `not-ours`: the run has none that is active.
 */
type OwnRevisionServes = 'certainly-not' | 'maybe' | 'not-ours'

/** The meanings of the outcomes whose cause makes no difference. */
const MEANINGS: Readonly<
  Record<Exclude<RolloutOutcome['kind'], 'failed' | 'skipped'>, { isFailure: boolean; serves: OwnRevisionServes }>
> = {
  deployed: { isFailure: false, serves: 'maybe' },
  started: { isFailure: false, serves: 'maybe' },
  planned: { isFailure: false, serves: 'not-ours' },
  unchanged: { isFailure: false, serves: 'not-ours' },
  superseded: { isFailure: true, serves: 'not-ours' },
  interrupted: { isFailure: true, serves: 'certainly-not' },
  'timed-out': { isFailure: true, serves: 'maybe' },
  cancelled: { isFailure: true, serves: 'maybe' },
  unverified: { isFailure: true, serves: 'maybe' },
  'rolled-back': { isFailure: true, serves: 'not-ours' },
}

export function failsStep(outcome: RolloutOutcome, onSuperseded: 'fail' | 'succeed'): boolean {
  if (outcome.kind === 'superseded') return onSuperseded === 'fail'
  if (outcome.kind === 'skipped') return outcome.because === 'revision'
  return outcome.kind === 'failed' || MEANINGS[outcome.kind].isFailure
}

export function ownRevisionServes(outcome: RolloutOutcome): OwnRevisionServes {
  if (outcome.kind === 'skipped') return outcome.because === 'revision' ? 'certainly-not' : 'not-ours'
  if (outcome.kind !== 'failed') return MEANINGS[outcome.kind].serves
  const { kind } = outcome.because
  if (kind === 'revision') return 'certainly-not'
  return kind === 'active-unknown' || kind === 'other-commit' || kind === 'error' ? 'maybe' : 'not-ours'
}

export function failedBy(thrown: unknown): AnyOutcome {
  if (thrown instanceof UnfitError) return { kind: 'failed', because: thrown.unfit }
  return { kind: 'failed', because: { kind: 'error', error: toError(thrown) } }
}

/** The outcome of a request without a usable response when the time is over; undefined for any other error. */
export function timedOutBy(thrown: unknown, time: { clock: Clock; deadline: number }): AnyOutcome | undefined {
  const isLate = thrown instanceof UnreachableError && time.clock.now() >= time.deadline
  return isLate ? { kind: 'timed-out', lastTrouble: thrown.trouble.cameBack } : undefined
}
