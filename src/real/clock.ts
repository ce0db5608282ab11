import { toError, type Clock } from '../clock.ts'

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  sleep: async (ms, signal) =>
    await new Promise<void>((resolve, reject) => {
      if (signal.aborted) {
        reject(toError(signal.reason))
        return
      }
      const onAbort = (): void => {
        clearTimeout(timer)
        reject(toError(signal.reason))
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal.addEventListener('abort', onAbort, { once: true })
    }),
  after(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
  during: async (work) => await work,
}
