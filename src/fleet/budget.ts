import { addAbortListener } from 'node:events'
import { toError, wholeSeconds, type Clock } from '../clock.ts'
import { isRead, type Pace } from '../control-plane/api-request.ts'
import type { Run, Turns } from '../rollout/dependencies.ts'
import type { EmitFleet, FleetEvent } from './event.ts'
import { afterAnswer, afterRequest, openRate, rateAt, type Rate } from './rate.ts'

/**
 * The kinds of requests, in the order of their turns. `end`: it completes a look that has shown the revision as
 * the active one, and happens once for each rollout. `read`: any other single read.
 */
const ORDER = ['basis', 'look', 'end', 'write', 'read'] as const
type Kind = (typeof ORDER)[number]

/** The rate of a run and its requests, which all queues of the run share. */
export interface Load {
  rate: Rate
  /** When requests were sent in the last {@link WINDOW_MS}, ascending. */
  readonly sentAt: number[]
  /** Writes that have had their turn and have not been sent: each may be sent at any time. */
  held: number
}

export function openLoad(perSecond: number, now: number): Load {
  return { rate: openRate(perSecond, now), sentAt: [], held: 0 }
}

const LIMIT_S = 10
/** A bit longer than the limit's time: a request is sent a moment after its turn. */
const WINDOW_MS = LIMIT_S * 1_000 + 100

/** The most requests in any ten seconds, also if they come in a burst. */
export function mostInWindow(ceiling: number): number {
  return Math.floor(LIMIT_S * ceiling + Math.max(1, ceiling))
}

/**
 * When the next request of a kind may have its turn, if no other one is sent before; Infinity: not before a held write
 * is sent. A write keeps room for the read that it is based on, which does not wait for the rate: the write is to leave
 * a round trip after its turn. It costs its part of a second nevertheless.
 */
export function soonestTurn(kind: Kind, { rate, sentAt, held }: Readonly<Load>): number {
  const kept = kind === 'basis' ? held : kind === 'write' ? 2 * held + 1 : 2 * held
  const room = mostInWindow(rate.ceiling) - kept
  if (room <= 0) return Infinity
  // This request has room when the request that blocks it leaves the window.
  const blockedBy = sentAt.at(-room) ?? -Infinity
  return Math.max(notBefore(kind, rate), blockedBy + WINDOW_MS)
}

function notBefore(kind: Kind, { nextAt, pausedUntil }: Rate): number {
  return kind === 'basis' ? pausedUntil : nextAt
}

/** A new rate above this part of the last logged one gets no line of its own within these milliseconds. */
const [SAME, SAID_MS] = [0.75, 15_000]

/** Resolves with whether its turn comes until `latest`. */
type Waiting = PromiseWithResolvers<boolean> & { kind: Kind; latest: number }

/**
 * Limits the requests to a rate a second, in the order of {@link ORDER}. Of one kind, the one that waits longest is
 * next.
 */
export class Budget {
  readonly #deps: { clock: Clock; signal: AbortSignal; emit: EmitFleet }
  /** Sorted by their turns. */
  readonly #waiting: Waiting[] = []
  readonly #load: Load
  #said = { perSecond: Infinity, at: -Infinity }
  #isServing = false
  #wake = new AbortController()

