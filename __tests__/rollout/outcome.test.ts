import { describe, expect, it } from '@jest/globals'
import { BusyError, UnreachableError } from '../../src/control-plane/errors.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import { failedBy, timedOutBy } from '../../src/rollout/outcome.ts'
import { fakeClock } from '../builders.ts'
import { refusedWith } from '../control-plane-stub.ts'

const trouble = { attempted: 'read it', cameBack: 'HTTP 503', hint: '' }
const TIMED_OUT: RolloutOutcome = { kind: 'timed-out', lastTrouble: 'HTTP 503' }

describe('the outcome of an error', () => {
  it.each<[string, Error, number, RolloutOutcome | undefined]>([
    ['no response at the deadline', new UnreachableError(trouble), 0, TIMED_OUT],
    ['a busy server at the deadline', new BusyError(trouble), 0, TIMED_OUT],
    ['no response before it', new UnreachableError(trouble), 1, undefined],
    ['a refusal at the deadline', refusedWith(403), 0, undefined],
    ['any other error at the deadline', new Error('no'), 0, undefined],
  ])('is a timeout only if there is no response and no time left: %s', (_case, thrown, leftMs, expected) => {
    const clock = fakeClock()
    expect(timedOutBy(thrown, { clock, deadline: clock.now() + leftMs })).toEqual(expected)
  })

  it('is a failure by whatever was thrown', () => {
    const error = new Error('no')
    expect(failedBy(error)).toEqual({ kind: 'failed', because: { kind: 'error', error } })
    expect(failedBy('no')).toEqual({ kind: 'failed', because: { kind: 'error', error } })
  })
})
