import { BrokenContractError, isNotFound } from '../../control-plane/errors.ts'
import type { Dependencies } from '../dependencies.ts'

/** How long a lagging replica may not know a new resource (contract notes, GET revision), in milliseconds. */
export const REPLICA_LAG_MS = 30_000
/** Milliseconds between two reads of something that may not be visible yet. */
export const LOOK_AGAIN_MS = 2_000

/** A proxy may answer in the control plane's place: how many such answers are read again. */
const MAX_BROKEN_ANSWERS = 2

/**
 * Reads a resource whose id the control plane has reported. Reads it again after a 404 or a broken answer.
 * @throws what `read` throws; RefusedError when the answer is still a 404 after {@link REPLICA_LAG_MS}
 */
export async function pastReplicaLag<T>(
  read: () => Promise<T>,
  { clock, signal, deadline }: Pick<Dependencies, 'clock' | 'signal' | 'deadline'>,
): Promise<T> {
  const giveUpAt = Math.min(clock.now() + REPLICA_LAG_MS, deadline - LOOK_AGAIN_MS)
  let broken = 0
  for (;;) {
    try {
      return await read()
    } catch (thrown) {
      const isBroken = thrown instanceof BrokenContractError && ++broken <= MAX_BROKEN_ANSWERS
      if ((!isNotFound(thrown) && !isBroken) || clock.now() >= giveUpAt) throw thrown
      await clock.sleep(LOOK_AGAIN_MS, signal)
    }
  }
}
