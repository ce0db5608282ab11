import {
  ambiguous,
  AmbiguousWriteError,
  BrokenContractError,
  BusyError,
  type ControlPlaneError,
  RefusedError,
} from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import { type RequestRetried, retryPause } from '../../control-plane/transport.ts'
import { showsValue } from '../fields/compare.ts'
import { omit, pick, setFields } from '../plan/settings.ts'
import { READ_AGAIN_MS, READS_PAST_LAG, STALE_READ_MS } from '../timing.ts'
import { ChangedError, didNothing } from './basis.ts'
import { shownOf } from './changes.ts'
import { fieldsSetByOthers, isApplied, ownForm, type PatchProgress, progressOf } from './patch-progress.ts'
import { notAppliedError, tooManyPatches, unreadableError, unseenError } from './patch-errors.ts'
import { lostWrite } from './write-once.ts'

/**
 * Decides the step after each answer to a PATCH. A PATCH is sent again after a temporary failure (`max-retries`), and
 * once if no answer shows its values. Before each repetition, a look shows whether the PATCH is done already.
 */

/** PATCHes that one run, or one deployment of a fleet, sends at most: of repetitions, further plans and a rollback. */
export const PATCHES_OF_RUN = 12

export interface PatchTask {
  readonly before: Deployment
  readonly patch: Settings
  /** A value that another client has set since must stay. */
  readonly isRestoration: boolean
  /** The settings that the run patches for the second time, as others have changed them after the first PATCH. */
  readonly seenChanged: readonly Field[]
}

export interface PatchState {
  readonly task: PatchTask
  readonly doing: Doing
  /** The attempt whose result is to be looked for before another one: it was answered, or its answer was lost. */
  readonly openAttempt: 'none' | 'answered' | AmbiguousWriteError
  readonly sentAt: number
  /** Repetitions after temporary failures. */
  readonly retries: number
  /** Whether the PATCH was sent once more, as no answer showed its values. */
  readonly isRepeated: boolean
  /** Whether a response to a PATCH was this deployment. */
  readonly isPatchAcknowledged: boolean
  /** The newest answer before the last attempt, to see whether the service has updated the deployment since. */
  readonly newest: Deployment
}

/** The work of the run at this moment. It decides the meaning of the next input. */
type Doing =
  /** `firstLook`: shows values of others, and may be of a replica that lags. */
  | { readonly kind: 'attempt'; readonly firstLook?: Deployment }
  /** Reads what the deployment shows after an answer. */
  | { readonly kind: 'read'; readonly answer: Answer; readonly reads: readonly Deployment[]; readonly count: number }
  /** Looks whether this attempt was refused because an earlier one has succeeded. */
  | { readonly kind: 'explain'; readonly refusal: RefusedError; readonly looks: number }

type Answer = { deployment: Deployment } | { deployment: undefined; cameBack: string; hint?: string | undefined }

export type PatchInput =
  /** Undefined: the response is another one than this deployment. `sentAt`: in monotonic milliseconds. */
  | { kind: 'answered'; deployment: Deployment | undefined; sentAt: number }
  /** `sentAt` is undefined if no PATCH was sent, as a read before it has failed. */
  | { kind: 'failed'; error: ControlPlaneError; sentAt: number | undefined }
  | { kind: 'read'; deployment: Deployment }
  | { kind: 'unreadable'; error: ControlPlaneError }

export interface PatchMoment {
  now: number
  random: number
  deadline: number
  maxRetries: number
  patchesLeft: number
}

/** The next action of the driver. Times are monotonic milliseconds. */
export type PatchNext =
  /** `needsLook`: a look comes before the PATCH, in the same turn. `repeats`: is emitted. */
  | { do: 'send'; at: number; needsLook: boolean; repeats?: RequestRetried }
  /** Reads the deployment. A `look` ends the plan if others have changed it. */
  | { do: 'look' | 'read'; at: number }
  | { do: 'throw'; error: Error }
  | PatchDone

/** `form`: the new settings as the service shows them. `answers`: all since the last PATCH was sent. */
export interface PatchDone {
  do: 'done'
  form: Settings
  answers: readonly Deployment[]
  unconfirmed: readonly Field[]
}

