import type { Clock } from '../../clock.ts'
import { AmbiguousWriteError, ControlPlaneError } from '../../control-plane/errors.ts'
import { retryDelay } from '../../control-plane/retry.ts'
import { LOST_WRITE_PAUSES_MS } from '../timing.ts'

export interface LookDoors {
  clock: Clock
  random: () => number
  signal: AbortSignal
  /** Monotonic milliseconds after which nobody looks any more. */
  deadline: number
  /** How often an ambiguous write is looked after and repeated, and how often a look that failed is. */
  maxRetries: number
  /** Told when an ambiguous write is being looked after. */
  onRecovery: (note: string) => void
}

/**
 * Looks for what came of a write whose answer was lost.
 * @returns nothing when it certainly was not done, so that it may be sent again
 * @throws AmbiguousWriteError when nothing could be seen, or the time is over: then nobody knows
 */
export async function findLostWrite<Found>(
  lost: AmbiguousWriteError,
  retry: number,
  look: () => Promise<Found | undefined>,
  { clock, random, signal, deadline, maxRetries, onRecovery }: LookDoors,
): Promise<Found | undefined> {
  onRecovery(`${lost.trouble.cameBack}: looking whether it was done before anything is repeated`)
  const looks = lost.maybeAtWork ? LOST_WRITE_PAUSES_MS.length : 1
  for (let count = 0; ; count++) {
    const pause = lost.maybeAtWork ? LOST_WRITE_PAUSES_MS[count] : undefined
    await clock.sleep(pause ?? retryDelay(retry + count, undefined, random), signal)
    if (clock.now() >= deadline) throw lost
    try {
      const found = await look()
      if (found !== undefined || count + 1 >= looks) return found
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (count >= Math.max(maxRetries, looks)) throw unseen(lost, thrown)
    }
  }
}

function unseen(lost: AmbiguousWriteError, { trouble }: ControlPlaneError): AmbiguousWriteError {
  const cameBack = `${lost.trouble.cameBack}; and when looking whether it was done, ${trouble.cameBack}`
  return new AmbiguousWriteError({ ...lost.trouble, cameBack }, lost.maybeAtWork, { cause: lost })
}
