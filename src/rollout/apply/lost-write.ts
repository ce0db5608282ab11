import { AmbiguousWriteError, ControlPlaneError } from '../../control-plane/errors.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { LOST_WRITE_PAUSES_MS, READ_AGAIN_MS, STALE_READ_MS } from '../timing.ts'

/** One of the reads that look for the result of a lost write. */
export interface Look {
  /** Every replica shows at least what the run knew before its write. */
  isPastLag: boolean
}

/**
 * Looks for the result of a write whose response was lost, over a whole window: the server may act late, and its
 * replicas may lag.
 * @param find reads the result; undefined if there is none (yet)
 * @returns undefined when a read at the end of the window shows no result, so that the write may be repeated
 * @throws AmbiguousWriteError when that read fails, or the deadline comes first: the result stays unknown
 */
export async function findLostWrite<Found>(
  lost: AmbiguousWriteError,
  find: (look: Look) => Promise<Found | undefined>,
  { clock, signal, deadline, maxRetries, emit }: Omit<WriteDependencies, 'controlPlane'>,
): Promise<Found | undefined> {
  const { trouble } = lost
  emit({ kind: 'write-lost', cameBack: trouble.cameBack })
  const since = clock.now()
  const looks = LOST_WRITE_PAUSES_MS.length
  for (let count = 1; ; count++) {
    const pauseMs = LOST_WRITE_PAUSES_MS[count - 1] ?? READ_AGAIN_MS
    await clock.sleep(Math.max(0, Math.min(pauseMs, deadline - clock.now())), signal)
    if (clock.now() >= deadline) throw lost
    try {
      const found = await find({ isPastLag: clock.now() - since >= STALE_READ_MS })
      if (found !== undefined || count >= looks) return found
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (count < looks + maxRetries) continue
      const cameBack = `${trouble.cameBack}; the check for its result failed, too: ${thrown.trouble.cameBack}`
      throw new AmbiguousWriteError({ ...trouble, cameBack }, { cause: lost })
    }
  }
}
