import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BakeEvent } from '../../../src/rollout/event.ts'
import { type BakeEnd, beginBake, stepBake } from '../../../src/rollout/verify/bake.ts'
import { type Reads, verify } from '../../../src/rollout/verify/verify.ts'
import type { Run } from '../../../src/rollout/dependencies.ts'
import { aRun } from '../../a-run.ts'
import { fakeClock } from '../../builders.ts'

const URL = 'https://agent.example/ok'
const SECOND = 1_000

/** A read of the address: `ok`, or how it failed. */
type Reading = 'ok' | 'answer' | 'refused' | 'lost' | 'trouble'
interface Response {
  reading: Reading
  tookMs?: number
}

interface Seen {
  end: BakeEnd
  /** When each read began. */
  reads: number[]
  events: { at: number; event: BakeEvent }[]
  endedAt: number
}

/** Bakes on a clock that only the driver moves. The last response stays. */
function drive(forMs: number, responses: readonly Response[]): Seen {
  let now = 0
  const reads: number[] = []
  let taken = beginBake(URL, forMs, now)
  const events = taken.events.map((event) => ({ at: now, event }))
  while (taken.next.kind === 'read') {
    if (reads.length > 10_000) throw new Error('the bake does not end')
    now = Math.max(now, taken.next.at)
    const { reading, tookMs = 0 } = responses[Math.min(reads.length, responses.length - 1)] ?? { reading: 'ok' }
    const startedAt = now
    reads.push(now)
    now += tookMs
    const end = reading === 'ok' ? 200 : reading === 'answer' ? 503 : reading
    const trouble = reading === 'ok' ? undefined : `it is ${reading}`
    taken = stepBake(Object.freeze(taken.bake), { startedAt, endedAt: now, end, trouble })
    events.push(...taken.events.map((event) => ({ at: now, event })))
  }
  return { end: taken.next.end, reads, events, endedAt: now }
}

const of = (...readings: Reading[]): Response[] => readings.map((reading) => ({ reading }))
const down = (evidence: string, afterMs: number) => expect.objectContaining({ kind: 'down', evidence, afterMs })
const passed = { kind: 'passed' }

describe('a bake without a failure', () => {
  it.each([
    [300, [300]],
    [1_000, [500, 1_000]],
    [25_000, [4_167, 8_333, 12_500, 16_667, 20_833, 25_000]],
    [65_000, [10_000, 20_000, 30_000, 40_000, 50_000, 60_000, 65_000]],
  ])('of %d ms reads at these moments, for the last time at its end: %j', (forMs, moments) => {
    expect(drive(forMs, of('ok')).reads.map(Math.round)).toEqual(moments)
  })
})

describe('a bake of a minute', () => {
  it.each<[string, Response[], unknown, number]>([
    ['passes when every read is good', of('ok'), passed, 60],
    ['passes two failures in a row', of('ok', 'refused', 'refused', 'ok'), passed, 60],
    [
      'passes any number of failures that recover',
      of('refused', 'refused', 'ok', 'answer', 'answer', 'ok'),
      passed,
      60,
    ],
    ['ends at the third failure in a row', of('ok', 'answer', 'answer', 'answer'), down('answer', 20_000), 40],
    ['ends by refusals only if each is one', of('refused'), down('refusals', 10_000), 30],
    ['counts an app that hangs as refusing', of('ok', 'lost', 'refused', 'lost'), down('refusals', 20_000), 40],
    ['shows nothing if one is something else', of('refused', 'trouble', 'refused'), down('none', 10_000), 30],
    ['shows an answer if one is one', of('trouble', 'trouble', 'answer'), down('answer', 10_000), 30],
    ['does not count what it has recovered from', of('answer', 'ok', 'refused'), down('refusals', 30_000), 50],
    ['decides a row that begins at its end', of('ok', 'ok', 'ok', 'ok', 'ok', 'refused'), down('refusals', 60_000), 80],
    ['passes if that row recovers', of('ok', 'ok', 'ok', 'ok', 'ok', 'refused', 'refused', 'ok'), passed, 80],
  ])('%s', (_title, responses, end, seconds) => {
    const seen = drive(60 * SECOND, responses)
    expect(seen.end).toEqual(end)
    expect(seen.endedAt).toBe(seconds * SECOND)
  })

  it('emits a failure, a recovery and the end', () => {
    const { events } = drive(60 * SECOND, of('answer', 'ok'))
    expect(events).toEqual([
      { at: 0, event: { kind: 'bake-began', url: URL, forMs: 60_000 } },
      { at: 10_000, event: { kind: 'bake-failed', trouble: 'it is answer', row: 1, limit: 3 } },
      { at: 20_000, event: { kind: 'bake-recovered', row: 1 } },
      { at: 60_000, event: { kind: 'bake-passed', forMs: 60_000, reads: 6, failures: 1 } },
    ])
  })
})

