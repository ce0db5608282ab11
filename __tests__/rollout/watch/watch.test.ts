import { describe, expect, it } from '@jest/globals'
import { BrokenContractError, RefusedError, UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Revision } from '../../../src/control-plane/model.ts'
import {
  watchRevision,
  type WatchEnd,
  type WatchEvent,
  type WatchOptions,
} from '../../../src/rollout/watch/watch.ts'
import { aRevision, fakeClock, NO_LUCK } from '../../builders.ts'

const trouble = { attempted: 'read the revision', cameBack: 'nothing', hint: 'wait' }

type Script = (string | Error)[]

/** Watches a revision that goes through these statuses, a poll each; the last one stays. */
async function watch(script: Script, over: Partial<WatchOptions> = {}) {
  const clock = fakeClock()
  let at = 0
  const poll = (): Promise<Revision> => {
    const next = script[Math.min(at++, script.length - 1)] ?? ''
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(aRevision({ status: next }))
  }
  const signal = new AbortController().signal
  const options = {
    poll,
    initial: undefined,
    interval: 'auto',
    deadline: 600_000,
    phaseLimits: {},
    overtakenBy: () => Promise.resolve(undefined),
    deploymentIsGone: () => Promise.resolve(false),
    clock,
    random: NO_LUCK,
    signal,
    ...over,
  } as const
  const watching = watchRevision(options)
  const events: WatchEvent[] = []
  for (;;) {
    const step = await watching.next()
    if (step.done === true) return { events, end: step.value satisfies WatchEnd, clock, polls: at }
    events.push(step.value)
  }
}

const statuses = (events: WatchEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'status' ? event.revision.status : []))

describe('watchRevision', () => {
  it('tells each status once and ends with a terminal one', async () => {
    const { events, end } = await watch(['CREATING', 'QUEUED', 'QUEUED', 'BUILDING', 'DEPLOYED'])
    expect(statuses(events)).toEqual(['CREATING', 'QUEUED', 'BUILDING', 'DEPLOYED'])
    expect(end).toMatchObject({ kind: 'terminal', revision: { status: 'DEPLOYED' } })
  })

  it('pauses 1 s first, grows to 10 s at most, and drops back to 2 s when the status changes', async () => {
    const { clock } = await watch([
      'QUEUED',
      ...Array<string>(8).fill('QUEUED'),
      'BUILDING',
      'BUILDING',
      'DEPLOYED',
    ])
    expect(clock.slept.slice(0, 9)).toEqual([1000, 1500, 2250, 3375, 5063, 7594, 10_000, 10_000, 10_000])
    expect(clock.slept.slice(9, 11)).toEqual([2000, 3000])
  })

  it('keeps a fixed interval', async () => {
    const { clock } = await watch(['QUEUED', 'QUEUED', 'BUILDING', 'DEPLOYED'], { interval: 200 })
    expect(clock.slept).toEqual([200, 200, 200])
  })

  it('starts from what the creating answer told, without a poll', async () => {
    const { polls } = await watch([], { initial: aRevision({ status: 'DEPLOYED' }) })
    expect(polls).toBe(0)
  })

  it.each<[string, Error]>([
    ['an unreachable control plane', new UnreachableError(trouble)],
    ['an answer that is no JSON', new BrokenContractError(trouble)],
    ['a replica that does not know the revision yet', new RefusedError(404, '', trouble)],
  ])('takes %s for a blip', async (_case, error) => {
    const { events, end } = await watch(['QUEUED', error, error, 'DEPLOYED'])
    expect(
      events.filter(({ kind }) => kind === 'blip').map((event) => event.kind === 'blip' && event.row),
    ).toEqual([1, 2])
    expect(end.kind).toBe('terminal')
  })

  it('ends when a revision is still unknown after 30 s', async () => {
    await expect(watch([new RefusedError(404, 'gone', trouble)])).rejects.toThrow(RefusedError)
  })

  it.each([401, 403])('ends at once when the control plane answers %d', async (status) => {
    await expect(watch(['QUEUED', new RefusedError(status, '', trouble)])).rejects.toThrow(RefusedError)
  })

  it('waits as long as Retry-After says', async () => {
    const { clock } = await watch(['QUEUED', new UnreachableError(trouble, 25_000), 'DEPLOYED'])
    expect(clock.slept).toEqual([1000, 25_000])
  })

  it('goes on over statuses that it does not know', async () => {
    const { events, end } = await watch(['WARMING_UP', 'UNKNOWN', 'DEPLOYED'])
    expect(statuses(events)).toEqual(['WARMING_UP', 'UNKNOWN', 'DEPLOYED'])
    expect(end.kind).toBe('terminal')
  })

  it('gives up at the deadline, after one last look at that moment', async () => {
    const { end, clock, polls } = await watch(['QUEUED'], { deadline: 12_000, interval: 5000 })
    expect(end).toEqual({ kind: 'timed-out', lastTrouble: undefined })
    expect(clock.now()).toBe(12_000)
    expect(polls).toBe(4)
  })

  it('sees an end that came with the very last look', async () => {
    const { end } = await watch(['QUEUED', 'QUEUED', 'DEPLOYED'], { deadline: 6_000, interval: 5000 })
    expect(end.kind).toBe('terminal')
  })

  it('tells the last trouble when nothing but blips came before the deadline', async () => {
    const { end } = await watch([new UnreachableError(trouble)], { deadline: 5_000 })
    expect(end).toEqual({ kind: 'timed-out', lastTrouble: 'nothing' })
  })

  it('gives a sign of life every minute, between polls too', async () => {
    const { events } = await watch(['BUILDING', 'BUILDING', 'DEPLOYED'], { interval: 150_000 })
    const beats = events.flatMap((event) => (event.kind === 'heartbeat' ? [event.forMs] : []))
    expect(beats).toEqual([60_000, 120_000, 180_000, 240_000, 300_000])
  })

  it('stops at once when it is aborted', async () => {
    const controller = new AbortController()
    controller.abort(new Error('cancelled'))
    await expect(watch(['QUEUED'], { signal: controller.signal })).rejects.toThrow('cancelled')
  })
})

