import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError, BusyError, UnreachableError } from '../../../src/control-plane/errors.ts'
import { type Found, type Write, writeOnce } from '../../../src/rollout/apply/write-once.ts'
import { Basis } from '../../../src/rollout/apply/basis.ts'
import { LOST_WRITE_PAUSES_MS, LOST_WRITE_WINDOW_MS } from '../../../src/rollout/timing.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { fakeClock, FULL_LUCK } from '../../builders.ts'
import { aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { aRun } from '../../a-run.ts'

const { trouble } = aLostAnswer()
const lost = aLostAnswer()
const busy = (retryAfterMs?: number): BusyError => new BusyError(trouble, { retryAfterMs })
const another = { made: 'of another client', what: 'revision', id: 'theirs', areSecretsShown: true } as const

interface Sent {
  /** What each write is answered with; the last one stays. Else `ours`. */
  answers?: (Error | 'ours')[]
  /** The age of the first read, in milliseconds. */
  ageMs?: number
  /** What is found after a lost answer. */
  found?: readonly Found<string>[]
  /** By how much the server's clock is ahead, in milliseconds. */
  dateOffMs?: number
  deadline?: number
  /** How long each turn is waited for, in milliseconds; then none. */
  turns?: number[]
  /** Looks that find nothing. */
  foundAfter?: number
}

/** A write that is sent at 100 s of the clock. The server's time is the clock's by default. */
async function send({ answers = ['ours'], ageMs = 0, found = [], dateOffMs = 0, ...rest }: Sent) {
  const { deadline = 600_000, turns, foundAfter = 0 } = rest
  const clock = fakeClock()
  clock.advance(100_000)
  const story: string[] = []
  const events: RolloutEvent[] = []
  const answersLeft = [...answers]
  const deps = aRun({
    controlPlane: aControlPlane({ serverTime: () => clock.now() + dateOffMs }),
    clock,
    random: FULL_LUCK,
    deadline,
    maxRetries: 3,
    emit: (event: RolloutEvent) => void events.push(event),
    ...(turns && {
      writeTurn: async (latest: number) => {
        const ms = turns.shift() ?? 0
        if (clock.now() + ms > latest) return false
        await clock.sleep(ms, new AbortController().signal)
        return true
      },
    }),
  })
  const readAgain = async (before: string): Promise<string> => {
    story.push(`read at ${clock.now()}`)
    return await Promise.resolve(`${before}, read again`)
  }
  const write: Write<string, string> = {
    what: 'revision',
    basis: new Basis({ state: 'as planned', readAt: clock.now() - ageMs, readAgain }, deps),
    create: async (before) => {
      story.push(`sent at ${clock.now()} ${before}`)
      const answer = answersLeft.length > 1 ? answersLeft.shift() : answersLeft[0]
      return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? 'ours'))
    },
    find: async (before, { since, until }) => {
      story.push(`looked ${before} since ${since}${until === undefined ? '' : ` until ${until}`}`)
      return await Promise.resolve(story.filter((line) => line.startsWith('looked')).length > foundAfter ? found : [])
    },
  }
  const ended = await writeOnce(write, deps).catch((thrown: unknown) => thrown)
  return { ended, story, events: events.map(({ kind }) => kind) }
}

const ours = { made: 'ours', isFound: false, isRepeated: false, sinceFirstMs: 0 }

