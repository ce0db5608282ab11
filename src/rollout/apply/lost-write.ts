import { AmbiguousWriteError, ControlPlaneError } from '../../control-plane/errors.ts'
import { retryDelay } from '../../control-plane/retry.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { LOST_WRITE_PAUSES_MS } from '../timing.ts'

/**
 * Looks for the result of a write whose answer was lost.
 * @returns undefined when the write certainly did not succeed, so that it may be repeated
 * @throws AmbiguousWriteError when no look succeeded, or the deadline has passed: the result stays unknown
 */
export async function findLostWrite<Found>(
  lost: AmbiguousWriteError,
  retry: number,
  look: () => Promise<Found | undefined>,
  { clock, random, signal, deadline, maxRetries, emit }: Omit<WriteDependencies, 'controlPlane'>,
): Promise<Found | undefined> {
  emit({ kind: 'write-lost', cameBack: lost.trouble.cameBack })
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
      if (count >= Math.max(maxRetries, looks)) throw lookFailed(lost, thrown)
    }
  }
}

function lookFailed(lost: AmbiguousWriteError, { trouble }: ControlPlaneError): AmbiguousWriteError {
  const cameBack = `${lost.trouble.cameBack}; the look for its result failed as well: ${trouble.cameBack}`
  return new AmbiguousWriteError({ ...lost.trouble, cameBack }, lost.maybeAtWork, { cause: lost })
}
