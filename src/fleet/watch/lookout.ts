import type { Clock } from '../../clock.ts'
import type { Lookout } from '../../rollout/read/lookout.ts'
import { BLIND_PAUSE_MS } from '../timing.ts'
import type { Batches } from './batches.ts'
import { lookPause } from './pace.ts'

/** All rollouts look at the same moments, so that few requests serve them. */
export function openLookout(
  { look }: Pick<Batches, 'look'>,
  perSecond: number,
  clock: Clock,
  signal: AbortSignal,
): Lookout {
  let underWay = 0
  const until: Lookout['until'] = async (at, deploymentId, isOfInterest) => {
    const blindAt = clock.now() + BLIND_PAUSE_MS
    for (;;) {
      const now = clock.now()
      const pauseMs = lookPause(underWay, perSecond)
      const lookAt = (Math.floor(now / pauseMs) + 1) * pauseMs
      if (lookAt >= at) {
        await clock.sleep(Math.max(0, at - now), signal)
        return { kind: 'time' }
      }
      await clock.sleep(lookAt - now, signal)
      const found = await look(deploymentId)
      if (found.kind === 'blind' && clock.now() >= blindAt) return found
      if (found.kind === 'found' && isOfInterest(found.deployment)) return found
    }
  }
  return {
    async until(...asked) {
      underWay += 1
      try {
        return await until(...asked)
      } finally {
        underWay -= 1
      }
    },
  }
}
