import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { ifReadable } from '../../control-plane/errors.ts'
import type { Revision } from '../../control-plane/model.ts'
import { EARLIER_REVISIONS } from '../timing.ts'

/** Reads the latest revisions of the run's deployment; an empty list if the service does not return them. */
export type ReadEarlier = (controlPlane: ControlPlane, deploymentId: string) => Promise<readonly Revision[]>

/** The list is read once in a run, whatever number of revisions the run watches. */
export function readEarlierOnce(): ReadEarlier {
  let reading: Promise<readonly Revision[]> | undefined
  return async (controlPlane, deploymentId) => await (reading ??= readList(controlPlane, deploymentId))
}

async function readList(controlPlane: ControlPlane, deploymentId: string): Promise<readonly Revision[]> {
  const limit = EARLIER_REVISIONS
  const listed = await ifReadable(async () => await controlPlane.listRevisions(deploymentId, { limit }, { retries: 0 }))
  // A service may ignore the limit. The newest come first.
  return listed?.slice(0, limit) ?? []
}