  constructor(load: Load, deps: { clock: Clock; signal: AbortSignal; emit: EmitFleet }) {
    this.#deps = deps
    this.#load = load
    addAbortListener(deps.signal, () => this.#wake.abort())
  }

  perSecond(): number {
    return rateAt(this.#load.rate, this.#deps.clock.now())
  }

  async turn(kind: Kind, latest: number): Promise<boolean> {
    this.#deps.signal.throwIfAborted()
    const waiting = { kind, latest, ...Promise.withResolvers<boolean>() }
    const place = this.#waiting.findIndex((one) => ORDER.indexOf(one.kind) > ORDER.indexOf(kind))
    this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, waiting)
    this.#serve()
    return await waiting.promise
  }

  /** Ends the turn of a write, which was sent or never will be. */
  endTurn(isSent: boolean): void {
    this.#load.held -= 1
    if (isSent) this.#noteSent()
    this.#serve()
  }

  answered(status: number, retryAfterMs: number | undefined): void {
    const now = this.#deps.clock.now()
    const { rate } = this.#load
    const lowered = afterAnswer(rate, { status, retryAfterMs }, now)
    if (lowered === undefined) return
    const isLower = lowered.perSecond < rate.perSecond || lowered.since !== rate.since
    this.#load.rate = lowered
    const lowest = rateAt(lowered, now)
    // A rate that cannot become much lower would fill the log.
    if (!isLower || (lowest >= this.#said.perSecond * SAME && now < this.#said.at + SAID_MS)) return
    this.#said = { perSecond: lowest, at: now }
    const asks = retryAfterMs === undefined ? '' : `, Retry-After ${wholeSeconds(retryAfterMs)} s`
    this.#deps.emit({ kind: 'rate-lowered', perSecond: lowest, cameBack: `HTTP ${status}${asks}` })
  }

  /** Wakes the loop that gives turns, or begins one. */
  #serve(): void {
    this.#wake.abort()
    if (this.#isServing) return
    this.#isServing = true
    void this.#serveAll()
  }

  /** Ends when none waits. */
  async #serveAll(): Promise<void> {
    const { clock, signal } = this.#deps
    for (;;) {
      if (signal.aborted) this.#rejectAll(toError(signal.reason))
      this.#giveUpLate()
      const [next] = this.#waiting
      // This is set in the same moment: otherwise a request could join a queue that is not served.
      this.#isServing = next !== undefined
      if (next === undefined) return
      const now = clock.now()
      const at = soonestTurn(next.kind, this.#load)
      if (at <= now) this.#giveTurn(next, now)
      else await this.#sleepUntil(at)
    }
  }

  #giveTurn(next: Waiting, now: number): void {
    this.#waiting.shift()
    this.#load.rate = afterRequest(this.#load.rate, now)
    if (next.kind === 'write') this.#load.held += 1
    else this.#noteSent()
    next.resolve(true)
  }

  /** Sleeps until the moment, until something changes, or until it is too late for a request that waits. */
  async #sleepUntil(at: number): Promise<void> {
    const { clock } = this.#deps
    const until = this.#waiting.reduce((soonest, { latest }) => Math.min(soonest, latest + 1), at)
    this.#wake = new AbortController()
    await clock.sleep(until - clock.now(), this.#wake.signal).catch(() => undefined)
  }

  #giveUpLate(): void {
    const now = this.#deps.clock.now()
    const isLate = ({ kind, latest }: Waiting): boolean => latest < Math.max(now, notBefore(kind, this.#load.rate))
    const late = this.#waiting.filter(isLate)
    for (const waiting of late) this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    for (const { resolve } of late) resolve(false)
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  #noteSent(): void {
    const { sentAt, rate } = this.#load
    const most = mostInWindow(rate.ceiling)
    sentAt.push(this.#deps.clock.now())
    if (sentAt.length > 2 * most) sentAt.splice(0, sentAt.length - most)
  }
}

/** The turns of one rollout, which sends one write at a time. */
export class DeploymentTurns implements Pace {
  readonly #budget: Budget
  #holdsWrite = false

  constructor(budget: Budget) {
    this.#budget = budget
  }

  get holdsWrite(): boolean {
    return this.#holdsWrite
  }

  async turn({ method, urgency }: Parameters<Pace['turn']>[0], latest: number): Promise<boolean> {
    if (urgency === 'has-turn') return true
    if (isRead(method)) return await this.#budget.turn(this.#holdsWrite ? 'basis' : (urgency ?? 'read'), latest)
    if (this.#holdsWrite) {
      this.#end(true)
      return true
    }
    const isInTime = await this.#budget.turn('write', latest)
    if (isInTime) this.#budget.endTurn(true)
    return isInTime
  }

  /** The turn of a write that follows what is read meanwhile. Undefined if it would be after `latest`. */
  async write(latest: number): Promise<Disposable | undefined> {
    if (!(await this.#budget.turn('write', latest))) return undefined
    this.#holdsWrite = true
    return { [Symbol.dispose]: () => this.#end(false) }
  }

  answered(status: number, retryAfterMs: number | undefined): void {
    this.#budget.answered(status, retryAfterMs)
  }

  #end(isSent: boolean): void {
    if (!this.#holdsWrite) return
    this.#holdsWrite = false
    this.#budget.endTurn(isSent)
  }
}

/** The same run, whose requests keep to a budget. */
export function budgeted<Of extends Run<FleetEvent>>(load: Load, run: Of) {
  const budget = new Budget(load, run)
  const controlPlane = run.controlPlane.paced(new DeploymentTurns(budget))
  const forDeployment: Turns['forDeployment'] = (deploymentRun) => {
    const own = new DeploymentTurns(budget)
    const write: Turns['write'] = async (latest) => await own.write(latest)
    return {
      ...deploymentRun,
      controlPlane: deploymentRun.controlPlane.paced(own),
      turns: { ...deploymentRun.turns, write },
    }
  }
  return { ...run, load, budget, controlPlane, turns: { ...run.turns, forDeployment } }
}

/** The same run, with at most `perSecond` requests a second in all of its parts. */
export function withBudget<Of extends Run<FleetEvent>>(perSecond: number, run: Of) {
  return budgeted(openLoad(perSecond, run.clock.now()), run)
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
      // The next work takes this place.
      const next = waiting.shift()
      if (next === undefined) underWay -= 1
      else next()
    }
  }
}
