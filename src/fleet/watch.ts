import { type GatheredReads, PAGE_SIZE } from '../control-plane/many.ts'
import type { Reader, SharedWatch, Update } from '../rollout/dependencies.ts'
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
/** The looks take at most this part of a small budget, and the reads as much. */
const PART = 1 / 20
/** Looks go before writes, which are to have at least as many requests. */
const MOST = 1 / 2

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

/** The shortest pause that leaves a rate room for writes. */
export function leastPause(underWay: number, perSecond: number): number {
  return (1_000 * Math.ceil(underWay / PAGE_SIZE)) / (MOST * perSecond)
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

/** Watches the rollouts of a fleet: all look at the same moments, and pause by what this run has learned. */
export class FleetWatch implements SharedWatch {
  readonly #reads: GatheredReads
  readonly #perSecond: number
  readonly #rateNow: () => number
  readonly #deps: Pick<Reader, 'clock' | 'signal'>
  #underWay = 0
  /** When each rollout was applied, until its revision has ended. */
  readonly #appliedAt = new Map<string, number>()
  /** The times of revisions from their creation to DEPLOYED, ascending: each of thousands of rollouts asks for it. */
  readonly #deployedMs: number[] = []
  /** That of the earliest failure, at the earliest. */
  #failedMs = Infinity

  /** @param rate.now requests a second, which the control plane may have lowered */
  constructor(
    reads: GatheredReads,
    rate: { perSecond: number; now: () => number },
    deps: Pick<Reader, 'clock' | 'signal'>,
  ) {
    this.#reads = reads
    this.#perSecond = rate.perSecond
    this.#rateNow = rate.now
    this.#deps = deps
  }

  async until(...[at, deploymentId, isOfInterest]: Parameters<SharedWatch['until']>): Promise<Update> {
    const { clock, signal } = this.#deps
    this.#underWay += 1
    try {
      const ownReadAt = clock.now() + BLIND_PAUSE_MS
      for (;;) {
        const now = clock.now()
        const underWay = this.#underWay
        const pauseMs = Math.max(lookPause(underWay, this.#perSecond), leastPause(underWay, this.#rateNow()))
        const lookAt = (Math.floor(now / pauseMs) + 1) * pauseMs
        await clock.sleep(Math.max(0, Math.min(at, lookAt) - now), signal)
        if (lookAt >= at) return { kind: 'time' }
        const found = await this.#reads.look(deploymentId)
        if (found.kind === 'blind' && clock.now() >= ownReadAt) return { kind: 'not-covered' }
        if (found.kind === 'found' && isOfInterest(found.deployment)) return found
      }
    } finally {
      this.#underWay -= 1
    }
  }

  /** The pauses between reads of a revision; `auto`: as a single rollout. `isBegun`: it was created before this run. */
  nextPoll(parallel: number, isBegun: boolean): PollInterval {
    if (isFew(parallel, this.#perSecond)) return 'auto'
    const thenMs = readPause(parallel, this.#perSecond)
    return { firstMs: isBegun || thenMs < FAILURE_PAUSE_MS ? thenMs : this.#firstPause(), thenMs }
  }

  /** Learns how long the rollouts take. */
  heard(name: string, event: RolloutEvent): void {
    const now = this.#deps.clock.now()
    if (event.kind === 'applied') this.#appliedAt.set(name, now)
    const since = this.#appliedAt.get(name)
    if (event.kind !== 'status' || since === undefined || phaseOf(event.revision.status) !== 'terminal') return
    this.#appliedAt.delete(name)
    const { status, createdAt, updatedAt } = event.revision
    const atMost = now - since
    if (status === 'DEPLOYED') {
      this.#deployedMs.splice(this.#deployedMs.findLastIndex((ms) => ms <= atMost) + 1, 0, atMost)
    } else if (status.endsWith('_FAILED')) {
      const reported = createdAt === undefined || updatedAt === undefined ? 0 : updatedAt - createdAt
      const atLeast = Math.max(0, atMost - FAILURE_PAUSE_MS)
      this.#failedMs = Math.min(this.#failedMs, reported > 0 && reported <= atMost ? reported : atLeast)
    }
  }

  /**
   * The list shows who succeeds: a read of the revision shows only a failure. The first one follows when a failure is
   * late by {@link FAILURE_PAUSE_MS}, if it comes as early as failures do.
   */
  #firstPause(): number {
    const ended = this.#deployedMs
    if (ended.length < ENOUGH) return FAILURE_PAUSE_MS
    const fast = ended[Math.floor(ended.length * FAST_SHARE)] ?? 0
    return FAILURE_PAUSE_MS + Math.min(FAILURE_PAUSE_MS, fast * EARLY, this.#failedMs)
  }
}
