import {
  AmbiguousWriteError,
  BusyError,
  ControlPlaneError,
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
  /** What is there: nothing of it is of this write. */
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
export async function writeOnce<Before, Made>(write: Write<Before, Made>, deps: Run): Promise<Once<Before, Made>> {
  const { clock, maxRetries } = deps
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
      // What is new since a lost attempt may be of that attempt.
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
      const isBusy = lost === undefined && thrown instanceof BusyError
      if (isBusy && (await pauseToRepeat(thrown, retry, deps))) continue
      if (lost === undefined) throw thrown
      lostAttempt = lost
      lostAt = clock.now()
      const result = await findLostWrite(lost, sentAt, findNew, deps)
      if (result !== undefined) return once(result.made, true)
      if (retry >= maxRetries || thrown instanceof RefusedError || thrown instanceof ChangedError) throw lost
    }
  }
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
 * What is to be looked for after a failed attempt; undefined if nothing was created. Once an earlier attempt is lost, a
 * refusal of its repetition does not say what became of that one.
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
 * that the server asks for comes first. What does not report enough to be like ours may be another client's: then ours
 * may still come in the same window.
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
  emit({ kind: 'write-lost', cameBack: trouble.cameBack })
  const beganAt = clock.now()
  const looks = LOST_WRITE_PAUSES_MS.length
  let seen: { all: readonly PossibleResult<Made>[]; at: number } | undefined
  for (let count = 1; ; count++) {
    const usualMs = LOST_WRITE_PAUSES_MS[count - 1] ?? READ_AGAIN_MS
    await pauseWithin(count === 1 && mayRepeat ? Math.max(usualMs, retryAfterMs) : usualMs, deps)
    if (clock.now() >= deadline) {
      if (seen === undefined) throw lost
      return onlyOneOf(seen.all, lost, emit)
    }
    const isPastLag = clock.now() - beganAt >= STALE_READ_MS
    const isOver = count >= looks
    const results = await find({ isPastLag, isLast: isOver, ...spanOf(sentAt, beganAt, deps) }).catch(
      toControlPlaneError,
    )
    if (results instanceof ControlPlaneError) {
      if (count < looks + maxRetries) continue
      throw uncheckedBy(results, lost)
    }
    const areSeveral = results.length > 1 && !results.some(({ isPending = false }) => isPending)
    if (results.length > 0 && (isOver || areSeveral || results.every(isSure))) return onlyOneOf(results, lost, emit)
    if (results.length > 0) seen = { all: results, at: clock.now() }
    // A replica may lack it again.
    if (isOver && seen !== undefined && clock.now() < seen.at + STALE_READ_MS) continue
    if (isOver && !mayRepeat) throw lost
    if (isOver) return undefined
  }
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
  // It counts as ours without an answer that says so.
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
  const hint = 'It may have succeeded. Check which of them is yours before you rerun the job.'
  return new AmbiguousWriteError({ ...lost.trouble, cameBack, hint }, { cause: lost })
}

/** The error of a write to a deployment of which no response shows whether it was done. */
export function uncertain(attempted: string, cameBack: string, cure = ''): AmbiguousWriteError {
  const hint = `It may have succeeded. Check the deployment before you rerun the job. ${cure}`.trim()
  return new AmbiguousWriteError({ attempted, cameBack, hint })
}

/** When a write can have created something, in milliseconds since the epoch. An end that is not set is not known. */
export interface Span {
  since?: number | undefined
  until?: number | undefined
}

export function isOutside(createdAt: number | undefined, { since = -Infinity, until = Infinity }: Span): boolean {
  if (createdAt === undefined) return false
  return createdAt < since - TIME_TOLERANCE_MS || createdAt > until + TIME_TOLERANCE_MS
}

/**
 * The span of a write whose repetition was answered `sinceFirstMs` after the first attempt, by the date of what that
 * one has created: both dates are of one clock.
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
  // What is compared with it may be dated in whole seconds by a clock that is behind that of the Dates.
  const since = Math.floor((sentAt + ahead) / SECOND_MS) * SECOND_MS
  // Until then, the run's own clock shows that nothing is too late.
  if (now <= lostAt + LOST_WRITE_WINDOW_MS) return { since }
  return { since, until: lostAt + ahead + FRESH_READ_MS + LOST_WRITE_WINDOW_MS }
}
