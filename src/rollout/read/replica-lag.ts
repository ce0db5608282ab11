import type { Clock } from '../../clock.ts'
import { BrokenContractError, isNotFound } from '../../control-plane/errors.ts'

/** What was just created may be unknown to a lagging replica for so long (contract notes, GET revision), in milliseconds. */
export const REPLICA_LAG_MS = 30_000
/** Milliseconds between two looks for something that may not show at once. */
export const LOOK_AGAIN_MS = 2_000

/** Something that stands between may answer in the control plane's place, so many times. */
const BROKEN_ANSWERS = 2

/**
 * Reads what must be there, as the control plane has named it: a 404 is given time to pass, and an answer that is none
 * is asked for again.
 * @throws what reading throws; RefusedError when it is still a 404 in the end
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
