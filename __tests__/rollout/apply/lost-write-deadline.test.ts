import { describe, expect, it } from '@jest/globals'
import { findLostWrite } from '../../../src/rollout/apply/lost-write.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { fakeClock, FULL_LUCK } from '../../builders.ts'
import { aLostAnswer } from '../../control-plane-stub.ts'

interface Search {
  deadline: number
  foundBy: number
  maybeAtWork: boolean
  emit?: (event: RolloutEvent) => void
}

/** Searches for a write whose response was lost, and which only the read of this number finds. */
async function find({ deadline, foundBy, maybeAtWork, emit = () => undefined }: Search) {
  const lost = aLostAnswer(maybeAtWork)
  const clock = fakeClock()
  const reads: number[] = []
  const finding = findLostWrite(
    lost,
    0,
    () => {
      reads.push(clock.now())
      return Promise.resolve(reads.length === foundBy ? 'found' : undefined)
    },
    { clock, random: FULL_LUCK, signal: new AbortController().signal, deadline, maxRetries: 3, emit },
  )
  const found = await finding.catch((thrown: unknown) => (thrown === lost ? 'unknown' : thrown))
  return { found, reads }
}

describe('the search for a write whose response was lost', () => {
  it.each([
    { at: 'long before the deadline', deadline: 60_000, expected: { found: 'found', reads: [500, 1_500, 3_500] } },
    { at: 'just before the deadline', deadline: 3_501, expected: { found: 'found', reads: [500, 1_500, 3_500] } },
    { at: 'at the deadline', deadline: 3_500, expected: { found: 'unknown', reads: [500, 1_500] } },
  ])('is made $at: $expected.found', async ({ deadline, expected }) => {
    expect(await find({ deadline, foundBy: 3, maybeAtWork: true })).toEqual(expected)
  })

  it.each([true, false])('is announced once, with what came back (may be at work: %p)', async (maybeAtWork) => {
    const events: RolloutEvent[] = []
    await find({ deadline: 60_000, foundBy: 3, maybeAtWork, emit: (event) => void events.push(event) })
    expect(events).toEqual([{ kind: 'write-lost', cameBack: 'a failure' }])
  })

  it.each([true, false])(
    'is not made at all past the deadline: it is unknown whether the server acted (may be at work: %p)',
    async (maybeAtWork) => {
      expect(await find({ deadline: 400, foundBy: 1, maybeAtWork })).toEqual({ found: 'unknown', reads: [] })
    },
  )
})