export interface PatchStep {
  state: PatchState
  next: PatchNext
}

export function beginPatch(task: PatchTask, { now, patchesLeft }: PatchMoment): PatchStep {
  const state: PatchState = {
    task,
    doing: { kind: 'attempt' },
    openAttempt: 'none',
    sentAt: -Infinity,
    retries: 0,
    isRepeated: false,
    isPatchAcknowledged: false,
    newest: task.before,
  }
  return patchesLeft > 0 ? attempt(state, now) : fail(state, tooManyPatches(task.before.id, PATCHES_OF_RUN))
}

export function stepPatch(state: PatchState, input: PatchInput, moment: PatchMoment): PatchStep {
  switch (input.kind) {
    case 'answered': {
      const { deployment, sentAt } = input
      return onAnswer({ ...state, openAttempt: 'answered', sentAt }, deployment ? { deployment } : NOT_THIS, moment)
    }
    case 'failed':
      return onFailure(state, input.error, input.sentAt, moment)
    case 'read':
    case 'unreadable':
      return onRead(state, input, moment)
  }
}

const NOT_THIS: Answer = { deployment: undefined, cameBack: 'the response to the PATCH is not this deployment' }

/** A response that shows the new values ends the PATCH. Otherwise reads follow. */
function onAnswer(before: PatchState, answer: Answer, { now }: PatchMoment): PatchStep {
  const { deployment } = answer
  const state = { ...before, isPatchAcknowledged: before.isPatchAcknowledged || deployment !== undefined }
  if (deployment !== undefined) {
    const { fieldsStillOld, differOnlyInSpaces, setByOthers, noLongerReported } = progressIn(state, deployment)
    if (fieldsStillOld.length === differOnlyInSpaces.length && noLongerReported.length === 0) {
      const unconfirmed = [...differOnlyInSpaces, ...setByOthers]
      return done(state, { form: formIn(state, deployment), answers: [deployment], unconfirmed })
    }
  }
  return { state: { ...state, doing: { kind: 'read', answer, reads: [], count: 0 } }, next: { do: 'read', at: now } }
}

function onFailure(
  before: PatchState,
  error: ControlPlaneError,
  sentAt: number | undefined,
  moment: PatchMoment,
): PatchStep {
  const state = { ...before, sentAt: sentAt ?? before.sentAt, openAttempt: openAfter(before, error, sentAt) }
  const { openAttempt } = state
  // A PATCH may be repeated although it may have succeeded: it sets the same values twice.
  if (error instanceof BusyError || error instanceof AmbiguousWriteError) {
    const repetition = retryAfter(state, error, moment)
    if (repetition !== undefined) return repetition
  }
  if (openAttempt === 'none' || error instanceof AmbiguousWriteError || error instanceof ChangedError)
    return fail(state, error)
  if (error instanceof BrokenContractError) return onAnswer(state, { deployment: undefined, ...error.trouble }, moment)
  if (error instanceof RefusedError)
    return { state: { ...state, doing: { kind: 'explain', refusal: error, looks: 0 } }, next: lookAt(moment.now) }
  return fail(state, withOpenAttempt(state, error))
}

function openAfter(
  { openAttempt }: PatchState,
  error: ControlPlaneError,
  sentAt: number | undefined,
): PatchState['openAttempt'] {
  if (error instanceof AmbiguousWriteError) return error
  const mayHaveActed = sentAt !== undefined && !didNothing(error)
  return openAttempt === 'none' && mayHaveActed ? 'answered' : openAttempt
}

/** Returns the attempt after a temporary failure; undefined if the PATCH is not sent again. */
function retryAfter(
  state: PatchState,
  { trouble, retryAfterMs }: BusyError | AmbiguousWriteError,
  { now, random, deadline, maxRetries, patchesLeft }: PatchMoment,
): PatchStep | undefined {
  const { retries } = state
  const delayMs = retryPause(retries, retryAfterMs, random)
  if (retries >= maxRetries || patchesLeft <= 0 || now + delayMs >= deadline) return undefined
  const { attempted, cameBack } = trouble
  const repeats: RequestRetried = { kind: 'request-retried', attempted, cameBack, delayMs }
  return attempt({ ...state, retries: retries + 1 }, now + delayMs, deadline, repeats)
}

