/** Time comes in as a value: real at the edge, fake in tests. */
export interface Clock {
  /** Monotonic milliseconds; only differences mean anything. */
  now(): number
  /** Milliseconds since the epoch, for what people read. */
  wallTime(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

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
}

/** Whatever was thrown, as an Error; one of another realm is one, too. */
export function toError(thrown: unknown): Error {
  return Error.isError(thrown) ? thrown : new Error(String(thrown))
}
