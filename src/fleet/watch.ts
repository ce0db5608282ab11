import type { Clock } from '../clock.ts'
import { type GatheredReads, PAGE_SIZE } from '../control-plane/many.ts'
import type { Lookout } from '../rollout/dependencies.ts'
import type { RolloutEvent } from '../rollout/event.ts'
import { phaseOf } from '../rollout/outcome.ts'
import type { PollInterval } from '../rollout/rollout-request.ts'

// How closely the deployments of a fleet are watched: few of them as a single one is, and many by looks at all.

/** From one look at all deployments under way to the next, at most. */
const LOOK_MS = 5_000
/** Pause between two reads of a revision whose deployment no list shows. */
const BLIND_PAUSE_MS = 12_000
/** Pause between two reads of a revision that no list shows as active: 95 % of failures are seen within a minute. */
export const FAILURE_PAUSE_MS = 55_000
/** At most so many rollouts at the same time are each watched as a single one. */
const FEW = 8
/** A single watch may send a request a second for a short time: so much of the budget may serve them all. */
const PART_OF_FEW = 0.8
/** With more than {@link FEW}, looks and reads together are fewer than single watches send. */
const LOOK_MS_EACH = 24_000
const SHORTEST_LOOK_MS = 2_000
const READ_MS_EACH = 400
/** Of a small budget, the looks take at most this part, and the reads as much. */
const PART = 1 / 20

/** Whether each rollout has the watch of a single one. @param parallel the most rollouts under way at the same time */
export function isFew(parallel: number, perSecond: number): boolean {
  return parallel <= Math.min(FEW, PART_OF_FEW * perSecond)
}

/** Milliseconds from one look at all deployments to the next: the more of them wait for it, the sooner it follows. */
export function lookPause(underWay: number, perSecond: number): number {
  const shared = Math.ceil(LOOK_MS_EACH / Math.max(1, underWay) / 1_000) * 1_000
  const requests = Math.max(1, Math.ceil(underWay / PAGE_SIZE))
  const shortest = requests * Math.max(SHORTEST_LOOK_MS, 1_000 / (PART * perSecond))
  return Math.min(LOOK_MS, Math.max(shared, shortest))
}

/** Milliseconds between two reads of a revision: they show phases and failures. All together become fewer, too. */
export function readPause(parallel: number, perSecond: number): number {
  return Math.min(FAILURE_PAUSE_MS, parallel * Math.max(READ_MS_EACH * parallel, 1_000 / (PART * perSecond)))
}

/** With fewer, nothing is learned. */
const ENOUGH = 10
/** Few deployments are this much faster than the others. */
const FAST_SHARE = 0.1
/** A build fails before the whole rollout would have ended. */
const EARLY = 0.6

/** The pauses between the reads of single revisions, by what the fleet has learned in this run. */
export class Pauses {
  readonly #perSecond: number
  readonly #clock: Clock
  /** The times of revisions from their creation to DEPLOYED, ascending: each of thousands of rollouts asks for it. */
  readonly #deployedMs: number[] = []
  /** That of the earliest failure, at the earliest. */
  #failedMs = Infinity

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond
    this.#clock = clock
  }

  /** `auto`: as a single rollout is watched. `isBegun`: the revision was created before this run. */
  next(parallel: number, isBegun: boolean): PollInterval {
    if (isFew(parallel, this.#perSecond)) return 'auto'
    const thenMs = readPause(parallel, this.#perSecond)
    return { firstMs: isBegun || thenMs < FAILURE_PAUSE_MS ? thenMs : this.#first(), thenMs }
  }

  /** Returns what listens to the events of one rollout. */
  learn(): (event: RolloutEvent) => void {
    let since: number | undefined
    return (event) => {
      const now = this.#clock.now()
      if (event.kind === 'applied') since = now
      if (event.kind !== 'status' || since === undefined || phaseOf(event.revision.status) !== 'terminal') return
      const { status, createdAt, updatedAt } = event.revision
      const atMost = now - since
      if (status === 'DEPLOYED') {
        this.#deployedMs.splice(this.#deployedMs.findLastIndex((ms) => ms <= atMost) + 1, 0, atMost)
      } else if (status.endsWith('_FAILED')) {
        const reported = createdAt === undefined || updatedAt === undefined ? 0 : updatedAt - createdAt
        const atLeast = Math.max(0, atMost - FAILURE_PAUSE_MS)
        this.#failedMs = Math.min(this.#failedMs, reported > 0 && reported <= atMost ? reported : atLeast)
      }
      since = undefined
    }
  }

  /**
   * The list shows who succeeds: a read of the revision shows only a failure. The first one follows when a failure is
   * late by {@link FAILURE_PAUSE_MS}, if it comes as early as failures do.
   */
  #first(): number {
    const ended = this.#deployedMs
    if (ended.length < ENOUGH) return FAILURE_PAUSE_MS
    const fast = ended[Math.floor(ended.length * FAST_SHARE)] ?? 0
    return FAILURE_PAUSE_MS + Math.min(FAILURE_PAUSE_MS, fast * EARLY, this.#failedMs)
  }
}

/** All rollouts look at the same moments, so that few requests serve them. */
export function openLookout(reads: GatheredReads, perSecond: number, clock: Clock, signal: AbortSignal): Lookout {
  let underWay = 0
  return {
    async until(at, deploymentId, isOfInterest) {
      underWay += 1
      try {
        const blindAt = clock.now() + BLIND_PAUSE_MS
        for (;;) {
          const now = clock.now()
          const pauseMs = lookPause(underWay, perSecond)
          const lookAt = (Math.floor(now / pauseMs) + 1) * pauseMs
          await clock.sleep(Math.max(0, Math.min(at, lookAt) - now), signal)
          if (lookAt >= at) return { kind: 'time' }
          const found = await reads.look(deploymentId)
          if (found.kind === 'blind' && clock.now() >= blindAt) return found
          if (found.kind === 'found' && isOfInterest(found.deployment)) return found
        }
      } finally {
        underWay -= 1
      }
    },
  }
}
