import { type Clock, toError } from '../clock.ts'
import type { ApiRequest } from '../control-plane/api-request.ts'
import { isRead } from '../control-plane/method.ts'
import type { Pace } from '../control-plane/pace.ts'
import type { EmitFleet } from './event.ts'
import { PROGRESS_MS } from './timing.ts'

/** How many requests are sent. Times are monotonic milliseconds. */
export interface Rate {
  /** Most requests a second. */
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

/**
 * The service has answered. A 429 halves the rate, and so does a Retry-After, for which all requests wait.
 * @returns undefined if the answer changes nothing
 */
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

/** A rate above this part of another one is not worth a line of its own. */
const SAME = 0.75

interface BudgetDependencies {
  clock: Clock
  signal: AbortSignal
  emit: EmitFleet
}

interface Waiting {
  latest: number
  resolve: (isInTime: boolean) => void
  reject: (error: Error) => void
}

/**
 * Sends no more than so many requests a second: writes, then the reads that most likely show an end, then the others.
 * The watch sends those at the moments that the learned schedule finds likely, so the one that waits longest is next.
 */
export function openBudget(perSecond: number, { clock, signal, emit }: BudgetDependencies): Pace {
  let rate = openRate(perSecond, clock.now())
  let said = { perSecond: Infinity, at: -Infinity }
  const writes: Waiting[] = []
  const firstReads: Waiting[] = []
  const reads: Waiting[] = []
  const queues = [writes, firstReads, reads]
  let isServing = false

  const queueOf = ({ method, first }: Pick<ApiRequest, 'method' | 'first'>): Waiting[] =>
    isRead(method) ? (first ? firstReads : reads) : writes
  const giveUpLate = (queue: Waiting[]): void => {
    const late = queue.filter(({ latest }) => latest < Math.max(clock.now(), rate.nextAt))
    if (late.length === 0) return
    queue.splice(0, Infinity, ...queue.filter((one) => !late.includes(one)))
    for (const { resolve } of late) resolve(false)
  }
  /** Ends when none waits. */
  const serve = async (): Promise<void> => {
    for (;;) {
      queues.forEach(giveUpLate)
      // In the same moment, so that none joins a queue that is not served.
      isServing = queues.some(({ length }) => length > 0)
      if (!isServing) return
      const now = clock.now()
      if (rate.nextAt > now) {
        await clock.sleep(rate.nextAt - now, signal)
        continue
      }
      rate = afterRequest(rate, now)
      queues
        .find(({ length }) => length > 0)
        ?.shift()
        ?.resolve(true)
    }
  }
  const begin = (): void => {
    if (isServing) return
    serve().catch((thrown: unknown) => {
      isServing = false
      for (const { reject } of queues.flatMap((queue) => queue.splice(0))) reject(toError(thrown))
    })
  }
  return {
    turn: async (request, latest) =>
      await new Promise<boolean>((resolve, reject) => {
        signal.throwIfAborted()
        queueOf(request).push({ latest, resolve, reject })
        begin()
      }),
    answered(status, retryAfterMs) {
      const lowered = afterAnswer(rate, { status, retryAfterMs }, clock.now())
      if (lowered === undefined) return
      const isLower = lowered.perSecond < rate.perSecond || lowered.since !== rate.since
      rate = lowered
      const now = clock.now()
      const lowest = rateAt(rate, now)
      // A rate that cannot become much lower would fill the log.
      if (!isLower || (lowest >= said.perSecond * SAME && now < said.at + PROGRESS_MS)) return
      said = { perSecond: lowest, at: now }
      const asks = retryAfterMs === undefined ? '' : `, Retry-After ${Math.ceil(retryAfterMs / 1000)} s`
      emit({ kind: 'rate-lowered', perSecond: lowest, cameBack: `HTTP ${status}${asks}` })
    },
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
