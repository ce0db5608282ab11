import { toError } from '../clock.ts'
import { type GatheredReads, PAGE_SIZE } from '../control-plane/many.ts'
import { type Deployment, idKey } from '../control-plane/model.ts'
import type { Reader, SharedWatch, Update } from '../rollout/dependencies.ts'
import type { Budget } from './budget.ts'

// How the rollouts of a fleet are watched: looks at all deployments under way show who became active and who was
// superseded; reads of single revisions show failures and phases.

/** Shortest time from one look to the next. */
const LOOK_MS = 2_000
/** Shortest time from the look at which a revision is read to its next read. */
const READ_MS = 10_000
/** Below this rate, both times grow in proportion. */
const FULL_RATE = 6
const LONGEST_READ_MS = 60_000
/** The most of the budget that looks take, and single reads. */
const PART_OF_LOOKS = 1 / 2
const PART_OF_READS = 0.3

interface WatchPace {
  lookMs: number
  readMs: number
  /** The most single reads from one look to the next. */
  reads: number
}

/** @param perSecond the rate of the budget at this moment */
export function watchPace(underWay: number, perSecond: number): WatchPace {
  const growth = Math.max(1, FULL_RATE / perSecond)
  const pages = Math.ceil(underWay / PAGE_SIZE)
  const lookMs = Math.max(LOOK_MS * growth, (1_000 * pages) / (PART_OF_LOOKS * perSecond))
  // The growth and the rate may multiply to a little less than a whole number.
  const reads = Math.floor(PART_OF_READS * perSecond * (lookMs / 1_000) + 1e-6)
  return { lookMs, readMs: Math.min(LONGEST_READ_MS, READ_MS * growth), reads }
}

/** Up to this number of rollouts at the same time, each has a watch of its own. */
const FEW = 2

/** @param parallel the most rollouts under way at the same time */
export function isWatchedTogether(parallel: number): boolean {
  return parallel > FEW
}

interface Waiting {
  readonly key: string
  readonly deploymentId: string
  readonly isOfInterest: (seen: Deployment) => boolean
  readonly update: PromiseWithResolvers<Update>
  /** Whether the last look at the deployment has no answer yet. */
  isLookedFor: boolean
}

/** Watches the rollouts of a fleet together. A deployment stays in the looks while its single read waits for a turn. */
export class FleetWatch implements SharedWatch {
  readonly isShared = true
  readonly #reads: GatheredReads
  readonly #budget: Pick<Budget, 'turn' | 'perSecond'>
  readonly #deps: Pick<Reader, 'clock' | 'signal'>
  readonly #waiting = new Set<Waiting>()
  /** The moment of the look at which each deployment's revision was last read, or of the one before its watch began. */
  readonly #readAt = new Map<string, number>()
  #isLooking = false
  /** The moment of the last look, or of the begin of the looks. */
  #lookedAt = 0

  constructor(
    reads: GatheredReads,
    budget: Pick<Budget, 'turn' | 'perSecond'>,
    deps: Pick<Reader, 'clock' | 'signal'>,
  ) {
    this.#reads = reads
    this.#budget = budget
    this.#deps = deps
  }

  async until(...[at, deploymentId, isOfInterest]: Parameters<SharedWatch['until']>): Promise<Update> {
    const { clock, signal } = this.#deps
    signal.throwIfAborted()
    const key = idKey(deploymentId)
    const update = Promise.withResolvers<Update>()
    const waiting = { key, deploymentId, isOfInterest, update, isLookedFor: false }
    const timer = new AbortController()
    const time = clock.sleep(Math.max(0, at - clock.now()), timer.signal)
    this.#waiting.add(waiting)
    this.#beginLooks()
    if (!this.#readAt.has(key)) this.#readAt.set(key, this.#lookedAt)
    try {
      return await Promise.race([update.promise, time.then((): Update => ({ kind: 'time' }))])
    } finally {
      this.#waiting.delete(waiting)
      timer.abort()
    }
  }

  #beginLooks(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    this.#lookedAt = this.#deps.clock.now()
    void this.#lookWhileAnyWaits()
  }

  async #lookWhileAnyWaits(): Promise<void> {
    const { clock, signal } = this.#deps
    try {
      while (this.#waiting.size > 0) {
        const pace = watchPace(this.#waiting.size, this.#budget.perSecond())
        await clock.sleep(pace.lookMs, signal)
        this.#lookedAt = clock.now()
        for (const waiting of this.#waiting) void this.#look(waiting)
        this.#askForReads(pace)
      }
    } catch (thrown) {
      // The signal's reason ends each wait.
      for (const { update } of this.#waiting) update.reject(toError(thrown))
    } finally {
      this.#isLooking = false
    }
  }

  async #look(waiting: Waiting): Promise<void> {
    if (waiting.isLookedFor) return
    waiting.isLookedFor = true
    try {
      const seen = await this.#reads.look(waiting.deploymentId)
      if (seen.kind === 'found' && waiting.isOfInterest(seen.deployment)) this.#endWait(waiting, seen)
    } catch (thrown) {
      waiting.update.reject(toError(thrown))
    }
    waiting.isLookedFor = false
  }

  /** A turn that does not come before the next look lapses: that look asks anew. */
  #askForReads({ lookMs, readMs, reads }: WatchPace): void {
    const lookedAt = this.#lookedAt
    const due = [...this.#waiting].filter(({ key }) => lookedAt - (this.#readAt.get(key) ?? lookedAt) >= readMs)
    const latest = lookedAt + lookMs - 1
    for (let readCount = 0; readCount < Math.min(reads, due.length); readCount++)
      void this.#readOldest(due, lookedAt, latest)
  }

  /** The turn is of the revision whose last read is oldest when the turn comes: a look may have shown others meanwhile. */
  async #readOldest(due: readonly Waiting[], lookedAt: number, latest: number): Promise<void> {
    // A turn is refused with the signal's reason only, which ends each wait, too.
    if (!(await this.#budget.turn('read', latest).catch(() => false))) return
    const readAt = ({ key }: Waiting): number => this.#readAt.get(key) ?? lookedAt
    const unread = due.filter((waiting) => this.#waiting.has(waiting) && readAt(waiting) < lookedAt)
    const [first, ...others] = unread
    if (first === undefined) return
    const oldest = others.reduce((soonest, waiting) => (readAt(waiting) < readAt(soonest) ? waiting : soonest), first)
    this.#endWait(oldest, { kind: 'turn' }, lookedAt)
  }

  #endWait(waiting: Waiting, update: Update, readAt = this.#deps.clock.now()): void {
    if (!this.#waiting.delete(waiting)) return
    this.#readAt.set(waiting.key, readAt)
    waiting.update.resolve(update)
  }
}
