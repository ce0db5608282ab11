import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  BrokenContractError,
  RefusedError,
  UnreachableError,
  type ControlPlaneError,
} from '../../../src/control-plane/errors.ts'
import type { WatchEvent } from '../../../src/rollout/event.ts'
import { phaseOf, type Phase } from '../../../src/rollout/outcome.ts'
import {
  beginWatch,
  step,
  type Next,
  type Observation,
  type Step,
  type WatchEnd,
  type WatchLimits,
  type WatchState,
} from '../../../src/rollout/watch/step.ts'
import { aRevision } from '../../builders.ts'

const trouble = { attempted: 'read the revision', cameBack: 'it failed', hint: 'wait' }
const unreachable = (retryAfterMs?: number) => new UnreachableError(trouble, { retryAfterMs })
const refused = (status: number) => new RefusedError(status, '', trouble)
const missing = refused(404)

const read = (status: string): Observation => ({ kind: 'revision-read', revision: aRevision({ status }) })
const failed = (error: ControlPlaneError): Observation => ({ kind: 'poll-failed', error })
const gone: Observation = { kind: 'deployment-read', finding: { kind: 'gone' } }
const unknown: Observation = { kind: 'deployment-read', finding: { kind: 'unknown' } }
const unreadable: Observation = { kind: 'deployment-read', finding: { kind: 'unreadable' } }
const passed: Observation = { kind: 'time-passed' }

const LIMITS: WatchLimits = { pollInterval: 5_000, phaseLimits: {}, deadline: 600_000 }

/** Takes a step for each observation at its time; returns the last step. */
function take(
  observed: Readonly<Record<number, Observation>> | readonly [at: number, Observation][],
  limits: Partial<WatchLimits> = {},
): Step {
  let state = beginWatch({ ...LIMITS, ...limits }, 0)
  let last: Step | undefined
  for (const [at, observation] of Symbol.iterator in observed ? observed : Object.entries(observed)) {
    last = step(state, observation, { now: Number(at), random: 0 })
    state = last.state
  }
  if (last === undefined) throw new Error('a step needs an observation')
  return last
}

const endOf = ({ next }: Step): WatchEnd | undefined => (next.kind === 'end' ? next.end : undefined)

describe('step, after a read of the revision', () => {
  it('reports the first status and plans the next poll', () => {
    const { events, next } = take([[0, read('QUEUED')]])
    expect(events).toEqual([{ kind: 'status', revision: aRevision({ status: 'QUEUED' }) }])
    expect(next).toEqual({ kind: 'read-revision', at: 5_000 })
  })

  it('reports no status that stays the same', () => {
    expect(take({ 0: read('QUEUED'), 5_000: read('QUEUED') }).events).toEqual([])
  })

  it.each(['DEPLOYED', 'BUILD_FAILED', 'SKIPPED', 'INTERRUPTED'])('ends at %s, also at the deadline', (status) => {
    const last = take({ 0: read('BUILDING'), 600_000: read(status) })
    expect(last.events).toEqual([{ kind: 'status', revision: aRevision({ status }) }])
    expect(endOf(last)).toEqual({ kind: 'terminal', revision: aRevision({ status }) })
  })

  it.each<[string, number | undefined, number[]]>([
    ['every sixth poll after the first read', undefined, [6, 12]],
    ['the twelfth poll when the sixth one failed', 6, [12]],
  ])('asks for the deployment at %s', (_case, fails, expected) => {
    const observed = Array.from({ length: 13 }, (_, n): [number, Observation] => [
      n,
      n === fails ? failed(unreachable()) : read('BUILDING'),
    ])
    const asks = observed.flatMap((_, n) => (take(observed.slice(0, n + 1)).next.kind === 'read-deployment' ? n : []))
    expect(asks).toEqual(expected)
    expect(take(observed).next).toMatchObject({ newerThan: { status: 'BUILDING' } })
  })

  it.each<[string, string | undefined, boolean]>([
    ['another commit', 'b'.repeat(40), true],
    ['the commit', 'A'.repeat(40), false],
    ['no commit', undefined, false],
  ])('a revision that reports %s', (_case, repoCommitSha, ends) => {
    const revision = aRevision({ status: 'BUILDING', repoCommitSha })
    const last = take([[0, { kind: 'revision-read', revision }]], { commit: 'a'.repeat(40) })
    expect(endOf(last)).toEqual(ends ? { kind: 'other-commit', revision } : undefined)
  })

  it('times a phase from its first status, through unknown ones', () => {
    const limits = { phaseLimits: { build: 20_000 } }
    const begun = { 0: read('QUEUED'), 5_000: read('AWAITING_BUILD'), 10_000: read('PONDERING') }
    const observed = { ...begun, 15_000: read('BUILDING'), 24_000: read('BUILDING') }
    expect(take(observed, limits).next).toEqual({ kind: 'read-revision', at: 25_000 })
    expect(endOf(take({ ...observed, 25_000: read('BUILDING') }, limits))).toEqual({
      kind: 'timed-out',
      lastTrouble: undefined,
      phase: { name: 'build', limitMs: 20_000, forMs: 20_000 },
    })
  })
})