const aResponse = fc.record({
  reading: fc.constantFrom<Reading>('ok', 'ok', 'ok', 'answer', 'refused', 'trouble'),
  tookMs: fc.nat(10_000),
})
const aBake = fc.tuple(fc.integer({ min: 1, max: 3_600_000 }), fc.array(aResponse, { minLength: 1, maxLength: 60 }))

describe('any bake', () => {
  const always = (check: (seen: Seen, forMs: number, responses: Response[]) => void): void => {
    fc.assert(fc.property(aBake, ([forMs, responses]) => check(drive(forMs, responses), forMs, responses)))
  }

  it('reads at intervals of at most 10 s', () => {
    always(({ reads }) => {
      for (const [n, at] of reads.entries()) expect(at - (reads[n - 1] ?? 0)).toBeLessThanOrEqual(10_000)
    })
  })

  it('never asks for a read in the past, however long a read takes', () => {
    const { bake } = beginBake(URL, 60 * SECOND, 0)
    const late = { startedAt: 10_000, endedAt: 75_000, end: 'trouble' } as const
    expect(stepBake(bake, { ...late, trouble: 'it hangs' }).next).toEqual({ kind: 'read', at: 75_000 })
    const inTime = { startedAt: 10_000, endedAt: 55_000, end: 200, trouble: undefined } as const
    expect(stepBake(bake, inTime).next).toEqual({ kind: 'read', at: 55_000 })
  })

  it('ends as down exactly when the last three reads failed', () => {
    always(({ end, reads }, _forMs, responses) => {
      const readings = reads.map((_at, n) => responses[Math.min(n, responses.length - 1)]?.reading)
      expect(end.kind === 'down').toBe(readings.length >= 3 && readings.slice(-3).every((one) => one !== 'ok'))
      const rows = readings.slice(0, -1).map((_one, n) => readings.slice(n, n + 3))
      expect(rows.slice(0, -2).some((row) => row.length === 3 && row.every((one) => one !== 'ok'))).toBe(false)
    })
  })

  it('passes only at its end, after a good read', () => {
    always(({ end, endedAt }, forMs) => {
      if (end.kind === 'passed') expect(endedAt).toBeGreaterThanOrEqual(forMs)
      expect(endedAt).toBeLessThanOrEqual(forMs + 50_000)
    })
  })

  it('is never silent for more than a minute', () => {
    always(({ events }) => {
      for (const [n, { at }] of events.entries()) expect(at - (events[n - 1]?.at ?? 0)).toBeLessThanOrEqual(60_000)
    })
  })
})

describe('verify with verify-for', () => {
  const verification = { url: URL, status: 200, contains: undefined, timeoutMs: 10_000, forMs: 30_000 }

  /** One answer's status for each read; the last one stays. */
  async function verified(statuses: number[]) {
    const clock = fakeClock()
    const events: string[] = []
    const left = [...statuses]
    const status = (): number => (left.length > 1 ? left.shift() : left[0]) ?? 0
    const reads: Reads = {
      findUrl: () => Promise.resolve(undefined),
      read: () => Promise.resolve({ kind: 'answer', body: '', status: status() }),
    }
    const emit: Run['emit'] = ({ kind }) => void events.push(kind)
    const end = await verify(verification, reads, aRun({ clock, emit }))
    return { end, events, now: clock.now() }
  }

  it('bakes from the first good answer on', async () => {
    expect(await verified([500, 200])).toEqual({ end: undefined, events: ['bake-began', 'bake-passed'], now: 31_000 })
  })

  it('says what was seen, and after how long', async () => {
    const { end } = await verified([200, 200, 503])
    expect(end).toEqual({
      kind: 'unverified',
      url: URL,
      trouble: 'it answers HTTP 503, not 200',
      seen: 503,
      evidence: 'answer',
      afterMs: 10_000,
    })
  })
})
