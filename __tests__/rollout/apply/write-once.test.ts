import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError, BusyError, UnreachableError } from '../../../src/control-plane/errors.ts'
import {
  findLostWrite,
  type PossibleResult,
  isOutside,
  type Look,
  lostWrite,
  spanOf,
  type Span,
  spanAround,
  type Write,
  writeOnce,
} from '../../../src/rollout/apply/write-once.ts'
import { Basis } from '../../../src/rollout/apply/basis.ts'
import { LOST_WRITE_PAUSES_MS, LOST_WRITE_WINDOW_MS } from '../../../src/rollout/timing.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock, FULL_LUCK, OLD_REVISION_ID } from '../../builders.ts'
import { aControlPlane, aLostAnswer, refusedWith } from '../../control-plane-stub.ts'
import { A_TURN, aRun } from '../../a-run.ts'
import { Client, type ControlPlane } from '../../../src/control-plane/client.ts'
import { baseUrl, schemas } from '../../schemas.ts'
import type { Transport } from '../../../src/control-plane/transport.ts'
import { knownDeployment } from '../../../src/rollout/apply/basis.ts'
import { reviseOnce } from '../../../src/rollout/apply/revise-once.ts'

const { trouble } = aLostAnswer()
const lost = aLostAnswer()
const busy = (retryAfterMs?: number): BusyError => new BusyError(trouble, { retryAfterMs })
const another = { made: 'of another client', resource: 'revision', id: 'theirs', areSecretsShown: true } as const

interface Script {
  /** What each write is answered with; the last one stays. Else `ours`. */
  answers?: (Error | 'ours')[]
  /** The age of the first read, in milliseconds. */
  ageMs?: number
  /** What is found after a lost answer. */
  found?: readonly PossibleResult<string>[]
  /** By how much the server's clock is ahead, in milliseconds. */
  dateOffMs?: number
  deadline?: number
  /** How long each turn is waited for, in milliseconds; then none. */
  turns?: number[]
  /** Looks that find nothing. */
  foundAfter?: number
}

