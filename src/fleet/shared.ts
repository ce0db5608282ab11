import type { Revision } from '../control-plane/model.ts'
import { oncePerKey } from '../async.ts'
import { readEarlierOnce, type ReadEarlier } from '../rollout/read/earlier-revisions.ts'
import type { FleetDependencies, Shared } from './dependencies.ts'
import type { FleetRequest } from './fleet-request.ts'
import { LISTS_OF_EARLIER, MOST_EARLIER, PROBES_AT_ONCE } from './timing.ts'
import { gathering, openBatches } from './watch/batches.ts'
import { openBudget } from './watch/budget.ts'
import { openLookout } from './watch/lookout.ts'
import { openPauses } from './watch/pauses.ts'
import { openTurns } from './watch/turns.ts'

/** Opens what the rollouts of a fleet share: requests within a budget, gathered reads, and what each has learned. */
export function openShared(
  { requestsPerSecond }: Pick<FleetRequest, 'requestsPerSecond'>,
  deps: FleetDependencies,
): Shared {
  const { clock, signal, paced, ...rest } = deps
  const budget = openBudget(requestsPerSecond, deps)
  const controlPlane = paced(budget)
  const batches = openBatches(controlPlane, deps)
  return {
    ...rest,
    clock,
    signal,
    endsAt: deps.deadline,
    controlPlane: gathering(controlPlane, batches),
    lookout: openLookout(batches, requestsPerSecond, clock, signal),
    readEarlier: readEarlierOfSome(),
    writeTurn: async (latest) => await budget.turn({ method: 'POST' }, latest),
    pauses: openPauses(requestsPerSecond, clock),
    probeTurn: openTurns(PROBES_AT_ONCE),
    // Most deployments of a fleet have the same two commits.
    compareCommits: oncePerKey(deps.compareCommits, (deployed, ours) => `${deployed} ${ours}`),
    readCommit: oncePerKey(deps.readCommit, ({ repository, ref }) => `${repository} ${ref}`),
  }
}

/** The usual time of a few deployments is used for all. */
function readEarlierOfSome(): ReadEarlier {
  const readers = Array.from({ length: LISTS_OF_EARLIER }, readEarlierOnce)
  const known: Promise<readonly Revision[]>[] = []
  return async (controlPlane, deploymentId) => {
    const reader = readers.pop()
    if (reader !== undefined) known.push(reader(controlPlane, deploymentId))
    return (await Promise.all(known)).flat().slice(0, MOST_EARLIER)
  }
}
