/** Repeats requests to every server in the same way: a policy has the differences. */

/** The end of one attempt. `Failure`: the facts that the policy needs. */
export type Tried<T, Failure> =
  | { kind: 'done'; result: T }
  /** Another attempt would fail as well, or may do harm. */
  | { kind: 'final'; error: Error }
  /** Another attempt may succeed, after a pause. */
  | { kind: 'retry'; failure: Failure; pauseMs: number }

/** How often another attempt follows, and what precedes it. */
export interface Pauses<Failure> {
  /** The number of attempts after the first. */
  maxRetries: number
  /** Whether an attempt after such a pause would still be of use. */
  isInTime: (pauseMs: number, failure: Failure) => boolean
  /** Reports that another attempt follows, and waits for it. */
  pause: (pauseMs: number, failure: Failure) => Promise<void>
}

export interface RetryPolicy<Failure> extends Pauses<Failure> {
  /** Waits for the turn of an attempt. `last`: of the attempt before. @throws Error if that would be too late */
  turn: (last: Failure | undefined) => Promise<void>
  /** The error after the last attempt. */
  giveUp: (failure: Failure) => Error
}

/** Repeats an attempt until it is done. Throws as soon as another one is not safe, or would be in vain. */
export async function repeat<T, Failure>(
  attempt: (retry: number) => Promise<Tried<T, Failure>>,
  policy: RetryPolicy<Failure>,
): Promise<T> {
  let last: Failure | undefined
  for (let retry = 0; ; retry++) {
    await policy.turn(last)
    const tried = await attempt(retry)
    if (tried.kind === 'done') return tried.result
    if (tried.kind === 'final') throw tried.error
    last = tried.failure
    if (!(await pauseToRetry({ ...tried, retry }, policy))) throw policy.giveUp(last)
  }
}

/** Waits before another attempt; false if it would come too often or too late. `retry`: from 0. */
export async function pauseToRetry<Failure>(
  { retry, pauseMs, failure }: { retry: number; pauseMs: number; failure: Failure },
  { maxRetries, isInTime, pause }: Pauses<Failure>,
): Promise<boolean> {
  if (retry >= maxRetries || !isInTime(pauseMs, failure)) return false
  await pause(pauseMs, failure)
  return true
}

/** The action's own pauses, each longer than the one before by a factor. */
export interface Backoff {
  firstMs: number
  factor: number
  longestMs: number
  /** A number from 0 to 1. With it, the pauses have full jitter. */
  random?: () => number
}

/**
 * The pause in milliseconds before retry `retry` (from 0): the server's or ours, whichever is longer. Where the server asks
 * to wait, jitter leaves at least half of ours: the server may name a time that is over.
 */
export function pauseBefore(retry: number, askedMs: number | undefined, backoff: Backoff): number {
  const { firstMs, factor, longestMs, random = () => 1 } = backoff
  const wholeMs = Math.min(longestMs, firstMs * factor ** retry)
  if (askedMs === undefined) return Math.round(random() * wholeMs)
  return Math.max(askedMs, Math.round(((1 + random()) / 2) * wholeMs))
}