function attempt(state: PatchState, at: number, deadline = Infinity, repeats?: RequestRetried): PatchStep {
  const { task, sentAt, openAttempt } = state
  // A replica that lags must not hide what others have set at once.
  const pastLag = task.isRestoration ? Math.min(sentAt + STALE_READ_MS, deadline) : at
  const needsLook = openAttempt !== 'none'
  const next: PatchNext = { do: 'send', at: Math.max(at, pastLag), needsLook, ...(repeats && { repeats }) }
  return { state: { ...state, doing: { kind: 'attempt' } }, next }
}

type ReadInput = Extract<PatchInput, { kind: 'read' | 'unreadable' }>

function onRead(state: PatchState, input: ReadInput, moment: PatchMoment): PatchStep {
  const { doing } = state
  switch (doing.kind) {
    case 'attempt':
      return onLook(state, doing.firstLook, input, moment)
    case 'explain':
      return onLookForReason(state, doing, input, moment)
    case 'read':
      return onReadAfterAnswer(state, doing, input, moment)
  }
}

/** Judges a look before a repetition. It is repeated if it shows values of others: the replica may lag. */
function onLook(
  state: PatchState,
  firstLook: Deployment | undefined,
  input: ReadInput,
  moment: PatchMoment,
): PatchStep {
  const { task, openAttempt } = state
  const { now, deadline } = moment
  const seen = input.kind === 'read' ? input.deployment : firstLook
  if (seen === undefined && task.isRestoration) {
    const error = openAttempt instanceof AmbiguousWriteError ? openAttempt : unseenError(task.before.id)
    return onFailure(state, error, undefined, moment)
  }
  const fields = seen === undefined ? [] : fieldsSetByOthers(seen, task.before, task.patch)
  if (seen !== undefined && fields.length > 0 && firstLook === undefined) {
    const next = lookAt(Math.min(now + STALE_READ_MS, deadline))
    return { state: { ...state, doing: { kind: 'attempt', firstLook: seen } }, next }
  }
  if (task.isRestoration && fields.length > 0)
    return fail(
      state,
      new ChangedError(task.before, { kind: 'set', fields }, { written: 'settings', isWritten: false }),
    )
  if (seen !== undefined && isApplied(progressIn(state, seen))) return onAnswer(state, { deployment: seen }, moment)
  return { state: { ...state, doing: { kind: 'attempt' } }, next: { do: 'send', at: now, needsLook: false } }
}

/** Judges a look after a refusal. A second look follows past the lag of replicas. */
function onLookForReason(
  state: PatchState,
  doing: Extract<Doing, { kind: 'explain' }>,
  input: ReadInput,
  moment: PatchMoment,
): PatchStep {
  if (input.kind === 'read' && isApplied(progressIn(state, input.deployment)))
    return onAnswer(state, { deployment: input.deployment }, moment)
  if (doing.looks > 0) return fail(state, withOpenAttempt(state, doing.refusal))
  const next = lookAt(Math.min(moment.now + STALE_READ_MS, moment.deadline))
  return { state: { ...state, doing: { ...doing, looks: 1 } }, next }
}

/** Reads until an answer shows the new values, or a further read can show nothing else. */
function onReadAfterAnswer(
  before: PatchState,
  doing: Extract<Doing, { kind: 'read' }>,
  input: ReadInput,
  moment: PatchMoment,
): PatchStep {
  const count = doing.count + 1
  const reads = input.kind === 'read' ? [...doing.reads, input.deployment] : doing.reads
  const state = { ...before, doing: { ...doing, reads, count } }
  const isLast = count >= READS_PAST_LAG || moment.now + READ_AGAIN_MS >= moment.deadline
  if (input.kind === 'read' && (isLast || isFinal(state, input.deployment)))
    return onLastRead(state, doing.answer, { reads, last: input.deployment }, moment)
  if (!isLast) return { state, next: { do: 'read', at: moment.now + READ_AGAIN_MS } }
  const { task } = state
  const error = input.kind === 'unreadable' ? input.error : undefined
  return fail(state, unreadableError(task.before.id, setFields(task.patch), error))
}

