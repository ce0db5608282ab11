import type { Clock } from '../../clock.ts'
import { BrokenContractError, isNotFound } from '../../control-plane/errors.ts'
import { BROKEN_RESPONSES, READ_AGAIN_MS, REPLICA_LAG_MS } from '../timing.ts'

/**
 * Reads what must be there, as the control plane has named it: a 404 is given time to pass, and an answer that is none
 * is asked for again.
 * @throws what reading throws; RefusedError when it is still a 404 in the end
 */
export async function pastReplicaLag<T>(
  read: () => Promise<T>,
  { clock, signal, deadline }: { clock: Clock; signal: AbortSignal; deadline: number },
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
