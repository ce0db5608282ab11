import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { BrokenContractError } from '../../../src/control-plane/errors.ts'
import type { WatchEvent } from '../../../src/rollout/event.ts'
import { phaseOf, type Phase } from '../../../src/rollout/outcome.ts'
import {
  beginWatch,
  type Next,
  type Observation,
  type WatchLimits,
  type WatchState,
} from '../../../src/rollout/watch/state.ts'
import { step } from '../../../src/rollout/watch/step.ts'
import { failed, gone, missing, passed, read, trouble, unknown, unreachable } from './observations.ts'

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
    deployment: fc.oneof({ weight: 5, arbitrary: fc.constant(unknown) }, { weight: 1, arbitrary: fc.constant(gone) }),
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
