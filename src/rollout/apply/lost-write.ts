import { AmbiguousWriteError, ControlPlaneError } from '../../control-plane/errors.ts'
import { retryDelay } from '../../control-plane/retry.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { LOST_WRITE_PAUSES_MS } from '../timing.ts'

/**
 * Looks for the result of a write whose response was lost.
 * @param find reads the result; undefined if there is none (yet)
 * @returns undefined when the write certainly did not succeed, so that it may be repeated
 * @throws AmbiguousWriteError when no read succeeded, or the deadline has passed: the result stays unknown
 */
export async function findLostWrite<Found>(
  lost: AmbiguousWriteError,
  retry: number,
  find: () => Promise<Found | undefined>,
  { clock, random, signal, deadline, maxRetries, emit }: Omit<WriteDependencies, 'controlPlane'>,
): Promise<Found | undefined> {
  const { maybeAtWork, trouble } = lost
  emit({ kind: 'write-lost', cameBack: trouble.cameBack })
  const pauses = maybeAtWork ? LOST_WRITE_PAUSES_MS : []
  const reads = Math.max(1, pauses.length)
  for (let count = 0; ; count++) {
    await clock.sleep(pauses[count] ?? retryDelay(retry + count, undefined, random), signal)
    if (clock.now() >= deadline) throw lost
    try {
      const found = await find()
      if (found !== undefined || count + 1 >= reads) return found
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (count < Math.max(maxRetries, reads)) continue
      const cameBack = `${trouble.cameBack}; the check for its result failed, too: ${thrown.trouble.cameBack}`
      throw new AmbiguousWriteError({ ...trouble, cameBack }, maybeAtWork, { cause: lost })
    }
  }
}
