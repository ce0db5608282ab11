import {
  AmbiguousWriteError,
  BusyError,
  CHECK_BEFORE_RERUN,
  ControlPlaneError,
  IT_MAY_HAVE_SUCCEEDED,
  RefusedError,
  toControlPlaneError,
  UnreachableError,
} from '../../control-plane/errors.ts'
import { pauseToRepeat } from '../../control-plane/transport.ts'
import { pauseWithin, type Reader, type Run } from '../dependencies.ts'
import {
  FRESH_READ_MS,
  LOST_WRITE_PAUSES_MS,
  LOST_WRITE_WINDOW_MS,
  READ_AGAIN_MS,
  STALE_READ_MS,
  TIME_TOLERANCE_MS,
} from '../timing.ts'
import { type Basis, ChangedError } from './basis.ts'
import type { MadeTwice } from '../event.ts'

export interface Write<Before, Made> {
  resource: PossibleResult<Made>['resource']
  /** The state before the write: nothing in it can be the result of the write. */
  basis: Basis<Before>
  create: (before: Before) => Promise<Made>
  /** Finds everything that a lost write may have made, and nothing that contradicts it. */
  find: (before: Before, look: Look) => Promise<readonly PossibleResult<Made>[]>
}

/** `isRepeated`: an earlier, lost attempt may have made another one. `sinceFirstMs`: since that attempt. */
export interface Once<Before, Made> {
  made: Made
  before: Before
  isFound: boolean
  isRepeated: boolean
  sinceFirstMs: number
}

/** Sends the write once. If its response is lost, looks for what it has made before it is repeated. */
// eslint-disable-next-line max-lines-per-function -- one loop: its steps share the attempt
export async function writeOnce<Before, Made>(write: Write<Before, Made>, deps: Run): Promise<Once<Before, Made>> {
  const { clock } = deps
  const { resource, basis, find } = write
  let before = basis.state
  let sentAt = clock.now()
  let lostAt = clock.now()
  let lostAttempt: AmbiguousWriteError | undefined
  const findNew = async (look: Look): Promise<readonly PossibleResult<Made>[]> => await find(before, look)
  for (let retry = 0; ; retry++) {
    const lastLookAt = clock.now()
    const isRepeated = lostAttempt !== undefined
    const once = (made: Made, isFound: boolean): Once<Before, Made> => {
      return { made, before, isFound, isRepeated, sinceFirstMs: clock.now() - sentAt }
    }
    const attempt = async (now: Before): Promise<Once<Before, Made>> => {
      // The basis must stay that of the lost attempt: what is new since then may be its result.
      if (lostAttempt === undefined) {
        before = now
        sentAt = clock.now()
      } else if (clock.now() - lastLookAt > FRESH_READ_MS) {
        const result = await lookAgain({ lost: lostAttempt, sentAt, lostAt }, findNew, deps)
        if (result !== undefined) return once(result.made, true)
      }
      return once(await write.create(before), false)
    }
    try {
      return await basis.send(`create the ${resource}`, attempt)
    } catch (thrown) {
      const lost = lostWrite(thrown, lostAttempt)
      if (lost === undefined) {
        await pauseIfBusy(thrown, retry, deps)
        continue
      }
      lostAttempt = lost
      lostAt = clock.now()
      const result = await findLostWrite(lost, sentAt, findNew, deps)
      if (result !== undefined) return once(result.made, true)
      if (isLastAttempt(thrown, retry, deps)) throw lost
    }
  }
}

/** Waits before the repetition of a write that a busy service has refused, and so has not done. Throws any other error. */
async function pauseIfBusy(thrown: unknown, retry: number, deps: Run): Promise<void> {
  const isPaused = thrown instanceof BusyError && (await pauseToRepeat(thrown, retry, deps))
  if (!isPaused) throw thrown
}

/** Whether no repetition follows: after `max-retries`, a refusal, or a change by another client. */
function isLastAttempt(thrown: unknown, retry: number, { maxRetries }: Run): boolean {
  return retry >= maxRetries || thrown instanceof RefusedError || thrown instanceof ChangedError
}

export interface Look extends Span {
  /** Every replica shows at least what the run knew before its write. */
  isPastLag: boolean
  /** The window is over: if nothing is found, the write may be repeated. */
  isLast?: boolean | undefined
}

/**
 * Something that a lost write may have made. `areSecretsShown`: it shows our secrets, if any. `isUnlike`: nothing that
 * it reports is ours. `isPending`: what it does not report yet may show later that it is not ours.
 */
