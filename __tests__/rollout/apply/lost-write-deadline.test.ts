import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError, BusyError, UnreachableError } from '../../../src/control-plane/errors.ts'
import {
  findLostWrite,
  type Found,
  isOutside,
  lostWrite,
  Sent,
  type Span,
  spanAround,
} from '../../../src/rollout/apply/write-once.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { fakeClock } from '../../builders.ts'
import { aRun } from '../../a-run.ts'
import { aLostAnswer, refusedWith } from '../../control-plane-stub.ts'

interface Search {
  lost?: AmbiguousWriteError
  /** The time at which it begins. */
  start?: number
  deadline?: number
  /** The read that finds the write. */
  foundBy?: number
  /** The reads that fail. */
  failing?: readonly number[]
  failure?: Error
  emit?: (event: RolloutEvent) => void
  /** What that read finds, and what else. */
  found?: Partial<Found<string>>
  others?: readonly Found<string>[]
}

/** Searches for a write whose response was lost, and which only the read of this number finds. */
async function find({
  lost = aLostAnswer(),
  start = 0,
  deadline = 60_000,
  foundBy = Infinity,
  failing = [],
  failure = refusedWith(404),
  emit = () => undefined,
  found = {},
  others = [],
}: Search) {
  const clock = fakeClock()
  clock.advance(start)
  const reads: number[] = []
  const pastLag: number[] = []
  const result = { made: 'found', what: 'revision', id: 'new', areSecretsShown: true } as const
  const finding = findLostWrite<string>(
    lost,
    new Sent(aRun({ clock })),
    ({ isPastLag }) => {
      reads.push(clock.now())
      if (isPastLag) pastLag.push(clock.now())
      if (failing.includes(reads.length)) return Promise.reject(failure)
      return Promise.resolve(reads.length >= foundBy ? [{ ...result, ...found }, ...others] : [])
    },
    aRun({ clock, deadline, maxRetries: 3, emit }),
  )
  const ended = await finding.catch((thrown: unknown) =>
    thrown === lost ? 'unknown' : thrown instanceof Error ? thrown.message : thrown,
  )
  return { found: typeof ended === 'object' ? 'found' : ended, reads, pastLag, endedAt: clock.now() }
}

describe('the search for a write whose response was lost', () => {
  const asking = (retryAfterMs: number) => new AmbiguousWriteError(aLostAnswer().trouble, { retryAfterMs })

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
    expect(await find({ start: 1_000, deadline: 400 })).toMatchObject({ found: 'unknown', reads: [], endedAt: 1_000 })
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
    expect((await find({ start: 10_000 })).pastLag).toEqual([16_500, 20_500, 25_500, 28_000])
    expect((await find({ lost: asking(6_000), foundBy: 1 })).pastLag).toEqual([6_000])
  })

  it('goes on after a read that failed', async () => {
    expect(await find({ failing: [1, 2], foundBy: 3 })).toMatchObject({ found: 'found', reads: [500, 1_500, 3_500] })
  })

  it('ends with a fault of its own', async () => {
    expect(await find({ failing: [1], failure: new Error('a fault') })).toMatchObject({
      found: 'a fault',
      reads: [500],
    })
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

  it('begins after the pause that the server asks for, and covers the whole window', async () => {
    const { found, reads } = await find({ lost: asking(5_000) })
    expect(found).toBeUndefined()
    expect(reads).toEqual([5_000, 6_000, 8_000, 11_000, 15_000, 20_000, 22_500])
  })

  it('permits no repetition that the server asks to send after the deadline', async () => {
    expect(await find({ lost: asking(60_000) })).toMatchObject({ found: 'unknown', endedAt: 18_000 })
    expect(await find({ lost: asking(60_000), foundBy: 7 })).toMatchObject({ found: 'found' })
    expect(await find({ lost: asking(20_000), start: 40_000 })).toMatchObject({ found: 'unknown', endedAt: 58_000 })
  })

  it('ends when a read shows two that it may be, and names both', async () => {
    const others = [{ made: 'other', what: 'revision', id: 'newer', areSecretsShown: true } as const]
    const { found } = await find({ foundBy: 2, others })
    expect(found).toBe(
      'Could not send a request: a failure; since then, several are new that it may have created: the revision new and the revision newer. It may have succeeded. Check which of them is yours before you rerun the job.',
    )
  })

  it.each([true, false])('says of what it finds if no response shows its secrets (shown: %p)', async (shown) => {
    const events: RolloutEvent[] = []
    const found = { areSecretsShown: shown }
    await find({ foundBy: 2, found, emit: (event) => void events.push(event) })
    const uncompared = { kind: 'secrets-uncompared', what: 'revision', id: 'new' }
    expect(events.slice(1)).toEqual(shown ? [] : [uncompared])
  })
})

describe('what was created before or after a write', () => {
  const since = Date.parse('2026-01-01T00:00:10Z')

  it.each<[string, boolean, number | undefined, Span]>([
    ['three seconds before', true, since - 3_000, { since }],
    ['a moment more than two seconds before', true, since - 2_001, { since }],
    ['two seconds before, which may be cut to the second', false, since - 2_000, { since }],
    ['after it', false, since + 60_000, { since }],
    ['two seconds after the end of its time', false, since + 2_000, { until: since }],
    ['a moment more after that', true, since + 2_001, { until: since }],
    ['at a time that is not reported', false, undefined, { since, until: since }],
    ['before a write whose time the server does not report', false, 0, {}],
  ])('is what was created %s: %p', (_case, outside, createdAt, span) => {
    expect(isOutside(createdAt, span)).toBe(outside)
  })

  it('is judged by the date of what its repetition has created', () => {
    expect(spanAround(since, 30_000)).toEqual({ since: since - 30_000, until: since + 18_000 })
    expect(spanAround(undefined, 30_000)).toEqual({})
  })
})

describe('what is looked for after a failed write', () => {
  const { trouble } = aLostAnswer()
  const lost = aLostAnswer()
  const busy = new BusyError(trouble, { retryAfterMs: 7_000 })

  it.each<[string, unknown, AmbiguousWriteError | undefined, unknown]>([
    ['a lost response', lost, undefined, lost],
    ['another lost response', lost, aLostAnswer(), lost],
    ['a 429, which says that nothing was done', busy, undefined, undefined],
    ['a refusal', refusedWith(400), undefined, undefined],
    ['no connection', new UnreachableError(trouble), undefined, undefined],
    ['a fault of its own', new Error('a fault'), lost, undefined],
  ])('follows from %s', (_case, thrown, earlier, expected) => {
    expect(lostWrite(thrown, earlier)).toBe(expected)
  })

  it.each([
    ['a 429', busy, 7_000],
    ['a refusal', refusedWith(400), undefined],
  ])('is the earlier attempt after %s to its repetition', (_case, thrown, retryAfterMs) => {
    const cameBack = 'a failure; the repetition failed, too: a failure'
    const found = lostWrite(thrown, lost)
    expect(found).toBeInstanceOf(AmbiguousWriteError)
    expect(found).toMatchObject({ trouble: { ...trouble, cameBack }, retryAfterMs, cause: thrown })
  })
})
