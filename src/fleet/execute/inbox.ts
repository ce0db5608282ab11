import { toError } from '../../clock.ts'

/** Takes in values that are read one by one. What comes in while no call of `next` waits is kept. */
export interface Inbox<T> {
  add: (one: T) => void
  /** One call of `next` rejects with the error. */
  fail: (thrown: unknown) => void
  /** Waits for the first that is not taken yet. Rejects with the signal's reason when aborted. */
  next: () => Promise<T>
}

/** @param signal ends the wait */
export function openInbox<T>(signal: AbortSignal): Inbox<T> {
  const kept: Promise<T>[] = []
  let arrival = Promise.withResolvers<undefined>()
  const keep = (one: Promise<T>): void => {
    one.catch(() => undefined)
    kept.push(one)
    arrival.resolve(undefined)
  }
  signal.addEventListener('abort', () => keep(Promise.reject(toError(signal.reason))), { once: true })
  return {
    add: (one) => keep(Promise.resolve(one)),
    fail: (thrown) => keep(Promise.reject(toError(thrown))),
    async next() {
      for (;;) {
        signal.throwIfAborted()
        const first = kept.shift()
        if (first !== undefined) return await first
        arrival = Promise.withResolvers()
        await arrival.promise
      }
    },
  }
}
