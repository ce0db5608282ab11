import { GatheredReads, gathering } from '../control-plane/many.ts'
import type { Revision } from '../control-plane/model.ts'
import { oncePerKey } from '../async.ts'
import type { PromotedReading, Run } from '../rollout/dependencies.ts'
import { readEarlier, type ReadEarlier } from '../rollout/read/earlier-rollouts.ts'
import { Budget, openTurns } from './budget.ts'
import type { FleetEvent } from './event.ts'
import type { FleetRequest } from './fleet-request.ts'
import { FleetWatch } from './watch.ts'

/** Addresses that are read at the same time: a check of a thousand deployments opens no thousand connections at once. */
const PROBES_AT_ONCE = 100
/** How long the commit of a ref counts. */
const REF_READ_MS = 60_000
/** Deployments whose earlier revisions are listed: their times stand for those of all. */
const LISTS_OF_EARLIER = 3
const MOST_EARLIER = 30

/** What the rollouts of a fleet share: requests within a budget, gathered reads, and what each has learned. */
export interface Shared extends Run<FleetEvent> {
  lookout: FleetWatch
}

export function ofDeployment(name: string, shared: Shared): Run {
  return { ...shared, emit: (event) => shared.emit({ kind: 'of-deployment', name, event }) }
}

export function openShared({ requestsPerSecond }: FleetRequest, deps: Run<FleetEvent>): Shared {
  const { clock, deadline, gitHub } = deps
  const budget = new Budget(requestsPerSecond, deps)
  const controlPlane = deps.paced(budget)
  const reads = new GatheredReads(controlPlane, deps)
  return {
    ...deps,
    endsAt: deadline,
    controlPlane: gathering(controlPlane, reads),
    lookout: new FleetWatch(reads, requestsPerSecond, deps),
    readEarlier: readEarlierOfSome(),
    writeTurn: async (latest) => await budget.turn({ method: 'POST' }, latest),
    probeTurn: openTurns(PROBES_AT_ONCE),
    gitHub: {
      ...gitHub,
      // Most deployments of a fleet have the same two commits.
      compareCommits: oncePerKey(gitHub.compareCommits, (deployed, ours) => `${deployed} ${ours}`),
      // A branch may move while a long fleet is under way.
      readCommit: oncePerKey(gitHub.readCommit, ({ repository, ref }) => {
        return `${repository} ${ref} ${Math.floor(clock.now() / REF_READ_MS)}`
      }),
    },
    promotedOnce: oncePerKey(
      async (_name: string, read: () => Promise<PromotedReading>) => await read(),
      (name) => name,
    ),
  }
}

/** The usual time of a few deployments is used for all. */
function readEarlierOfSome(): ReadEarlier {
  const known: Promise<readonly Revision[]>[] = []
  return async (controlPlane, deploymentId) => {
    if (known.length < LISTS_OF_EARLIER) known.push(readEarlier(controlPlane, deploymentId))
    return (await Promise.all(known)).flat().slice(0, MOST_EARLIER)
  }
}