describe('step, after a failed poll', () => {
  it.each<[string, ControlPlaneError, number, boolean]>([
    ['an unreachable control plane', unreachable(), 31_000, true],
    ['a broken response', new BrokenContractError(trouble), 31_000, true],
    ['a 404 within the replica lag', missing, 29_999, true],
    ['a 401', refused(401), 0, false],
    ['a 403', refused(403), 0, false],
  ])('%s', (_case, error, at, continues) => {
    const { events, next } = take([[at, failed(error)]])
    expect(events).toEqual(continues ? [{ kind: 'poll-failed', trouble: 'it failed', row: 1 }] : [])
    expect(next).toEqual(
      continues ? { kind: 'read-revision', at: at + 5_000 } : { kind: 'end', end: { kind: 'refused', error } },
    )
  })

  it('counts the failures in a row', () => {
    const rows = (observed: Record<number, Observation>) => take(observed).events
    expect(rows({ 0: failed(unreachable()), 1: failed(unreachable()) })).toMatchObject([{ row: 2 }])
    expect(rows({ 0: failed(unreachable()), 1: read('QUEUED'), 2: failed(unreachable()) })).toMatchObject([
      { kind: 'poll-failed', row: 1 },
    ])
  })

  it.each<[number | undefined, number]>([
    [undefined, 5_000],
    [4_000, 5_000],
    [25_000, 25_000],
    [3_600_000, 50_000],
  ])('a Retry-After of %p ms: the next poll is at %p ms, at the latest at the deadline', (retryAfterMs, at) => {
    const { next } = take([[0, failed(unreachable(retryAfterMs))]], { deadline: 50_000 })
    expect(next).toEqual({ kind: 'read-revision', at })
  })

  it('reports the last trouble at the deadline, and none after a poll that succeeded', () => {
    const before: [number, Observation][] = [[0, failed(unreachable())]]
    const end = (last: Observation) => endOf(take([...before, [600_000, last]]))
    expect(end(failed(unreachable()))).toEqual({ kind: 'timed-out', lastTrouble: 'it failed' })
    expect(end(read('QUEUED'))).toEqual({ kind: 'timed-out', lastTrouble: undefined })
  })
})

describe('step, with automatic pauses', () => {
  const automatic: Partial<WatchLimits> = { pollInterval: 'auto' }

  it.each([
    ['QUEUED', 30_000, 2_000],
    ['BUILDING', 30_000, 2_000],
    ['BUILDING', 80_000, 4_000],
    ['DEPLOYING', 80_000, 4_000],
    ['PONDERING', 80_000, 4_000],
    ['BUILDING', 200_000, 5_000],
  ])('in status %s, %d ms after its begin, pauses %d ms', (status, now, pauseMs) => {
    const { next } = take({ 0: read('CREATING'), [now]: read(status) }, automatic)
    expect(next).toEqual({ kind: 'read-revision', at: now + pauseMs })
  })

  it('reads the revision again soon after a failed poll, and then ever later', () => {
    let state = beginWatch({ ...LIMITS, ...automatic }, 0)
    const pauses = [1, 2, 3, 4, 5, 6].map((now) => {
      const taken = step(state, failed(unreachable()), { now, random: 0 })
      state = taken.state
      return taken.next.kind === 'read-revision' ? taken.next.at - now : undefined
    })
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  })

  it.each<[string[], string | undefined]>([
    [['QUEUED'], undefined],
    [['QUEUED', 'BUILDING', 'PONDERING'], 'build'],
    [['BUILDING', 'DEPLOYING', 'DEPLOY_FAILED'], 'deploy'],
    [['BUILDING', 'DEPLOYING', 'QUEUED'], 'deploy'],
  ])('remembers the last phase that has a log: %j', (statuses, lastLogged) => {
    const observed = statuses.map((status, n): [number, Observation] => [n, read(status)])
    expect(take(observed, automatic).state.lastLogged).toBe(lastLogged)
  })
})

