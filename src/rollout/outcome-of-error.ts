import { toError, type Clock } from '../clock.ts'
import { UnreachableError } from '../control-plane/errors.ts'
import type { AnyOutcome } from './outcome.ts'

export function failedBy(thrown: unknown): AnyOutcome {
  return { kind: 'failed', because: { kind: 'error', error: toError(thrown) } }
}

/** Of what has no usable response when its time is over; undefined for any other error. */
export function timedOutBy(thrown: unknown, time: { clock: Clock; deadline: number }): AnyOutcome | undefined {
  const isLate = thrown instanceof UnreachableError && time.clock.now() >= time.deadline
  return isLate ? { kind: 'timed-out', lastTrouble: thrown.trouble.cameBack } : undefined
}