export interface PossibleResult<Made> {
  made: Made
  resource: MadeTwice['what']
  id: string
  areSecretsShown: boolean
  isUnlike?: boolean
  isPending?: boolean | undefined
}

/**
 * Returns the error of an attempt whose result is unknown; undefined if nothing was created. Once an attempt is lost, a
 * refusal of its repetition does not show whether the lost one succeeded.
 */
export function lostWrite(
  thrown: unknown,
  lostAttempt: AmbiguousWriteError | undefined,
): AmbiguousWriteError | undefined {
  if (thrown instanceof AmbiguousWriteError) return thrown
  if (lostAttempt === undefined || !(thrown instanceof ControlPlaneError)) return undefined
  const cameBack = `${lostAttempt.trouble.cameBack}; the repetition failed, too: ${thrown.trouble.cameBack}`
  const retryAfterMs = thrown instanceof UnreachableError ? thrown.retryAfterMs : undefined
  return new AmbiguousWriteError({ ...lostAttempt.trouble, cameBack }, { cause: thrown, retryAfterMs })
}

/**
 * Looks for the result of a lost write, over a whole window: the server may act late, and its replicas may lag. A pause
 * that the server asks for comes first. A result that does not report enough to be like ours may be another client's:
 * then ours may still appear in the same window.
 * @returns undefined if a read at the end of the window shows no result: the write may be repeated
 * @throws `lost` when the deadline comes first, or before the server permits a repetition; AmbiguousWriteError when the
 * last read fails, or a read shows two
 */
export async function findLostWrite<Made>(
  lost: AmbiguousWriteError,
  sentAt: number,
  find: (look: Look) => Promise<readonly PossibleResult<Made>[]>,
  deps: Run,
): Promise<PossibleResult<Made> | undefined> {
  const { clock, deadline, maxRetries, emit } = deps
  const { trouble, retryAfterMs = 0 } = lost
  const mayRepeat = clock.now() + retryAfterMs < deadline
  const leastPauseMs = mayRepeat ? retryAfterMs : 0
  emit({ kind: 'write-lost', cameBack: trouble.cameBack })
  const beganAt = clock.now()
  let seen: SeenResults<Made> | undefined
  for (let count = 1; ; count++) {
    await pauseWithin(pauseBeforeLook(count, leastPauseMs), deps)
    if (clock.now() >= deadline) return resultAtDeadline(seen, lost, emit)
    const isPastLag = clock.now() - beganAt >= STALE_READ_MS
    const isLast = count >= LOST_WRITE_PAUSES_MS.length
    const results = await find({ isPastLag, isLast, ...spanOf(sentAt, beganAt, deps) }).catch(toControlPlaneError)
    if (results instanceof ControlPlaneError) {
      if (count < LOST_WRITE_PAUSES_MS.length + maxRetries) continue
      throw uncheckedBy(results, lost)
    }
    if (areDecisive(results, isLast)) return onlyOneOf(results, lost, emit)
    if (results.length > 0) seen = { all: results, at: clock.now() }
    if (!isLast || mayBeHidden(seen, clock.now())) continue
    return noResult(lost, mayRepeat)
  }
}

/** Results that were not decisive when a look showed them, at monotonic milliseconds. */
interface SeenResults<Made> {
  all: readonly PossibleResult<Made>[]
  at: number
}

/** In milliseconds. The first pause lasts at least as long as the server asks for. */
function pauseBeforeLook(count: number, leastMs: number): number {
  const usualMs = LOST_WRITE_PAUSES_MS[count - 1] ?? READ_AGAIN_MS
  return count === 1 ? Math.max(usualMs, leastMs) : usualMs
}

/** Whether these end the looks: a result that is sure, several results, or any result at the end of the window. */
function areDecisive(results: readonly PossibleResult<unknown>[], isLast: boolean): boolean {
  const areSeveral = results.length > 1 && !results.some(({ isPending = false }) => isPending)
  return results.length > 0 && (isLast || areSeveral || results.every(isSure))
}

/** Whether a replica that lags may lack at the end of the window what an earlier look has shown. */
function mayBeHidden(seen: SeenResults<unknown> | undefined, now: number): boolean {
  return seen !== undefined && now < seen.at + STALE_READ_MS
}

function resultAtDeadline<Made>(
  seen: SeenResults<Made> | undefined,
  lost: AmbiguousWriteError,
  emit: Run['emit'],
): PossibleResult<Made> | undefined {
  if (seen === undefined) throw lost
  return onlyOneOf(seen.all, lost, emit)
}