describe('step, for a revision that is not found', () => {
  it('asks whether the deployment exists, once the revision has been read', () => {
    expect(take([[0, failed(missing)]]).next).toEqual({ kind: 'read-revision', at: 5_000 })
    const { next } = take({ 0: read('QUEUED'), 1: failed(missing) })
    expect(next).toEqual({ kind: 'read-deployment', newerThan: undefined })
  })

  const goneAt = (at: number): [number, Observation][] => [
    [at, failed(missing)],
    [at, gone],
  ]

  it.each<[string, [number, Observation][], boolean]>([
    ['10 s later', [...goneAt(10_000)], true],
    ['9.999 s later', [...goneAt(9_999)], false],
    ['found in between', [[5_000, failed(missing)], [5_000, unknown], ...goneAt(10_000)], false],
    ['the revision read in between', [[5_000, read('QUEUED')], ...goneAt(10_000)], false],
    ['another failure in between', [[5_000, failed(unreachable())], ...goneAt(10_000)], false],
  ])('a deployment that is gone, and again %s', (_case, later, ends) => {
    const last = take([[0, read('QUEUED')], ...goneAt(0), ...later])
    expect(endOf(last)).toEqual(ends ? { kind: 'deleted' } : undefined)
  })

  it.each([false, true])(
    'asks so after the replica lag, too, whether the revision has been read or not: %s',
    (isRead) => {
      const last = take({ ...(isRead && { 0: read('QUEUED') }), 30_000: failed(missing) })
      expect(last.next).toEqual({ kind: 'read-deployment', newerThan: undefined })
    },
  )

  it.each<[string, Observation, WatchEnd | undefined]>([
    ['exists', unknown, { kind: 'refused', error: missing }],
    ['cannot be read', unreadable, undefined],
    ['is gone since a moment', gone, undefined],
  ])('after the replica lag, the deployment %s', (_case, found, end) => {
    const ends = [29_999, 30_000].map((at) =>
      endOf(
        take([
          [0, read('QUEUED')],
          [at, failed(missing)],
          [at, found],
        ]),
      ),
    )
    expect(ends).toEqual([undefined, end])
  })

  it('continues where only the deployment is not found, in a list that others read', () => {
    const last = take([
      [0, read('QUEUED')],
      [0, gone],
      [15_000, gone],
    ])
    expect(last.next).toEqual({ kind: 'read-revision', at: 20_000 })
  })
})

describe('step, after a read of the deployment', () => {
  it('ends when a newer revision has superseded ours', () => {
    const newer: Observation = { kind: 'deployment-read', finding: { kind: 'newer-revision', revisionId: 'newer' } }
    const last = take({ 0: read('QUEUED'), 1: newer })
    expect(endOf(last)).toEqual({ kind: 'superseded', by: 'newer' })
  })

  it('measures the pause from the end of the read', () => {
    const last = take({ 0: read('QUEUED'), 700: unknown })
    expect(last.next).toEqual({ kind: 'read-revision', at: 5_700 })
  })
})