/** A write that is sent at 100 s of the clock. The server's time is the clock's by default. */
async function send({ answers = ['ours'], ageMs = 0, found = [], dateOffMs = 0, ...rest }: Script) {
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
      turns: {
        write: async (latest: number) => {
          const ms = turns.shift() ?? 0
          if (clock.now() + ms > latest) return undefined
          await clock.sleep(ms, new AbortController().signal)
          return A_TURN
        },
      },
    }),
  })
  const readAgain = async (before: string): Promise<string> => {
    story.push(`read at ${clock.now()}`)
    return await Promise.resolve(`${before}, read again`)
  }
  const write: Write<string, string> = {
    resource: 'revision',
    basis: new Basis('as planned', readAgain, deps, { readAt: clock.now() - ageMs }),
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
  found?: Partial<PossibleResult<string>>
  others?: readonly PossibleResult<string>[]
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
  const result = { made: 'found', resource: 'revision', id: 'new', areSecretsShown: true } as const
  const finding = findLostWrite<string>(
    lost,
    clock.now(),
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
    const others = [{ made: 'other', resource: 'revision', id: 'newer', areSecretsShown: true } as const]
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

const found = (id: string, over: Partial<PossibleResult<string>> = {}): PossibleResult<string> => {
  return { made: id, resource: 'revision', id, areSecretsShown: false, ...over }
}
const THEIRS = found('theirs')
const OURS = found('ours')

interface Shown {
  /** What each look finds; the last one stays. */
  looks: readonly (readonly PossibleResult<string>[])[]
  deadline?: number
  /** By how much the Date of the last answer is ahead of the clock, before the first look and after each. */
  serverTimes?: readonly (number | 'unusable')[]
}

async function look({ looks, deadline = 60_000, serverTimes = [] }: Shown) {
  const clock = fakeClock()
  const seen: Look[] = []
  const dateAfter = (count: number): number | undefined => {
    const ahead = serverTimes[count] ?? serverTimes.at(-1)
    return ahead === 'unusable' ? undefined : ahead && clock.now() + ahead
  }
  const controlPlane = aControlPlane({ serverTime: () => dateAfter(seen.length) })
  const ended = await findLostWrite<string>(
    aLostAnswer(),
    clock.now(),
    async (one) => {
      seen.push(one)
      return await Promise.resolve(looks[seen.length - 1] ?? looks.at(-1) ?? [])
    },
    aRun({ clock, controlPlane, deadline, maxRetries: 3 }),
  ).catch((thrown: unknown) => thrown)
  return { ended, at: clock.now(), seen }
}

describe('what is found after a lost write', () => {
  it('is its result at once if it shows the values of the secrets', async () => {
    expect(await look({ looks: [[found('ours', { areSecretsShown: true })]] })).toMatchObject({
      ended: { id: 'ours' },
      at: 500,
    })
  })

  it.each([
    ['the values of the secrets', {}],
    ['anything that is like ours', { areSecretsShown: true, isUnlike: true }],
    ['its commit', { areSecretsShown: true, isPending: true }],
  ])('is its result at the end of the window if it does not show %s', async (_case, over) => {
    expect(await look({ looks: [[found('ours', over)]] })).toMatchObject({ ended: { id: 'ours' }, at: 18_000 })
  })

  it('is unknown if another one follows in the same window', async () => {
    const { ended, at } = await look({ looks: [[THEIRS], [THEIRS], [THEIRS], [OURS, THEIRS]] })
    expect(String(ended)).toContain('the revision ours and the revision theirs')
    expect(at).toBe(6_500)
  })

  it('is not unknown while one of two may still show that it is not ours', async () => {
    const pending = found('theirs', { isPending: true })
    const sure = found('ours', { areSecretsShown: true })
    expect(await look({ looks: [[pending], [sure, pending], [sure]] })).toMatchObject({ ended: { id: 'ours' } })
    expect(String((await look({ looks: [[pending], [sure, pending]] })).ended)).toContain('the revision ours and')
  })

  it('is looked for once more if a replica lacks it at the end', async () => {
    const looks = [[], [], [], [], [], [OURS], [], [OURS]]
    expect(await look({ looks })).toMatchObject({ ended: { id: 'ours' }, at: 20_000 })
  })

  it('is no result if it is contradicted later', async () => {
    expect(await look({ looks: [[THEIRS], []] })).toMatchObject({ ended: undefined, at: 18_000 })
    const late = [[], [], [], [], [], [THEIRS], []]
    expect(await look({ looks: late })).toMatchObject({ ended: undefined, at: 22_000 })
  })

  it('is its result if the time is over before the window', async () => {
    expect(await look({ looks: [[OURS]], deadline: 4_000 })).toMatchObject({ ended: { id: 'ours' }, at: 4_000 })
  })

  it('may be of any time as soon as the Dates are of several clocks', async () => {
    const { seen } = await look({ looks: [[]], serverTimes: [100_000, 'unusable'] })
    expect(seen.map(({ since, until }) => [since, until]).slice(0, 3)).toEqual([
      [100_000, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })
})

/** A server whose clock is so much ahead of the run's. */
const AHEAD_MS = Date.parse('2026-01-01T00:00:00Z')

/** A run whose server reports its time in some answers only: the last Date may be old. */
function openRun(answer: (path: string) => unknown = () => ({ id: DEPLOYMENT_ID, name: 'agent' })) {
  const clock = fakeClock()
  clock.advance(100_000)
  const transport: Transport = {
    send: async ({ path, method }) => {
      if (method === 'POST') throw new AmbiguousWriteError(aLostAnswer().trouble, { retryAfterMs: 30_000 })
      const date = new Date(AHEAD_MS + clock.now()).toUTCString()
      return await Promise.resolve({ status: 200, body: JSON.stringify(answer(path)), headers: { date } })
    },
  }
  const controlPlane: ControlPlane = new Client({ baseUrl, schemas, transport, onSecrets: () => undefined, clock })
  return { clock, controlPlane }
}

const dated = (ms: number): string => new Date(AHEAD_MS + ms).toISOString()

describe('the span of a lost write', () => {
  it.each([
    ['at once', 0, { since: 105_000 }],
    ['at the end of the window', 18_000, { since: 105_000 }],
    ['after a long pause', 60_000, { since: 105_000, until: 128_000 }],
  ])('begins when it was sent, however old the last Date is: a look %s', async (_case, pauseMs, span) => {
    const { clock, controlPlane } = openRun()
    await controlPlane.getDeployment(DEPLOYMENT_ID)
    clock.advance(5_000)
    clock.advance(pauseMs)
    const { since = NaN, until } = spanOf(105_000, 105_000, aRun({ clock, controlPlane }))
    expect({ since: since - AHEAD_MS, ...(until !== undefined && { until: until - AHEAD_MS }) }).toEqual(span)
  })

  it('begins with the second of a clock that is up to two seconds ahead of the one that dates what is made', async () => {
    const { clock, controlPlane } = openRun()
    // Answers at several moments of a second show the clock to the millisecond.
    for (let count = 0; count < 10; count++) {
      clock.advance(191)
      await controlPlane.getDeployment(DEPLOYMENT_ID)
    }
    const { since = NaN } = spanOf(clock.now(), clock.now(), aRun({ clock, controlPlane }))
    expect(since - AHEAD_MS).toBe(Math.floor(clock.now() / 1_000) * 1_000)
    const dated = Math.floor((AHEAD_MS + clock.now() - 1_900) / 1_000) * 1_000
    expect(isOutside(dated, { since })).toBe(false)
  })

  it('is not known before an answer has a Date', async () => {
    const { clock, controlPlane } = openRun()
    const deps = aRun({ clock, controlPlane })
    expect(spanOf(clock.now(), clock.now(), deps)).toEqual({})
    await controlPlane.getDeployment(DEPLOYMENT_ID)
    expect(spanOf(clock.now(), clock.now(), deps)).toEqual({ since: AHEAD_MS + clock.now() })
  })

  it('does not begin earlier by the pause that the server asks for', async () => {
    // A replica that lags has hidden it from the read before.
    const theirs = { id: 'theirs', status: 'DEPLOYING', created_at: dated(90_000), source_revision_config: {} }
    const old = { id: OLD_REVISION_ID, status: 'DEPLOYED', created_at: dated(0), source_revision_config: {} }
    const { clock, controlPlane } = openRun((path) =>
      path.includes('/revisions')
        ? { resources: [theirs, old], offset: 2 }
        : { id: DEPLOYMENT_ID, name: 'agent', latest_revision_id: 'theirs' },
    )
    await controlPlane.getDeployment(DEPLOYMENT_ID)
    const deps = aRun({ clock, deadline: 600_000, maxRetries: 3 })
    const known = knownDeployment(aDeployment({ latestRevisionId: OLD_REVISION_ID }), { ...deps, controlPlane })
    let posts = 0
    const createRevision: typeof controlPlane.createRevision = async (...about) => {
      posts += 1
      return posts === 1 ? await controlPlane.createRevision(...about) : aRevision({ id: 'ours' })
    }
    const all = { ...deps, controlPlane: { ...controlPlane, createRevision } }
    const made = await reviseOnce(known, { source: 'external_container', settings: {} }, all)
    expect(made).toMatchObject({ revision: { id: 'ours' }, isFound: false })
  })
})
