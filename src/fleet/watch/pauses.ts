import type { Clock } from '../../clock.ts'
import type { RolloutEvent } from '../../rollout/event.ts'
import { phaseOf } from '../../rollout/outcome.ts'
import type { PollInterval } from '../../rollout/rollout-request.ts'
import { FAILURE_PAUSE_MS } from '../timing.ts'
import { isFew, readPause } from './pace.ts'

/** The pauses between the reads of single revisions, by what the fleet has learned in this run. */
export interface Pauses {
  /**
   * @param parallel the most rollouts under way at the same time
   * @param isBegun the revision was created before this run
   * @returns `auto`: as a single rollout is watched, and no lists show anything
   */
  next: (parallel: number, isBegun: boolean) => PollInterval
  /** Returns what listens to the events of one rollout. */
  learn: () => (event: RolloutEvent) => void
}

/** Times from the creation of revisions to their ends, in milliseconds. */
interface Ended {
  /** Ascending: each of thousands of rollouts asks for it. */
  deployed: readonly number[]
  /** Of the earliest failure, at the earliest. */
  failed: number
}

/** With fewer, nothing is learned. */
const ENOUGH = 10
/** Few deployments are this much faster than the others. */
const FAST_SHARE = 0.1
/** A build fails before the whole rollout would have ended. */
const EARLY = 0.6

/**
 * The list shows who succeeds: a read of the revision shows only a failure. The first one follows when a failure is late
 * by {@link FAILURE_PAUSE_MS}, if it comes as early as failures do.
 */
function firstPause({ deployed, failed }: Ended): number {
  if (deployed.length < ENOUGH) return FAILURE_PAUSE_MS
  const fast = deployed[Math.floor(deployed.length * FAST_SHARE)] ?? 0
  return FAILURE_PAUSE_MS + Math.min(FAILURE_PAUSE_MS, fast * EARLY, failed)
}

export function openPauses(perSecond: number, clock: Clock): Pauses {
  const deployed: number[] = []
  const ended: Ended = { deployed, failed: Infinity }
  return {
    next(parallel, isBegun) {
      if (isFew(parallel, perSecond)) return 'auto'
      const thenMs = readPause(parallel, perSecond)
      return { firstMs: isBegun || thenMs < FAILURE_PAUSE_MS ? thenMs : firstPause(ended), thenMs }
    },
    learn() {
      let since: number | undefined
      return (event) => {
        if (event.kind === 'applied') since = clock.now()
        if (event.kind !== 'status' || since === undefined || phaseOf(event.revision.status) !== 'terminal') return
        const { status, createdAt, updatedAt } = event.revision
        const atMost = clock.now() - since
        if (status === 'DEPLOYED') deployed.splice(deployed.findLastIndex((ms) => ms <= atMost) + 1, 0, atMost)
        else if (status.endsWith('_FAILED')) {
          const reported = createdAt === undefined || updatedAt === undefined ? 0 : updatedAt - createdAt
          const atLeast = Math.max(0, atMost - FAILURE_PAUSE_MS)
          ended.failed = Math.min(ended.failed, reported > 0 && reported <= atMost ? reported : atLeast)
        }
        since = undefined
      }
    },
  }
}