describe('step, while time passes', () => {
  const slow = { pollInterval: 150_000 }

  it('wakes for a heartbeat, and reads the revision when no heartbeat is due before that', () => {
    expect(take([[0, read('BUILDING')]], slow).next).toEqual({ kind: 'wake', at: 60_000 })
    expect(take([[0, read('BUILDING')]], { pollInterval: 60_000 }).next).toEqual({ kind: 'wake', at: 60_000 })
    const beaten = take({ 0: read('BUILDING'), 60_000: passed, 120_000: passed }, slow)
    expect(beaten.events).toEqual([{ kind: 'heartbeat', status: 'BUILDING', forMs: 120_000, trouble: undefined }])
    expect(beaten.next).toEqual({ kind: 'read-revision', at: 150_000 })
  })

  it('emits no heartbeat before it is due, and no two at once', () => {
    const early = take({ 0: read('BUILDING'), 59_999: passed }, slow)
    expect(early.events).toEqual([])
    const late = take({ 0: read('BUILDING'), 140_000: passed }, slow)
    expect(late.events).toMatchObject([{ kind: 'heartbeat', forMs: 140_000 }])
    expect(take({ 0: read('BUILDING'), 140_000: passed, 140_001: passed }, slow).events).toEqual([])
  })

  it('counts the heartbeat from the last change of the status', () => {
    const changed = { 0: read('QUEUED'), 40_000: read('BUILDING') }
    expect(take(changed, slow).next).toEqual({ kind: 'wake', at: 100_000 })
    expect(take({ ...changed, 100_000: passed }, slow).events).toMatchObject([{ forMs: 60_000 }])
  })

  it('says in the heartbeat why the last poll failed', () => {
    const { events } = take({ 0: failed(unreachable()), 60_000: passed }, slow)
    expect(events).toEqual([{ kind: 'heartbeat', status: undefined, forMs: 60_000, trouble: 'it failed' }])
  })
})

/** One response of the control plane, and how long it takes. */
interface Response {
  tookMs: number
  poll: Observation
  deployment: Observation
}

interface Seen {
  observation: Observation
  at: number
  events: WatchEvent[]
  next: Next
  state: WatchState
}

/** Drives a watch through these responses, the last of which stays, on a clock that only the driver moves. */
function drive(responses: readonly Response[], limits: WatchLimits, random: number): Seen[] {
  const seen: Seen[] = []
  let now = 0
  let polls = 0
  let state = beginWatch(limits, now)
  const response = (): Response => {
    const found = responses[Math.min(polls, responses.length - 1)]
    if (found === undefined) throw new Error('a driver needs a response')
    now += found.tookMs
    return found
  }
  let next: Next = { kind: 'read-revision', at: now }
  while (next.kind !== 'end') {
    if (seen.length > 5_000) throw new Error('the watch does not end')
    if (next.kind !== 'read-deployment') now = Math.max(now, next.at)
    const observation: Observation =
      next.kind === 'wake' ? passed : next.kind === 'read-deployment' ? response().deployment : response().poll
    if (next.kind === 'read-revision') polls += 1
    const taken = step(Object.freeze(state), observation, { now, random })
    seen.push({ ...taken, observation, at: now })
    ;({ state, next } = taken)
  }
  return seen
}

const aStatus = fc.constantFrom('CREATING', 'QUEUED', 'BUILDING', 'DEPLOYING', 'PONDERING', 'DEPLOYED', 'BUILD_FAILED')
const anError = fc.oneof(
  fc.option(fc.nat(90_000), { nil: undefined }).map(unreachable),
  fc.constant(new BrokenContractError(trouble)),
  fc.constant(missing),
)
const responses = fc.array(
  fc.record<Response>({
    tookMs: fc.oneof(fc.constant(0), fc.nat(20_000), fc.nat(100_000)),
    poll: fc.oneof({ weight: 4, arbitrary: aStatus.map(read) }, { weight: 1, arbitrary: anError.map(failed) }),
    deployment: fc.oneof(
      { weight: 5, arbitrary: fc.constant(unknown) },
      { weight: 1, arbitrary: fc.constantFrom(gone, unreadable) },
    ),
  }),
  { minLength: 1, maxLength: 60 },
)
const aLimit = fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined })
const limits = fc.record({
  pollInterval: fc.oneof(fc.constant('auto' as const), fc.integer({ min: 1_000, max: 200_000 })),
  phaseLimits: fc
    .tuple(aLimit, aLimit, aLimit)
    .map(([queue, build, deploy]) => ({
      ...(queue !== undefined && { queue }),
      ...(build !== undefined && { build }),
      ...(deploy !== undefined && { deploy }),
    })),
  deadline: fc.integer({ min: 1, max: 900_000 }),
})
const random = fc.double({ min: 0, max: 1, noNaN: true })

