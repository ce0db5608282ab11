import type { ControlPlane } from '../../src/control-plane/client.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import { aDeployment, aRevision, REVISION_ID } from '../builders.ts'
import { aControlPlane, refusedWith } from '../control-plane-stub.ts'

/** When the memory control plane answers, by its own clock. */
export const SERVER_TIME = Date.UTC(2026, 5, 1)

export interface MemoryControlPlane {
  controlPlane: ControlPlane
  deployments: Deployment[]
  /** The ids of the requests to delete, in their order. */
  deletions: string[]
  /** Carries out a request to delete. Throws a 404 for an unknown deployment. */
  remove: (id: string) => void
  /** The deadlines that `within` was called with, in monotonic milliseconds. */
  deadlines: number[]
}

/**
 * A control plane that keeps its deployments in memory. Its revisions report these statuses, one for each read; the last
 * one stays.
 */
export function aMemoryControlPlane(
  deployments: Deployment[] = [],
  statuses: readonly string[] = ['BUILDING', 'DEPLOYED'],
  over: Partial<ControlPlane> = {},
): MemoryControlPlane {
  const deletions: string[] = []
  const deadlines: number[] = []
  let reads = 0
  const find = (id: string): Deployment => {
    const found = deployments.find((one) => one.id === id)
    if (found === undefined) throw refusedWith(404)
    return found
  }
  const remove = (id: string): void => {
    deletions.push(id)
    deployments.splice(deployments.indexOf(find(id)), 1)
  }
  const controlPlane = aControlPlane({
    within: (deadline) => {
      deadlines.push(deadline)
      return controlPlane
    },
    getDeployment: (id) => Promise.try(find, id),
    listDeployments: ({ ids }) => {
      const resources = deployments.filter(({ id }) => ids?.includes(id) ?? true)
      return Promise.resolve({ resources, offset: resources.length, serverTime: SERVER_TIME })
    },
    createDeployment: ({ name, source, settings }) => {
      const revisions = { latestRevisionId: REVISION_ID, activeRevisionId: REVISION_ID }
      const created = aDeployment({ id: `id-of-${name}`, name, source, settings, ...revisions })
      deployments.push(created)
      return Promise.resolve(created)
    },
    getRevision: (id) =>
      Promise.try(() => {
        find(id)
        return aRevision({ status: statuses[Math.min(reads++, statuses.length - 1)] ?? '' })
      }),
    deleteDeployment: (id) => Promise.try(remove, id),
    readLog: () => Promise.resolve(['npm ERR!']),
    ...over,
  })
  return { controlPlane, deployments, deletions, remove, deadlines }
}

/** The end of an operation: its outcome, or the error that it throws. */
export async function endOf<Outcome>(running: Promise<Outcome>): Promise<{ outcome?: Outcome; error?: unknown }> {
  try {
    return { outcome: await running }
  } catch (error) {
    return { error }
  }
}
