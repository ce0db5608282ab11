import { setImmediate as turn } from 'node:timers/promises'
import { toError, type Clock } from '../src/clock.ts'

interface Sleeper {
  at: number
  wake: () => void
}

/** Turns of the event loop without a new sleep or an end of one, after which all tasks are taken to wait for the time. */
const IDLE_TURNS = 3

/**
 * A clock for many tasks at the same time: the time goes on to the next end of a sleep when every task waits. Call `run`
 * with what is to happen.
 */
export function virtualClock(): Clock & { run: <T>(task: () => Promise<T>) => Promise<T> } {
  let now = 0
  let moves = 0
  /** Work that is done beside the event loop. */
  let underWay = 0
  const sleepers: Sleeper[] = []
  /** Sorted by time; of equal times, the first comes first. */
  const add = (sleeper: Sleeper): void => {
    let [low, high] = [0, sleepers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sleepers[middle]?.at ?? 0) <= sleeper.at) low = middle + 1
      else high = middle
    }
    sleepers.splice(low, 0, sleeper)
    moves += 1
  }
  return {
    now: () => now,
    wallTime: () => Date.UTC(2026, 0, 1) + now,
    sleep: async (ms, signal) =>
      await new Promise<void>((resolve, reject) => {
        signal.throwIfAborted()
        const onAbort = (): void => {
          const place = sleepers.indexOf(sleeper)
          if (place >= 0) sleepers.splice(place, 1)
          moves += 1
          reject(toError(signal.reason))
        }
        const wake = (): void => {
          signal.removeEventListener('abort', onAbort)
          resolve()
        }
        const sleeper = { at: now + Math.max(0, ms), wake }
        signal.addEventListener('abort', onAbort, { once: true })
        add(sleeper)
      }),
    after(ms, act) {
      const sleeper = { at: now + Math.max(0, ms), wake: act }
      add(sleeper)
      return () => {
        const place = sleepers.indexOf(sleeper)
        if (place >= 0) sleepers.splice(place, 1)
      }
    },
    async during(work) {
      underWay += 1
      try {
        return await work
      } finally {
        underWay -= 1
      }
    },
    run: async (task) => {
      const state = { isOver: false }
      const running = task().finally(() => {
        state.isOver = true
      })
      running.catch(() => undefined)
      for (;;) {
        for (let [idle, seen] = [0, moves]; idle < IDLE_TURNS; idle++) {
          await turn()
          if (moves !== seen || underWay > 0) [idle, seen] = [0, moves]
        }
        if (state.isOver) return await running
        const next = sleepers.shift()
        if (next === undefined) throw new Error('every task waits, and none for the time')
        now = Math.max(now, next.at)
        next.wake()
      }
    },
  }
}
