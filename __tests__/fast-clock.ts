import { systemClock } from '../src/real/clock.ts'

/** A real clock that runs faster, for what waits for a network or a disk as well. */
export function fastClock(by: number) {
  return {
    ...systemClock,
    now: () => systemClock.now() * by,
    sleep: async (ms: number, signal: AbortSignal) => await systemClock.sleep(ms / by, signal),
    after: (ms: number, act: () => void) => systemClock.after(ms / by, act),
    run: async <T>(task: () => Promise<T>): Promise<T> => await task(),
  }
}