describe('watchRevision and the phases', () => {
  it.each([
    ['queue', 'QUEUED'],
    ['build', 'BUILDING'],
    ['deploy', 'DEPLOYING'],
  ] as const)('stops when the %s phase has lasted too long, to the moment', async (name, status) => {
    const { end, clock } = await watch([status], { phaseLimits: { [name]: 7_500 } })
    expect(end).toMatchObject({ kind: 'timed-out', phase: { name, limitMs: 7_500, forMs: 7_500 } })
    expect(clock.now()).toBe(7_500)
  })

  it('counts all statuses of a phase together, and each phase for itself', async () => {
    const waiting = Array<string>(2).fill('AWAITING_BUILD')
    const { end } = await watch(['QUEUED', 'QUEUED', ...waiting, 'BUILDING'], {
      interval: 2_000,
      phaseLimits: { queue: 5_000, build: 10_000 },
    })
    expect(end).toMatchObject({ phase: { name: 'build', forMs: 10_000 } })
  })

  it('does not stop what ended in time, nor an unknown status', async () => {
    const limits = { phaseLimits: { queue: 3_000, build: 3_000, deploy: 3_000 }, interval: 1_000 as const }
    const ended = await watch(['QUEUED', 'QUEUED', 'BUILDING', 'BUILDING', 'DEPLOYED'], limits)
    expect(ended.end.kind).toBe('terminal')
    const odd = await watch(['PONDERING'], { ...limits, deadline: 60_000 })
    expect(odd.end).toEqual({ kind: 'timed-out', lastTrouble: undefined })
  })
})

describe('watchRevision and newer revisions', () => {
  it('asks at every sixth poll, no more often, and ends when one has taken our place', async () => {
    let asked = 0
    const overtakenBy = (): Promise<string | undefined> => {
      asked += 1
      return Promise.resolve(asked === 3 ? 'newer' : undefined)
    }
    const { end, polls } = await watch(['BUILDING'], { overtakenBy })
    expect(end).toEqual({ kind: 'superseded', by: 'newer' })
    expect(asked).toBe(3)
    // The first look at the revision, and three times six more.
    expect(polls).toBe(19)
  })

  it('measures a phase through statuses that nobody knows', async () => {
    const flapping = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 'BUILDING' : 'PONDERING'))
    const { end } = await watch(flapping, { phaseLimits: { build: 20_000 } })
    expect(end).toMatchObject({ kind: 'timed-out', phase: { name: 'build', forMs: 20_000 } })
  })

  it('ends before long when its deployment was deleted, but not for a replica that lags', async () => {
    const missing = new RefusedError(404, 'Not Found', trouble)
    const deploymentIsGone = () => Promise.resolve(true)
    const clock = fakeClock()
    await expect(watch(['BUILDING', missing], { deploymentIsGone, clock })).rejects.toThrow(RefusedError)
    expect(clock.now()).toBeLessThan(25_000)
    for (const lagging of [
      [missing, missing],
      ['BUILDING', missing, missing],
    ]) {
      const { end } = await watch([...lagging, 'DEPLOYED'], { deploymentIsGone })
      expect(end.kind).toBe('terminal')
    }
  })
})
