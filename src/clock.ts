/** Time comes in as a value: real at the edge, simulated or fake in tests. */
export interface Clock {
  /** Monotonic milliseconds; only differences mean anything. */
  now(): number
  /** Milliseconds since the epoch, for what people read. */
  wallTime(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls `act` after `ms` milliseconds, unless the returned function is called before. Keeps no process alive. */
  after(ms: number, act: () => void): () => void
  /** Awaits work that is done beside the event loop, as with files: simulated time does not move. */
  during<T>(work: Promise<T>): Promise<T>
}

/**
 * Limits work to `ms` milliseconds: `signal` aborts then, with a TimeoutError, and with the outer signal. `isReached`:
 * whether the limit was reached before that aborted. At its disposal, the limit ends without an effect.
 */
export function limitTo(clock: Clock, ms: number, outer: AbortSignal) {
  const controller = new AbortController()
  const { signal } = controller
  let isReached = false
  let since = clock.now()
  const onTime = (): void => {
    // Extended meanwhile: a timer for each piece of a stream would cost more.
    const leftMs = since + ms - clock.now()
    if (leftMs > 0) {
      cancel = clock.after(leftMs, onTime)
      return
    }
    isReached = true
    end(new DOMException('the time for it is over', 'TimeoutError'))
  }
  let cancel = clock.after(ms, onTime)
  const dispose = (): void => {
    cancel()
    outer.removeEventListener('abort', onAbort)
  }
  const end = (reason: unknown): void => {
    dispose()
    controller.abort(reason)
  }
  const onAbort = (): void => end(outer.reason)
  outer.addEventListener('abort', onAbort)
  if (outer.aborted) onAbort()
  return { signal, isReached: () => isReached, extend: () => (since = clock.now()), [Symbol.dispose]: dispose }
}

/** Rounds milliseconds up to seconds: an announced pause or limit is never too short. */
export function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1_000)
}

/** Returns the thrown value as an Error. An Error of another realm is one, too. */
export function toError(thrown: unknown): Error {
  return Error.isError(thrown) ? thrown : new Error(String(thrown))
}