describe('a write', () => {
  it.each([
    [0, ['sent at 100000 as planned']],
    [5_000, ['sent at 100000 as planned']],
    [5_001, ['read at 100000', 'sent at 100000 as planned, read again']],
  ])('follows a read that is not older than five seconds: %d ms', async (ageMs, story) => {
    expect(await send({ ageMs })).toMatchObject({ ended: ours, story })
  })

  it('is sent again after a 429, which says that nothing was done: nothing is looked for', async () => {
    const { ended, story, events } = await send({ answers: [busy(4_000), 'ours'], found: [another] })
    expect(ended).toMatchObject(ours)
    expect(story).toEqual(['sent at 100000 as planned', 'read at 104000', 'sent at 104000 as planned, read again'])
    expect(events).toEqual(['request-retried'])
  })

  it('follows another read after each pause: what came in the meantime is not ours', async () => {
    const { story } = await send({ answers: [busy(4_000), lost], found: [another] })
    expect(story).toEqual([
      'sent at 100000 as planned',
      'read at 104000',
      'sent at 104000 as planned, read again',
      'looked as planned, read again since 104000',
    ])
  })

  it.each([
    ['that comes soon needs no other read', 5_000, ['sent at 105000 as planned']],
    ['that comes late follows another read', 5_001, ['read at 105001', 'sent at 105001 as planned, read again']],
  ])('has its turn before it is sent: one %s', async (_case, ms, story) => {
    expect(await send({ turns: [ms] })).toMatchObject({ ended: ours, story })
  })

  it('is not sent if its turn would come after the deadline', async () => {
    const { ended, story } = await send({ turns: [30_000], deadline: 128_999 })
    expect(ended).toBeInstanceOf(UnreachableError)
    expect(story).toEqual([])
  })

  it('is looked for once more if the turn of its repetition comes late', async () => {
    const looks = LOST_WRITE_PAUSES_MS.length
    const { ended, story } = await send({
      answers: [lost, 'ours'],
      found: [another],
      turns: [0, 5_001],
      foundAfter: looks,
    })
    expect(ended).toMatchObject({ made: another.made, isFound: true })
    expect(story.filter((line) => line.startsWith('sent'))).toHaveLength(1)
    const soon = await send({ answers: [lost, 'ours'], found: [another], turns: [0, 5_000], foundAfter: looks })
    expect(soon.ended).toMatchObject({ ...ours, isRepeated: true, sinceFirstMs: LOST_WRITE_WINDOW_MS + 5_000 })
  })

  it('is looked for since its first attempt that may have been acted upon, whatever follows', async () => {
    const { ended, story } = await send({ answers: [lost, busy(), 'ours'] })
    expect(ended).toMatchObject({ ...ours, isRepeated: true, sinceFirstMs: 2 * LOST_WRITE_WINDOW_MS })
    expect(new Set(story.filter((line) => line.startsWith('looked')))).toEqual(
      new Set(['looked as planned since 100000']),
    )
    expect(story.filter((line) => line.startsWith('sent'))).toHaveLength(3)
  })

  it.each([
    ['an hour ahead', 3_600_000, '3700000', '3723000'],
    ['an hour behind', -3_600_000, '-3500000', '-3477000'],
  ])("is looked for in a span of the server's clock: %s", async (_case, dateOffMs, since, until) => {
    const { story } = await send({ answers: [lost], found: [another], dateOffMs })
    expect(story).toEqual(['sent at 100000 as planned', `looked as planned since ${since}`])
    // Whatever pause is asked for, it could act no more after the window.
    const answer = new AmbiguousWriteError(trouble, { retryAfterMs: 60_000 })
    const late = await send({ answers: [answer], found: [another], dateOffMs })
    expect(late.story).toEqual(['sent at 100000 as planned', `looked as planned since ${since} until ${until}`])
  })

  it.each([
    ['comes too often', busy(), 600_000, 4],
    ['asks to wait beyond the deadline', busy(60_000), 150_000, 1],
  ])('ends with a 429 that %s', async (_case, answer, deadline, count) => {
    const { ended, story } = await send({ answers: [answer], deadline })
    expect(ended).toBe(answer)
    expect(story.filter((line) => line.startsWith('sent'))).toHaveLength(count)
  })

  it('ends with a refusal, and is not sent again', async () => {
    const refusal = refusedWith(422)
    expect(await send({ answers: [refusal] })).toMatchObject({ ended: refusal, story: { length: 1 } })
  })

  it('is looked for over the whole window before it is sent again', async () => {
    const { ended, story } = await send({ answers: [lost, 'ours'] })
    expect(ended).toMatchObject({ ...ours, isRepeated: true, sinceFirstMs: LOST_WRITE_WINDOW_MS })
    const sent = story.flatMap((line, at) => (line.startsWith('sent') ? [at] : []))
    // The deployment is read again before the repetition, too.
    expect(sent).toEqual([0, LOST_WRITE_PAUSES_MS.length + 2])
  })

  it('ends when its repetition is refused: the first one may have succeeded', async () => {
    const { ended, story } = await send({ answers: [lost, refusedWith(422)] })
    expect(ended).toBeInstanceOf(AmbiguousWriteError)
    expect(story.filter((line) => line.startsWith('sent'))).toHaveLength(2)
  })

  it('is not sent again when two could be its result', async () => {
    const { ended, story } = await send({ answers: [lost], found: [another, { ...another, id: 'other' }] })
    expect(ended).toBeInstanceOf(AmbiguousWriteError)
    expect(story).toEqual(['sent at 100000 as planned', 'looked as planned since 100000'])
  })
})
