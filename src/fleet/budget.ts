import { toError, type Clock } from '../clock.ts'
import { isRead } from '../control-plane/api-request.ts'
import type { Pace } from '../control-plane/transport.ts'
import type { EmitFleet } from './event.ts'

/** How many requests are sent. Times are monotonic milliseconds. */
export interface Rate {
  readonly ceiling: number
  /** As it was at `since`: from then on it rises to the ceiling. */
  readonly perSecond: number
  readonly since: number
  /** When the next request has its turn. */
  readonly nextAt: number
}

/** From nothing to the ceiling. */
const FULL_RISE_MS = 60_000
/** Requests that were under way when the rate was lowered do not lower it again. */
const UNDER_WAY_MS = 2_000
/** A service that asks for a longer pause is obeyed by the request that it refused; all the others wait so long. */
const LONGEST_PAUSE_MS = 30_000
/** A late timer does not cost its turns, up to so many milliseconds. */
const CATCH_UP_MS = 100
const LOWEST = 1

export function openRate(ceiling: number, now: number): Rate {
  return { ceiling, perSecond: ceiling, since: now, nextAt: now }
}

/** Requests a second: it rises by the same amount each second. */
export function rateAt({ ceiling, perSecond, since }: Rate, now: number): number {
  return Math.min(ceiling, perSecond + (Math.max(0, now - since) / FULL_RISE_MS) * ceiling)
}

/** A request is sent now: the next one has its turn after an equal part of a second. */
export function afterRequest(rate: Rate, now: number): Rate {
  const nextAt = Math.max(rate.nextAt, now - CATCH_UP_MS) + 1_000 / rateAt(rate, now)
  return { ...rate, nextAt }
}

/** A 429 halves the rate, and so does a Retry-After, for which all requests wait. `undefined`: nothing changes. */
export function afterAnswer(
  rate: Rate,
  { status, retryAfterMs }: { status: number; retryAfterMs: number | undefined },
  now: number,
): Rate | undefined {
  if (status !== 429 && retryAfterMs === undefined) return undefined
  const pausedUntil = now + Math.min(LONGEST_PAUSE_MS, retryAfterMs ?? 0)
  const nextAt = retryAfterMs === undefined ? rate.nextAt : Math.max(rate.nextAt, pausedUntil)
  const isNew = rate.perSecond === rate.ceiling || now - rate.since >= UNDER_WAY_MS
  if (!isNew) return nextAt === rate.nextAt ? undefined : { ...rate, nextAt }
  const perSecond = Math.max(Math.min(LOWEST, rate.ceiling), rateAt(rate, now) / 2)
  return { ...rate, perSecond, since: pausedUntil, nextAt }
}

/** A rate above this part of another one is not worth a line of its own, for so long. */
const [SAME, SAID_MS] = [0.75, 15_000]

/** Resolves with whether its turn comes until `latest`. */
type Waiting = PromiseWithResolvers<boolean> & { latest: number }

/**
 * Sends no more than so many requests a second: writes, then the reads that most likely show an end, then the others.
 * The watch sends those at the moments that the learned schedule finds likely, so the one that waits longest is next.
 */
export class Budget implements Pace {
  readonly #deps: { clock: Clock; signal: AbortSignal; emit: EmitFleet }
  readonly #writes: Waiting[] = []
  readonly #firstReads: Waiting[] = []
  readonly #reads: Waiting[] = []
  readonly #queues = [this.#writes, this.#firstReads, this.#reads]
  #rate: Rate
  #said = { perSecond: Infinity, at: -Infinity }
  #isServing = false

  constructor(perSecond: number, deps: { clock: Clock; signal: AbortSignal; emit: EmitFleet }) {
    this.#deps = deps
    this.#rate = openRate(perSecond, deps.clock.now())
  }

  async turn({ method, first }: Parameters<Pace['turn']>[0], latest: number): Promise<boolean> {
    this.#deps.signal.throwIfAborted()
    const waiting = { latest, ...Promise.withResolvers<boolean>() }
    const reads = first ? this.#firstReads : this.#reads
    const queue = isRead(method) ? reads : this.#writes
    queue.push(waiting)
    if (!this.#isServing) this.#serve().catch((thrown: unknown) => this.#rejectAll(toError(thrown)))
    return await waiting.promise
  }

  answered(status: number, retryAfterMs: number | undefined): void {
    const now = this.#deps.clock.now()
    const lowered = afterAnswer(this.#rate, { status, retryAfterMs }, now)
    if (lowered === undefined) return
    const isLower = lowered.perSecond < this.#rate.perSecond || lowered.since !== this.#rate.since
    this.#rate = lowered
    const lowest = rateAt(lowered, now)
    // A rate that cannot become much lower would fill the log.
    if (!isLower || (lowest >= this.#said.perSecond * SAME && now < this.#said.at + SAID_MS)) return
    this.#said = { perSecond: lowest, at: now }
    const asks = retryAfterMs === undefined ? '' : `, Retry-After ${Math.ceil(retryAfterMs / 1000)} s`
    this.#deps.emit({ kind: 'rate-lowered', perSecond: lowest, cameBack: `HTTP ${status}${asks}` })
  }

  /** Ends when none waits. */
  async #serve(): Promise<void> {
    const { clock, signal } = this.#deps
    for (;;) {
      for (const queue of this.#queues) this.#giveUpLate(queue)
      const next = this.#queues.find(({ length }) => length > 0)
      // In the same moment, so that none joins a queue that is not served.
      this.#isServing = next !== undefined
      if (next === undefined) return
      const now = clock.now()
      if (this.#rate.nextAt > now) {
        await clock.sleep(this.#rate.nextAt - now, signal)
        continue
      }
      this.#rate = afterRequest(this.#rate, now)
      next.shift()?.resolve(true)
    }
  }

  #giveUpLate(queue: Waiting[]): void {
    const soonest = Math.max(this.#deps.clock.now(), this.#rate.nextAt)
    const late = queue.filter(({ latest }) => latest < soonest)
    for (const one of late) queue.splice(queue.indexOf(one), 1)
    for (const { resolve } of late) resolve(false)
  }

  #rejectAll(error: Error): void {
    this.#isServing = false
    for (const { reject } of this.#queues.flatMap((queue) => queue.splice(0))) reject(error)
  }
}

/** Does work of one kind when it has its turn, in the order of the calls. @param most at the same time */
export function openTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay < most) underWay += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The next one takes this place.
      const next = waiting.shift()
      if (next === undefined) underWay -= 1
      else next()
    }
  }
}
