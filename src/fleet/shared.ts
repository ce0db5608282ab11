import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { Revision } from '../control-plane/model.ts'
import type { Pace } from '../control-plane/pace.ts'
import { gathering, openBatches } from './batches.ts'
import { openBudget, openTurns } from './budget.ts'
import type { EmitFleet } from './event.ts'
import type { FleetRequest } from './fleet-request.ts'
import { LISTS_OF_EARLIER, MOST_EARLIER, PROBES_AT_ONCE } from './timing.ts'
import { type Pauses, openLookout, openPauses } from './watch.ts'
import { oncePerKey } from '../once-per-key.ts'
import type { Dependencies } from '../rollout/dependencies.ts'
import { type ReadEarlier, readEarlierOnce } from '../rollout/read/earlier-revisions.ts'

/** What a fleet reaches out of the process through. `deadline`: of the whole run. */
export interface FleetDependencies extends Omit<Dependencies, 'controlPlane' | 'emit' | 'readEarlier' | 'lookout'> {
  emit: EmitFleet
  /** Opens the control plane: every attempt of a request waits for its turn. */
  paced: (pace: Pace) => ControlPlane
  /** In a rerun, what is unchanged is verified: the check of the earlier run may have failed. */
  isFirstAttempt: boolean
}

/** What each rollout of a fleet shares with the others. */
export interface Shared extends Omit<Dependencies, 'emit' | 'lookout'>, Required<Pick<Dependencies, 'lookout'>> {
  emit: EmitFleet
  pauses: Pauses
  isFirstAttempt: boolean
}

/** The dependencies of one rollout. */
export function ofDeployment(name: string, shared: Omit<Shared, 'lookout'>): Dependencies {
  return { ...shared, emit: (event) => shared.emit({ kind: 'of-deployment', name, event }) }
}

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
