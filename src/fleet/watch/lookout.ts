import type { Clock } from '../../clock.ts'
import type { Lookout } from '../../rollout/read/lookout.ts'
import { BLIND_PAUSE_MS, LOOK_MS } from '../timing.ts'
import type { Batches } from './batches.ts'

/** All rollouts look at the same moments, so that few requests serve them. */
export function openLookout({ look }: Pick<Batches, 'look'>, clock: Clock, signal: AbortSignal): Lookout {
  return {
    async until(at, deploymentId, isOfInterest) {
      const blindAt = clock.now() + BLIND_PAUSE_MS
      for (;;) {
        const now = clock.now()
        const lookAt = (Math.floor(now / LOOK_MS) + 1) * LOOK_MS
        if (lookAt >= at) {
          await clock.sleep(Math.max(0, at - now), signal)
          return 'time'
        }
        await clock.sleep(lookAt - now, signal)
        const found = await look(deploymentId)
        if (found === 'blind' && clock.now() >= blindAt) return 'blind'
        if (typeof found === 'object' && isOfInterest(found)) return found
      }
    },
  }
}
