import type { ControlPlane } from '../../control-plane/client.ts'
import { ifReadable } from '../../control-plane/errors.ts'
import type { Revision } from '../../control-plane/model.ts'

/** Revisions that the estimate is made from. */
const EARLIER_REVISIONS = 10

/** The latest revisions of the deployment; none if the service does not return them. */
export async function readEarlier(controlPlane: ControlPlane, deploymentId: string): Promise<readonly Revision[]> {
  const limit = EARLIER_REVISIONS
  const listed = await ifReadable(async () => await controlPlane.listRevisions(deploymentId, { limit }, { retries: 0 }))
  // A service may ignore the limit. The newest come first.
  return listed?.slice(0, limit) ?? []
}

export type ReadEarlier = typeof readEarlier

/** The list is read once in a run, whatever number of revisions the run watches. */
export function readEarlierOnce(): ReadEarlier {
  let reading: ReturnType<ReadEarlier> | undefined
  return async (...query) => await (reading ??= readEarlier(...query))
}
