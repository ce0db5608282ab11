import { withTime, type Dependencies, type ReadDependencies } from '../dependencies.ts'
import type { WatchEvent } from '../event.ts'
import { EARLIER_READING_MS } from '../timing.ts'
import { usualTime } from './usual-time.ts'

/** Adds to a heartbeat how long the deployment's earlier rollouts took, where the service shows it. */
export async function withUsualTime(
  event: WatchEvent,
  { deploymentId, revisionId }: Record<'deploymentId' | 'revisionId', string>,
  deps: ReadDependencies & Pick<Dependencies, 'readEarlier'>,
): Promise<WatchEvent> {
  if (event.kind !== 'heartbeat') return event
  const { controlPlane } = withTime(deps, EARLIER_READING_MS)
  const usual = usualTime(await deps.readEarlier(controlPlane, deploymentId), revisionId)
  return usual === undefined ? event : { ...event, usual }
}
