import { BusyError, RefusedError, type AmbiguousWriteError, type UnreachableError } from '../../control-plane/errors.ts'
import { retryDelay } from '../../control-plane/transport.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { FRESH_READ_MS } from '../timing.ts'
import type { Basis } from './basis.ts'
import { ChangedError } from './deployment-change.ts'
import { findLostWrite, lookAgain, lostWrite, type Found, type Look } from './lost-write.ts'
import { Sent } from './span.ts'

/** A write that creates something. */
export interface Write<Before, Made> {
  what: Found<Made>['what']
  /** What is there: nothing of it is of this write. */
  basis: Basis<Before>
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
 * Sends the write once. If its response is lost, looks for what it has made before it is repeated.
 * @throws AmbiguousWriteError when it is unknown whether, or which one, the write has made
 */
export async function writeOnce<Before, Made>(
  write: Write<Before, Made>,
  deps: WriteDependencies,
): Promise<Once<Before, Made>> {
  const { clock, maxRetries } = deps
  const { what, basis, find } = write
  let before = basis.state
  let sent = new Sent(deps)
  let lostAt = clock.now()
  let earlier: AmbiguousWriteError | undefined
  const findNew = async (look: Look): Promise<readonly Found<Made>[]> => await find(before, look)
  for (let retry = 0; ; retry++) {
    const lastLookAt = clock.now()
    const isRepeated = earlier !== undefined
    const once = (made: Made, isFound: boolean): Once<Before, Made> => {
      return { made, before, isFound, isRepeated, sinceFirstMs: clock.now() - sent.at }
    }
    const attempt = async (now: Before): Promise<Once<Before, Made>> => {
      // What is new since a lost attempt may be of that attempt.
      if (earlier === undefined) {
        before = now
        sent = new Sent(deps)
      } else if (clock.now() - lastLookAt > FRESH_READ_MS) {
        const found = await lookAgain({ lost: earlier, lostAt }, sent, findNew, deps)
        if (found !== undefined) return once(found.made, true)
      }
      return once(await write.create(before), false)
    }
    try {
      return await basis.send(`create the ${what}`, attempt)
    } catch (thrown) {
      const lost = lostWrite(thrown, earlier)
      const isBusy = lost === undefined && thrown instanceof BusyError
      if (isBusy && (await pauseToRepeat(thrown, retry, deps))) continue
      if (lost === undefined) throw thrown
      earlier = lost
      lostAt = clock.now()
      const found = await findLostWrite(lost, sent, findNew, deps)
      if (found !== undefined) return once(found.made, true)
      if (retry >= maxRetries || thrown instanceof RefusedError || thrown instanceof ChangedError) throw lost
    }
  }
}

/**
 * Waits before another attempt of a write, and emits that it follows.
 * @returns false if it must not follow: it would come too often or too late
 */
export async function pauseToRepeat(
  { trouble, retryAfterMs }: UnreachableError,
  retry: number,
  { clock, random, signal, deadline, maxRetries, emit }: WriteDependencies,
): Promise<boolean> {
  const delayMs = retryDelay(retry, retryAfterMs, random)
  if (retry >= maxRetries || clock.now() + delayMs >= deadline) return false
  emit({ kind: 'request-retried', attempted: trouble.attempted, cameBack: trouble.cameBack, delayMs })
  await clock.sleep(delayMs, signal)
  return true
}
