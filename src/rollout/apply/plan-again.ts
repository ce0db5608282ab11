import type { Emit, RolloutEvent } from '../event.ts'
import { PLANS } from '../timing.ts'
import { ChangedError } from './deployment-change.ts'

/**
 * Begins to apply a plan.
 * @param plans how many were made, with this one
 * @param mayPlanAgain whether another plan may follow the change
 * @returns the change, which it emits, if the run is to plan again
 * @throws what `begin` throws
 */
export async function unlessChanged<T>(
  begin: () => Promise<T>,
  plans: number,
  { emit }: { emit: Emit<RolloutEvent> },
  mayPlanAgain: (changed: ChangedError) => boolean = () => true,
): Promise<T | ChangedError> {
  try {
    return await begin()
  } catch (thrown) {
    if (!(thrown instanceof ChangedError) || plans >= PLANS || !mayPlanAgain(thrown)) throw thrown
    const { deploymentId, change } = thrown
    emit({ kind: 'changed-meanwhile', deploymentId, change })
    return thrown
  }
}
