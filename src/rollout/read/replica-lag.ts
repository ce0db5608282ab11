import { BrokenContractError, isNotFound } from '../../control-plane/errors.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { BROKEN_RESPONSES, READ_AGAIN_MS, REPLICA_LAG_MS } from '../timing.ts'

type WaitDependencies = Omit<ReadDependencies, 'controlPlane'>

/**
 * Reads a resource whose id the control plane has reported. Reads it again after a 404 or a broken response.
 * @throws what `read` throws; RefusedError when it is still missing after {@link REPLICA_LAG_MS}
 */
export async function pastReplicaLag<T>(read: () => Promise<T>, deps: WaitDependencies): Promise<T> {
  return await readAgain(read, isNotFound, deps)
}

/**
 * Reads again after a broken response, such as one about another resource.
 * @throws what `read` throws
 */
export async function pastBrokenAnswers<T>(read: () => Promise<T>, deps: WaitDependencies): Promise<T> {
  return await readAgain(read, () => false, deps)
}

async function readAgain<T>(
  read: () => Promise<T>,
  mayPass: (thrown: unknown) => boolean,
  { clock, signal, deadline }: WaitDependencies,
): Promise<T> {
  const giveUpAt = Math.min(clock.now() + REPLICA_LAG_MS, deadline - READ_AGAIN_MS)
  let broken = 0
  for (;;) {
    try {
      return await read()
    } catch (thrown) {
      const isBroken = thrown instanceof BrokenContractError && ++broken <= BROKEN_RESPONSES
      if ((!mayPass(thrown) && !isBroken) || clock.now() >= giveUpAt) throw thrown
      await clock.sleep(READ_AGAIN_MS, signal)
    }
  }
}