function property(holds: (seen: Seen[], limits: WatchLimits) => void): void {
  fc.assert(
    fc.property(responses, limits, random, (...[given, within, chance]) => holds(drive(given, within, chance), within)),
  )
}

const statusOf = ({ observation }: Seen): string | undefined =>
  observation.kind === 'revision-read' ? observation.revision.status : undefined

describe('step, whatever the control plane responds', () => {
  it('never waits past the deadline, nor past the end of a phase', () => {
    property((seen, { deadline, phaseLimits }) => {
      let phase: Phase | undefined
      let since = 0
      for (const one of seen) {
        const status = statusOf(one)
        const now = status === undefined ? phase : phaseOf(status)
        if (now !== phase && (now !== 'unknown' || phase === undefined)) [phase, since] = [now, one.at]
        if (one.next.kind !== 'read-revision' && one.next.kind !== 'wake') continue
        expect(one.next.at).toBeLessThanOrEqual(deadline)
        const limit = phase === 'queue' || phase === 'build' || phase === 'deploy' ? phaseLimits[phase] : undefined
        if (limit !== undefined) expect(one.next.at).toBeLessThanOrEqual(since + limit)
      }
    })
  })

  it('emits a status exactly once for each change', () => {
    property((seen) => {
      const read = seen.flatMap((one) => statusOf(one) ?? [])
      const changes = read.filter((status, n) => status !== read[n - 1])
      const events = seen.flatMap((one) => one.events)
      expect(events.flatMap((event) => (event.kind === 'status' ? event.revision.status : []))).toEqual(changes)
    })
  })

  it('ends exactly once, and a time-out is never early', () => {
    property((seen, { deadline }) => {
      expect(seen.filter(({ next }) => next.kind === 'end')).toHaveLength(1)
      const last = seen.at(-1)
      if (last?.next.kind !== 'end' || last.next.end.kind !== 'timed-out') return
      const { phase } = last.next.end
      if (phase === undefined) expect(last.at).toBeGreaterThanOrEqual(deadline)
      else expect(phase.forMs).toBeGreaterThanOrEqual(phase.limitMs)
    })
  })

  it('ends as terminal exactly when it reads a terminal status', () => {
    property((seen) => {
      const isTerminal = (one: Seen): boolean => phaseOf(statusOf(one) ?? '') === 'terminal'
      const ends = ({ next }: Seen): boolean => next.kind === 'end' && next.end.kind === 'terminal'
      expect(seen.map(ends)).toEqual(seen.map(isTerminal))
    })
  })

  it('never waits for more than a minute without an event, and beats at most once a minute', () => {
    property((seen) => {
      let reportedAt = 0
      for (const { at, events, next } of seen) {
        for (const { kind } of events) {
          if (kind === 'heartbeat') expect(at - reportedAt).toBeGreaterThanOrEqual(60_000)
          if (kind === 'heartbeat' || kind === 'status') reportedAt = at
        }
        if (next.kind === 'read-revision' || next.kind === 'wake')
          expect(next.at).toBeLessThanOrEqual(reportedAt + 60_000)
      }
    })
  })

  it('decides for one watch only: steps of another one in between change nothing', () => {
    fc.assert(
      fc.property(responses, responses, limits, random, (ours, others, within, chance) => {
        const alone = drive(ours, within, chance)
        const beside = drive(others, within, chance)
        let state = beginWatch(within, 0)
        let other = beginWatch(within, 0)
        alone.forEach(({ observation, at, next, events }, n) => {
          const taken = step(state, observation, { now: at, random: chance })
          expect([taken.next, taken.events]).toEqual([next, events])
          state = taken.state
          const theirs = beside[n]
          if (theirs !== undefined) other = step(other, theirs.observation, { now: theirs.at, random: chance }).state
        })
      }),
    )
  })
})
