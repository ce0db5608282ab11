import { describe, expect, it } from '@jest/globals'
import { findLostWrite } from '../../../src/rollout/apply/lost-write.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { fakeClock, FULL_LUCK } from '../../builders.ts'
import { aLostAnswer, refusedWith } from '../../control-plane-stub.ts'

interface Search {
  deadline?: number
  /** The read that finds the write. */
  foundBy?: number
  /** The reads that fail. */
  failing?: readonly number[]
  emit?: (event: RolloutEvent) => void
}

/** Searches for a write whose response was lost, and which only the read of this number finds. */
async function find({ deadline = 60_000, foundBy = Infinity, failing = [], emit = () => undefined }: Search) {
  const lost = aLostAnswer()
  const clock = fakeClock()
  const reads: number[] = []
  const pastLag: number[] = []
  const finding = findLostWrite(
    lost,
    ({ isPastLag }) => {
      reads.push(clock.now())
      if (isPastLag) pastLag.push(clock.now())
      if (failing.includes(reads.length)) return Promise.reject(refusedWith(404))
      return Promise.resolve(reads.length >= foundBy ? 'found' : undefined)
    },
    { clock, random: FULL_LUCK, signal: new AbortController().signal, deadline, maxRetries: 3, emit },
  )
  const found = await finding.catch((thrown: unknown) =>
    thrown === lost ? 'unknown' : thrown instanceof Error ? thrown.message : thrown,
  )
  return { found, reads, pastLag, endedAt: clock.now() }
}

describe('the search for a write whose response was lost', () => {
  it.each([
    { at: 'long before the deadline', deadline: 60_000, expected: { found: 'found', reads: [500, 1_500, 3_500] } },
    { at: 'just before the deadline', deadline: 3_501, expected: { found: 'found', reads: [500, 1_500, 3_500] } },
    { at: 'at the deadline', deadline: 3_500, expected: { found: 'unknown', reads: [500, 1_500] } },
  ])('is made $at: $expected.found', async ({ deadline, expected }) => {
    expect(await find({ deadline, foundBy: 3 })).toMatchObject(expected)
  })

  it('is announced once, with what came back', async () => {
    const events: RolloutEvent[] = []
    await find({ foundBy: 3, emit: (event) => void events.push(event) })
    expect(events).toEqual([{ kind: 'write-lost', cameBack: 'a failure' }])
  })

  it('is not made at all past the deadline: it is unknown whether the server acted', async () => {
    expect(await find({ deadline: 400, foundBy: 1 })).toMatchObject({ found: 'unknown', reads: [] })
  })

  it('ends at the deadline, not at the next read after it', async () => {
    expect(await find({ deadline: 7_000 })).toMatchObject({ found: 'unknown', endedAt: 7_000 })
  })

  it('covers a server that acts 9 s late and a replica that is 6 s behind: the write may be repeated after that', async () => {
    const { found, reads } = await find({})
    expect(found).toBeUndefined()
    expect(reads.at(-1)).toBeGreaterThanOrEqual(9_000 + 6_000)
    expect(reads.at(-1)).toBeLessThanOrEqual(18_000)
  })

  it('says which reads no replica can answer with the state before the write', async () => {
    expect((await find({})).pastLag).toEqual([6_500, 10_500, 15_500, 18_000])
  })

  it('goes on after a read that failed', async () => {
    expect(await find({ failing: [1, 2], foundBy: 3 })).toMatchObject({ found: 'found', reads: [500, 1_500, 3_500] })
  })

  it('reads again at the end of the window until a read succeeds', async () => {
    const { found, reads } = await find({ failing: [7, 8] })
    expect(found).toBeUndefined()
    expect(reads.slice(-3)).toEqual([18_000, 20_000, 22_000])
  })

  it('permits no repetition when no read at the end succeeds', async () => {
    const { found } = await find({ failing: [7, 8, 9, 10] })
    expect(found).toMatch(/a failure; the check for its result failed, too: a failure/)
  })
})
