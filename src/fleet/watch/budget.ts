import type { Clock } from '../../clock.ts'
import { toError } from '../../clock.ts'
import type { ApiRequest } from '../../control-plane/api-request.ts'
import { isRead } from '../../control-plane/method.ts'
import type { Pace } from '../../control-plane/pace.ts'
import type { EmitFleet } from '../event.ts'
import { PROGRESS_MS } from '../timing.ts'
import { afterAnswer, afterRequest, openRate, rateAt } from './rate.ts'

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
