import type { Clock } from '../../clock.ts'
import { BrokenContractError, isNotFound } from '../../control-plane/errors.ts'

/** What was just created may be unknown to a lagging replica for so long (contract notes, GET revision), in milliseconds. */
export const REPLICA_LAG_MS = 30_000
/** Milliseconds between two looks for something that may not show at once. */
export const LOOK_AGAIN_MS = 2_000

/** Something that stands between may answer in the control plane's place, so many times. */
const BROKEN_ANSWERS = 2

/**
 * Reads a resource whose id the control plane has reported. Reads it again after a 404 or a broken answer.
 * @throws what `read` throws; RefusedError when the answer is still a 404 after REPLICA_LAG_MS
 */
export async function pastReplicaLag<T>(
  read: () => Promise<T>,
  { clock, signal, deadline }: { clock: Clock; signal: AbortSignal; deadline: number },
): Promise<T> {
  const giveUpAt = Math.min(clock.now() + REPLICA_LAG_MS, deadline - LOOK_AGAIN_MS)
  let broken = 0
  for (;;) {
    try {
      return await read()
    } catch (thrown) {
      const isBroken = thrown instanceof BrokenContractError && ++broken <= BROKEN_ANSWERS
      if ((!isNotFound(thrown) && !isBroken) || clock.now() >= giveUpAt) throw thrown
      await clock.sleep(LOOK_AGAIN_MS, signal)
    }
  }
}
