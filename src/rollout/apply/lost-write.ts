import { AmbiguousWriteError, BusyError, ControlPlaneError, UnreachableError } from '../../control-plane/errors.ts'
import { retryDelay } from '../../control-plane/retry.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { LOST_WRITE_PAUSES_MS, READ_AGAIN_MS, STALE_READ_MS } from '../timing.ts'

/** One of the reads that look for the result of a lost write. */
export interface Look {
  /** Every replica shows at least what the run knew before its write. */
  isPastLag: boolean
}

/** A failed write whose result is looked for before anything is repeated. */
export type LostWrite = AmbiguousWriteError | BusyError

/**
 * Returns what is to be looked for after a failed attempt; undefined if nothing was created. Once an earlier attempt is
 * lost, a refusal of its repetition does not say what became of that one.
 */
export function lostWrite(thrown: unknown, earlier: AmbiguousWriteError | undefined): LostWrite | undefined {
  if (thrown instanceof AmbiguousWriteError) return thrown
  if (earlier === undefined) return thrown instanceof BusyError ? thrown : undefined
  if (!(thrown instanceof ControlPlaneError)) return undefined
  const cameBack = `${earlier.trouble.cameBack}; the repetition failed, too: ${thrown.trouble.cameBack}`
  const retryAfterMs = thrown instanceof UnreachableError ? thrown.retryAfterMs : undefined
  return new AmbiguousWriteError({ ...earlier.trouble, cameBack }, { cause: thrown, retryAfterMs })
}

/**
 * Looks for the result of a write whose response was lost, over a whole window: the server may act late, and its
 * replicas may lag. After a 429, looks once. A pause that the server asks for comes first.
 * @param find reads the result; undefined if there is none (yet)
 * @param retry of the write, from 0
 * @returns undefined when a read at the end of the window shows no result, so that the write may be repeated
 * @throws `lost` when the deadline comes first, or before the server permits a repetition; AmbiguousWriteError when the
 * last read fails: the result stays unknown
 */
export async function findLostWrite<Found>(
  lost: LostWrite,
  find: (look: Look) => Promise<Found | undefined>,
  { clock, random, signal, deadline, maxRetries, emit }: Omit<WriteDependencies, 'controlPlane'>,
  retry = 0,
): Promise<Found | undefined> {
  const { trouble, retryAfterMs = 0 } = lost
  const isBusy = lost instanceof BusyError
  const mayRepeat = clock.now() + retryAfterMs < deadline
  if (isBusy && !mayRepeat) throw lost
  emit({ kind: 'write-lost', cameBack: trouble.cameBack })
  const since = clock.now()
  const pauses = isBusy ? [retryDelay(retry, lost.retryAfterMs, random)] : LOST_WRITE_PAUSES_MS
  const looks = pauses.length
  for (let count = 1; ; count++) {
    const usualMs = pauses[count - 1] ?? READ_AGAIN_MS
    const pauseMs = count === 1 && mayRepeat ? Math.max(usualMs, retryAfterMs) : usualMs
    await clock.sleep(Math.max(0, Math.min(pauseMs, deadline - clock.now())), signal)
    if (clock.now() >= deadline) throw lost
    try {
      const found = await find({ isPastLag: clock.now() - since >= STALE_READ_MS })
      if (found !== undefined) return found
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (count < looks + maxRetries) continue
      const cameBack = `${trouble.cameBack}; the check for its result failed, too: ${thrown.trouble.cameBack}`
      throw new AmbiguousWriteError({ ...trouble, cameBack }, { cause: lost })
    }
    if (count >= looks && !mayRepeat) throw lost
    if (count >= looks) return undefined
  }
}