/** The window has shown no result: undefined if the write may be repeated. */
function noResult<Made>(lost: AmbiguousWriteError, mayRepeat: boolean): PossibleResult<Made> | undefined {
  if (!mayRepeat) throw lost
  return undefined
}

/** Looks once more, long after the window, as the repetition had to wait. Both times are monotonic milliseconds. */
async function lookAgain<Made>(
  { lost, sentAt, lostAt }: { lost: AmbiguousWriteError; sentAt: number; lostAt: number },
  find: (look: Look) => Promise<readonly PossibleResult<Made>[]>,
  deps: Run,
): Promise<PossibleResult<Made> | undefined> {
  const look = { isPastLag: true, isLast: true, ...spanOf(sentAt, lostAt, deps) }
  const results = await find(look).catch(toControlPlaneError)
  if (results instanceof ControlPlaneError) throw uncheckedBy(results, lost)
  return onlyOneOf(results, lost, deps.emit)
}

function isSure({ areSecretsShown, isUnlike = false, isPending = false }: PossibleResult<unknown>): boolean {
  return areSecretsShown && !isUnlike && !isPending
}

function onlyOneOf<Made>(
  results: readonly PossibleResult<Made>[],
  lost: AmbiguousWriteError,
  emit: Run['emit'],
): PossibleResult<Made> | undefined {
  const [only, ...others] = results
  if (others.length > 0) throw severalOf(results, lost)
  // The result counts as ours, although no response shows the values of our secrets.
  if (only?.areSecretsShown === false) emit({ kind: 'secrets-uncompared', what: only.resource, id: only.id })
  return only
}

function uncheckedBy(
  { trouble: { cameBack: why } }: ControlPlaneError,
  lost: AmbiguousWriteError,
): AmbiguousWriteError {
  const cameBack = `${lost.trouble.cameBack}; the check for its result failed, too: ${why}`
  return new AmbiguousWriteError({ ...lost.trouble, cameBack }, { cause: lost })
}

function severalOf(results: readonly PossibleResult<unknown>[], lost: AmbiguousWriteError): AmbiguousWriteError {
  const ids = results.map(({ resource, id }) => `the ${resource} ${id}`).join(' and ')
  const cameBack = `${lost.trouble.cameBack}; since then, several are new that it may have created: ${ids}`
  const hint = `${IT_MAY_HAVE_SUCCEEDED} Check which of them is yours before you rerun the job.`
  return new AmbiguousWriteError({ ...lost.trouble, cameBack, hint }, { cause: lost })
}

/** The error of a write to a deployment of which no response shows whether it was done. */
export function uncertain(attempted: string, cameBack: string, cure = ''): AmbiguousWriteError {
  const hint = `${IT_MAY_HAVE_SUCCEEDED} ${CHECK_BEFORE_RERUN} ${cure}`.trim()
  return new AmbiguousWriteError({ attempted, cameBack, hint })
}

/** When a write can have created something, in milliseconds since the epoch. An end that is not set is unknown. */
export interface Span {
  since?: number | undefined
  until?: number | undefined
}

export function isOutside(createdAt: number | undefined, { since = -Infinity, until = Infinity }: Span): boolean {
  if (createdAt === undefined) return false
  return createdAt < since - TIME_TOLERANCE_MS || createdAt > until + TIME_TOLERANCE_MS
}

/**
 * The span of a write whose repetition was answered `sinceFirstMs` after the first attempt. `createdAt`: of what the
 * repetition has created. Both ends are by the clock of the server.
 */
export function spanAround(createdAt: number | undefined, sinceFirstMs: number): Span {
  return createdAt === undefined ? {} : { since: createdAt - sinceFirstMs, until: createdAt + LOST_WRITE_WINDOW_MS }
}

const SECOND_MS = 1_000

/** The span of a write, sent and lost at these monotonic milliseconds. Without a usable Date it has no ends. */
export function spanOf(sentAt: number, lostAt: number, { clock, controlPlane }: Reader): Span {
  const now = clock.now()
  const serverTime = controlPlane.serverTime()
  if (serverTime === undefined) return {}
  const ahead = serverTime - now
  // A date that is compared with it may be in whole seconds, of a clock that is behind that of the Dates.
  const since = Math.floor((sentAt + ahead) / SECOND_MS) * SECOND_MS
  // Before the end of the window, the run's own clock shows that no result is too late.
  if (now <= lostAt + LOST_WRITE_WINDOW_MS) return { since }
  return { since, until: lostAt + ahead + FRESH_READ_MS + LOST_WRITE_WINDOW_MS }
}
