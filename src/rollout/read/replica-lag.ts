import { BrokenContractError, isNotFound } from '../../control-plane/errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { BROKEN_RESPONSES, READ_AGAIN_MS, REPLICA_LAG_MS } from '../timing.ts'

/**
 * Reads a resource whose id the control plane has reported. Reads it again after a 404 or a broken answer.
 * @throws what `read` throws; RefusedError when the answer is still a 404 after {@link REPLICA_LAG_MS}
 */
export async function pastReplicaLag<T>(
  read: () => Promise<T>,
  { clock, signal, deadline }: Pick<Dependencies, 'clock' | 'signal' | 'deadline'>,
): Promise<T> {
  const giveUpAt = Math.min(clock.now() + REPLICA_LAG_MS, deadline - READ_AGAIN_MS)
  let broken = 0
  for (;;) {
    try {
      return await read()
    } catch (thrown) {
      const isBroken = thrown instanceof BrokenContractError && ++broken <= BROKEN_RESPONSES
      if ((!isNotFound(thrown) && !isBroken) || clock.now() >= giveUpAt) throw thrown
      await clock.sleep(READ_AGAIN_MS, signal)
    }
  }
}
