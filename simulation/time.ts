import { setImmediate as turn } from 'node:timers/promises'
import { toError, type Clock } from '../src/clock.ts'

/** Turns of the event loop without a new timer or the end of one, after which all tasks are taken to wait. */
const IDLE_TURNS = 2

interface Timer {
  at: number
  /** Orders what is due at the same moment. */
  place: number
  act: () => void
  keepsAlive: boolean
  isOver: boolean
}

/** The time of a simulation, for many tasks: it moves to the next timer when every task waits. */
export class SimulatedTime implements Clock {
  readonly #heap: Timer[] = []
  readonly #startsAt: number
  readonly #chance: () => number
  #now = 0
  /** The number of timers that keep the simulation going. */
  #living = 0
  /** The number of changes, by which the time sees that a task is at work. */
  #moves = 0
  /** The pieces of work beside the event loop. */
  #beside = 0

  /**
   * @param startsAt milliseconds since the epoch
   * @param chance decides the order of what is due at the same moment
   */
  constructor(startsAt: number, chance: () => number) {
    this.#startsAt = startsAt
    this.#chance = chance
  }

  now(): number {
    return this.#now
  }

  wallTime(): number {
    return Math.floor(this.#startsAt + this.#now)
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      if (signal.aborted) {
        reject(toError(signal.reason))
        return
      }
      const onAbort = (): void => {
        cancel()
        reject(toError(signal.reason))
      }
      const cancel = this.at(this.#now + ms, () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      })
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Resolves after so many milliseconds, or when the signal aborts. */
  async pause(ms: number, signal = new AbortController().signal): Promise<void> {
    await this.sleep(ms, signal).catch(() => undefined)
  }

  after(ms: number, act: () => void): () => void {
    return this.#add({ at: this.#now + ms, act, keepsAlive: false })
  }

  /** Calls `act` at a moment. Returns a function that cancels it. */
  at(moment: number, act: () => void): () => void {
    return this.#add({ at: moment, act, keepsAlive: true })
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#beside += 1
    try {
      return await work
    } finally {
      this.#beside -= 1
      this.#moves += 1
    }
  }

  /**
   * Moves the time until the task is over. Timers that are left then stay.
   * @throws what the task throws; an Error if the task waits, and nothing can wake it
   */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const state = { isOver: false }
    const running = task().finally(() => {
      state.isOver = true
    })
    running.catch(() => undefined)
    for (;;) {
      await this.#allWait()
      if (state.isOver) return await running
      if (this.#living === 0) throw new Error('every task waits, and none for the time')
      this.#moveOn()
    }
  }

  async #allWait(): Promise<void> {
    for (let [idle, seen] = [0, this.#moves]; idle < IDLE_TURNS; idle++) {
      turning += 1
      await turn()
      turning -= 1
      if (this.#moves !== seen || this.#beside > 0 || isLoopBusy()) [idle, seen] = [-1, this.#moves]
    }
  }

  #moveOn(): void {
    const timer = this.#pop()
    if (timer === undefined || timer.isOver) return
    this.#now = Math.max(this.#now, timer.at)
    this.#end(timer)
    timer.act()
  }

  #add(given: Pick<Timer, 'at' | 'act' | 'keepsAlive'>): () => void {
    const timer = { ...given, at: Math.max(this.#now, given.at), place: this.#chance(), isOver: false }
    this.#push(timer)
    if (timer.keepsAlive) this.#living += 1
    this.#moves += 1
    return () => {
      this.#end(timer)
    }
  }

  #end(timer: Timer): void {
    if (timer.isOver) return
    timer.isOver = true
    this.#moves += 1
    if (timer.keepsAlive) this.#living -= 1
  }

  #push(timer: Timer): void {
    const heap = this.#heap
    let place = heap.length
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(timer, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = timer
  }

  #pop(): Timer | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (last === undefined || last === first) return first
    let place = 0
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]]
      if (left === undefined) break
      const [least, below] =
        right !== undefined && isBefore(right, left) ? [right, 2 * place + 2] : [left, 2 * place + 1]
      if (!isBefore(least, last)) break
      heap[place] = least
      place = below
    }
    heap[place] = last
    return first
  }
}

/** Waits without an end. Each wait has a promise of its own: one for all would keep what has ever waited. */
export async function forever(): Promise<never> {
  return await new Promise<never>(() => undefined)
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.at === other.at ? one.place < other.place : one.at < other.at
}

/** The turns of the event loop that the simulations of this process wait for. */
let turning = 0

/** Whether Node reads a file, or a task takes a turn of its own. */
function isLoopBusy(): boolean {
  const active = process.getActiveResourcesInfo()
  const turns = active.filter((name) => name === 'Immediate').length
  return turns > turning || active.some((name) => name === 'CloseReq' || name.startsWith('FSReq'))
}