/** Without an acknowledgement, another value need not be the service's form of ours. */
function isFinal(state: PatchState, deployment: Deployment): boolean {
  const { fieldsStillOld, setByOthers, notReported, noLongerReported } = progressIn(state, deployment)
  const isAcknowledged = state.isPatchAcknowledged
  const differing = isAcknowledged ? fieldsStillOld : [...fieldsStillOld, ...setByOthers]
  const missing = isAcknowledged ? noLongerReported : notReported
  return differing.length === 0 && missing.every((field) => SETTINGS[field].maybeUnreported === true)
}

function onLastRead(
  state: PatchState,
  answer: Answer,
  { reads, last }: { reads: readonly Deployment[]; last: Deployment },
  { now, deadline, patchesLeft }: PatchMoment,
): PatchStep {
  const { task, isPatchAcknowledged, isRepeated, newest: newestBefore } = state
  const { before, patch, seenChanged } = task
  const progress = progressIn(state, last)
  const { fieldsStillOld, setByOthers, notReported, noLongerReported } = progress
  const notApplied = isPatchAcknowledged ? fieldsStillOld : [...fieldsStillOld, ...setByOthers, ...notReported]
  // An acknowledged text may be ours in the service's own form, which may be the same for the old text.
  const ignored = notApplied.filter((field) => !isPatchAcknowledged || SETTINGS[field].type !== 'text')
  const isWorthRepeating = notApplied.some((field) => ignored.includes(field) || !seenChanged.includes(field))
  const answers = [...(answer.deployment === undefined ? [] : [answer.deployment]), ...reads]
  if (isWorthRepeating && !isRepeated && patchesLeft > 0)
    return attempt({ ...state, isRepeated: true, newest: newestOf(newestBefore, answers) }, now, deadline)
  if (ignored.length > 0)
    return fail(
      state,
      notAppliedError(before.id, answer.deployment === undefined ? answer : undefined, ignored, progress),
    )
  const unseen = omit(pick(patch, [...setByOthers, ...noLongerReported]), setFields(shownOf(patch, answers)))
  const shownFields = setFields(patch).filter((field) => showsValue(field, last.settings, patch))
  const formInAnswer = answer.deployment && formIn(state, answer.deployment)
  const form = { ...pick(last.settings, shownFields), ...formInAnswer }
  return done(state, { form, answers, unconfirmed: [...fieldsStillOld, ...setFields(unseen)] })
}

function progressIn({ task: { before, patch } }: PatchState, deployment: Deployment): PatchProgress {
  return progressOf(deployment, before, patch)
}

/** An update since the last attempt counts, too: a revision of another run may have ended before it. */
function formIn({ task: { before, patch }, newest }: PatchState, deployment: Deployment): Settings {
  return ownForm(deployment, { ...newest, settings: before.settings }, patch)
}

function newestOf(newest: Deployment, answers: readonly Deployment[]): Deployment {
  return answers.reduce(
    (latest, answer) => ((answer.updatedAt ?? 0) > (latest.updatedAt ?? 0) ? answer : latest),
    newest,
  )
}

function done(state: PatchState, end: Omit<PatchDone, 'do'>): PatchStep {
  return { state, next: { do: 'done', ...end } }
}

function fail(state: PatchState, error: Error): PatchStep {
  return { state, next: { do: 'throw', error } }
}

const lookAt = (at: number): PatchNext => ({ do: 'look', at })

/** The error of a PATCH whose last attempt was refused: an earlier one may have succeeded nevertheless. */
function withOpenAttempt({ openAttempt }: PatchState, error: ControlPlaneError): AmbiguousWriteError {
  return lostWrite(error, openAttempt instanceof AmbiguousWriteError ? openAttempt : undefined) ?? ambiguous(error)
}
