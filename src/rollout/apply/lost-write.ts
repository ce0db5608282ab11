import { AmbiguousWriteError, ControlPlaneError, UnreachableError } from '../../control-plane/errors.ts'
import { pauseWithin, type WriteDependencies } from '../dependencies.ts'
import type { MadeTwice } from '../event.ts'
import { LOST_WRITE_PAUSES_MS, READ_AGAIN_MS, STALE_READ_MS } from '../timing.ts'
import type { Sent, Span } from './span.ts'

/** One of the reads that look for the result of a lost write. */
export interface Look extends Span {
  /** Every replica shows at least what the run knew before its write. */
  isPastLag: boolean
  /** The window is over: if nothing is found, the write may be repeated. */
  isLast?: boolean | undefined
}

/**
 * Something that a lost write may have made. `areSecretsShown`: the values of our secrets, if it has any. `isUnlike`:
 * nothing that it reports shows that it is like ours. `isPending`: what it does not report yet may show later that it is
 * not ours.
 */
export interface Found<Made> {
  made: Made
  what: MadeTwice['what']
  id: string
  areSecretsShown: boolean
  isUnlike?: boolean
  isPending?: boolean | undefined
}

/** To be called for all that counts as ours without an answer that says so. */
export function warnOfSecrets({ areSecretsShown, what, id }: Found<unknown>, emit: WriteDependencies['emit']): void {
  if (!areSecretsShown) emit({ kind: 'secrets-uncompared', what, id })
}

/**
 * Returns what is to be looked for after a failed attempt; undefined if nothing was created. Once an earlier attempt is
 * lost, a refusal of its repetition does not say what became of that one.
 */
export function lostWrite(thrown: unknown, earlier: AmbiguousWriteError | undefined): AmbiguousWriteError | undefined {
  if (thrown instanceof AmbiguousWriteError) return thrown
  if (earlier === undefined || !(thrown instanceof ControlPlaneError)) return undefined
  const cameBack = `${earlier.trouble.cameBack}; the repetition failed, too: ${thrown.trouble.cameBack}`
  const retryAfterMs = thrown instanceof UnreachableError ? thrown.retryAfterMs : undefined
  return new AmbiguousWriteError({ ...earlier.trouble, cameBack }, { cause: thrown, retryAfterMs })
}

/**
 * Looks for the result of a write whose response was lost, over a whole window: the server may act late, and its
 * replicas may lag. A pause that the server asks for comes first. What does not report enough to be like ours may be
 * another client's: then ours may still come in the same window.
 * @param find reads everything that may be the result
 * @returns undefined when a read at the end of the window shows no result, so that the write may be repeated
 * @throws `lost` when the deadline comes first, or before the server permits a repetition; AmbiguousWriteError when the
 * last read fails, or a read shows two: the result stays unknown
 */
export async function findLostWrite<Made>(
  lost: AmbiguousWriteError,
  sent: Sent,
  find: (look: Look) => Promise<readonly Found<Made>[]>,
  { clock, signal, deadline, maxRetries, emit }: Omit<WriteDependencies, 'random' | 'controlPlane'>,
): Promise<Found<Made> | undefined> {
  const { trouble, retryAfterMs = 0 } = lost
  const mayRepeat = clock.now() + retryAfterMs < deadline
  emit({ kind: 'write-lost', cameBack: trouble.cameBack })
  const beganAt = clock.now()
  const looks = LOST_WRITE_PAUSES_MS.length
  let seen: { all: readonly Found<Made>[]; at: number } | undefined
  for (let count = 1; ; count++) {
    const usualMs = LOST_WRITE_PAUSES_MS[count - 1] ?? READ_AGAIN_MS
    const pauseMs = count === 1 && mayRepeat ? Math.max(usualMs, retryAfterMs) : usualMs
    await pauseWithin(pauseMs, { clock, signal, deadline })
    if (clock.now() >= deadline) {
      if (seen === undefined) throw lost
      return onlyOneOf(seen.all, lost, emit)
    }
    const isPastLag = clock.now() - beganAt >= STALE_READ_MS
    const found = await foundBy(find, { isPastLag, isLast: count >= looks, ...sent.span(beganAt) })
    if (found instanceof ControlPlaneError) {
      if (count < looks + maxRetries) continue
      throw uncheckedBy(found, lost)
    }
    const isOver = count >= looks
    const areSeveral = found.length > 1 && !found.some(({ isPending = false }) => isPending)
    if (found.length > 0 && (isOver || areSeveral || found.every(isSure))) return onlyOneOf(found, lost, emit)
    if (found.length > 0) seen = { all: found, at: clock.now() }
    // A replica may lack it again.
    if (isOver && seen !== undefined && clock.now() < seen.at + STALE_READ_MS) continue
    if (isOver && !mayRepeat) throw lost
    if (isOver) return undefined
  }
}

/**
 * Looks once more, long after the window, as the repetition had to wait.
 * @param lostAt when the write was lost, in monotonic milliseconds
 * @throws AmbiguousWriteError when the read fails or shows two
 */
export async function lookAgain<Made>(
  { lost, lostAt }: { lost: AmbiguousWriteError; lostAt: number },
  sent: Sent,
  find: (look: Look) => Promise<readonly Found<Made>[]>,
  { emit }: Pick<WriteDependencies, 'emit'>,
): Promise<Found<Made> | undefined> {
  const found = await foundBy(find, { isPastLag: true, isLast: true, ...sent.span(lostAt) })
  if (found instanceof ControlPlaneError) throw uncheckedBy(found, lost)
  return onlyOneOf(found, lost, emit)
}

function isSure({ areSecretsShown, isUnlike = false, isPending = false }: Found<unknown>): boolean {
  return areSecretsShown && !isUnlike && !isPending
}

/** Returns what is found, if anything is. */
function onlyOneOf<Made>(
  found: readonly Found<Made>[],
  lost: AmbiguousWriteError,
  emit: WriteDependencies['emit'],
): Found<Made> | undefined {
  const [one, ...others] = found
  if (others.length > 0) throw severalOf(found, lost)
  if (one !== undefined) warnOfSecrets(one, emit)
  return one
}

function uncheckedBy(
  { trouble: { cameBack: why } }: ControlPlaneError,
  lost: AmbiguousWriteError,
): AmbiguousWriteError {
  const cameBack = `${lost.trouble.cameBack}; the check for its result failed, too: ${why}`
  return new AmbiguousWriteError({ ...lost.trouble, cameBack }, { cause: lost })
}

/** Returns the error of a read that has failed. */
async function foundBy<T>(find: (look: Look) => Promise<T>, look: Look): Promise<T | ControlPlaneError> {
  try {
    return await find(look)
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError) return thrown
    throw thrown
  }
}

/** Nothing shows which one is ours. */
function severalOf(found: readonly Found<unknown>[], lost: AmbiguousWriteError): AmbiguousWriteError {
  const ids = found.map(({ what, id }) => `the ${what} ${id}`).join(' and ')
  const cameBack = `${lost.trouble.cameBack}; since then, several are new that it may have created: ${ids}`
  const hint = 'It may have succeeded. Check which of them is yours before you rerun the job.'
  return new AmbiguousWriteError({ ...lost.trouble, cameBack, hint }, { cause: lost })
}
