import { BusyError, RefusedError, type AmbiguousWriteError } from '../../control-plane/errors.ts'
import { retryDelay } from '../../control-plane/retry.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { FRESH_READ_MS } from '../timing.ts'
import { findLostWrite, lostWrite, type Found, type Look, type Sent } from './lost-write.ts'

/** A write that creates something. */
export interface Write<Before, Made> {
  what: Found<Made>['what']
  /** What was there: nothing of it is of this write. */
  before: Before
  /** When that was read, in monotonic milliseconds; just now if not set. */
  readAt?: number | undefined
  readAgain: (before: Before) => Promise<Before>
  create: (before: Before) => Promise<Made>
  /** Finds everything that a lost write may have made, and nothing that contradicts it. */
  find: (before: Before, look: Look) => Promise<readonly Found<Made>[]>
}

/**
 * `isRepeated`: an earlier attempt, whose response was lost, may have made another one. `sinceFirstMs`: how long ago the
 * first of these attempts was sent.
 */
export interface Once<Before, Made> {
  made: Made
  before: Before
  isFound: boolean
  isRepeated: boolean
  sinceFirstMs: number
}

/**
 * Sends the write once. If its response is lost, looks for what it has made before it is repeated. Reads what is there
 * right before the write, unless that was just read: what another client made before that is not ours.
 * @throws AmbiguousWriteError when it is unknown whether, or which one, the write has made
 */
export async function writeOnce<Before, Made>(
  write: Write<Before, Made>,
  deps: WriteDependencies,
): Promise<Once<Before, Made>> {
  const { controlPlane, clock, maxRetries } = deps
  let { before, readAt = clock.now() } = write
  let sent: Sent = { at: clock.now(), serverTime: undefined }
  let earlier: AmbiguousWriteError | undefined
  for (let retry = 0; ; retry++) {
    const isRepeated = earlier !== undefined
    // What is new since a lost attempt may be of that attempt.
    if (!isRepeated) {
      if (clock.now() - readAt > FRESH_READ_MS) {
        readAt = clock.now()
        before = await write.readAgain(before)
      }
      sent = { at: clock.now(), serverTime: controlPlane.serverTime() }
    }
    try {
      const made = await write.create(before)
      return { made, before, isFound: false, isRepeated, sinceFirstMs: clock.now() - sent.at }
    } catch (thrown) {
      const lost = lostWrite(thrown, earlier)
      if (lost === undefined) {
        await pauseIfBusy(thrown, retry, deps)
        // What another client made during the pause is not ours.
        readAt = -Infinity
        continue
      }
      earlier = lost
      const find = async (look: Look): Promise<readonly Found<Made>[]> => await write.find(before, look)
      const found = await findLostWrite(lost, sent, find, deps)
      const sinceFirstMs = clock.now() - sent.at
      if (found !== undefined) return { made: found.made, before, isFound: true, isRepeated, sinceFirstMs }
      if (retry >= maxRetries || thrown instanceof RefusedError) throw lost
    }
  }
}

/** The control plane has not acted, and may do so later. Throws everything else, and what comes too often or too late. */
async function pauseIfBusy(
  thrown: unknown,
  retry: number,
  { clock, random, signal, deadline, maxRetries, emit }: WriteDependencies,
): Promise<void> {
  if (!(thrown instanceof BusyError)) throw thrown
  const { trouble, retryAfterMs } = thrown
  const delayMs = retryDelay(retry, retryAfterMs, random)
  if (retry >= maxRetries || clock.now() + delayMs >= deadline) throw thrown
  emit({ kind: 'request-retried', attempted: trouble.attempted, cameBack: trouble.cameBack, delayMs })
  await clock.sleep(delayMs, signal)
}
