import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { beginWaves, stepWaves, type PlannedWave, type WaveEvent, type WaveStep } from '../../src/fleet/schedule.ts'

interface Member {
  durationMs: number
  fails: boolean
  failsInBake: boolean
}

const member = fc.record({ durationMs: fc.integer({ min: 0, max: 9 }), fails: fc.boolean(), failsInBake: fc.boolean() })
const wave = fc.record({
  members: fc.array(member, { maxLength: 12 }),
  maxParallel: fc.integer({ min: 1, max: 6 }),
  maxFailures: fc.integer({ min: 0, max: 6 }),
  bakeMs: fc.integer({ min: 0, max: 3 }),
  failedBefore: fc.integer({ min: 0, max: 2 }),
  remainingBakeMs: fc.constantFrom(undefined, 0, 3),
})
type Drawn = Omit<PlannedWave, 'names'> & { members: readonly Member[] }

type Happened =
  | { kind: 'start'; name: string; wave: number; fails: boolean; underWay: number; failed: number }
  | { kind: 'end'; name: string; wave: number; fails: boolean; underWay: number; failed: number }
  | { kind: 'baked'; wave: number; failed: number }
  | { kind: 'time-is-up' }
  | { kind: 'event'; event: WaveEvent }

/** Rolls out a fleet in a model: its clock moves to the next end. `upAt`: when the time of the fleet is over. */
function simulate(drawn: readonly Drawn[], upAt = Number.POSITIVE_INFINITY): Happened[] {
  const members = new Map<string, Member & { wave: number }>()
  const waves = drawn.map(({ members: all, ...rest }, index): PlannedWave => {
    const names = all.map((one, n) => {
      members.set(`${index}-${n}`, { ...one, wave: index })
      return `${index}-${n}`
    })
    return { ...rest, names }
  })
  const find = (name: string): Member & { wave: number } => {
    const found = members.get(name)
    if (found === undefined) throw new Error(`unknown ${name}`)
    return found
  }
  const happened: Happened[] = []
  const underWay = new Map<string, number>()
  const failed = drawn.map(({ failedBefore }) => failedBefore)
  let [now, isUp] = [0, false]
  let step: WaveStep = beginWaves(waves)
  for (let round = 0; round < 1_000; round++) {
    for (const event of step.events) happened.push({ kind: 'event', event })
    for (const name of step.start) {
      const { durationMs, fails, wave: index } = find(name)
      underWay.set(name, now + durationMs)
      happened.push({ kind: 'start', name, wave: index, fails, underWay: underWay.size, failed: failed[index] ?? 0 })
    }
    const { state, next } = step
    if (next.kind === 'end') return happened
    const [first] = [...underWay].toSorted(([, one], [, other]) => one - other)
    const at = next.kind === 'bake' ? now + next.forMs : (first?.[1] ?? now)
    if (!isUp && at >= upAt) {
      isUp = true
      happened.push({ kind: 'time-is-up' })
    }
    now = at
    if (next.kind === 'bake') {
      const down = [...members.values()].filter((one) => one.wave === next.index && !one.fails && one.failsInBake)
      failed[next.index] = (failed[next.index] ?? 0) + down.length
      happened.push({ kind: 'baked', wave: next.index, failed: down.length })
      step = stepWaves(state, { kind: 'baked', failed: down.length }, isUp)
      continue
    }
    if (first === undefined) throw new Error('waits for nothing')
    const [name] = first
    const { fails, wave: index } = find(name)
    underWay.delete(name)
    if (fails) failed[index] = (failed[index] ?? 0) + 1
    happened.push({ kind: 'end', name, wave: index, fails, underWay: underWay.size, failed: failed[index] ?? 0 })
    step = stepWaves(state, { kind: 'ended', name, hasFailed: fails }, isUp)
  }
  throw new Error('the fleet does not end')
}

const startsOf = (happened: readonly Happened[]) => happened.filter((one) => one.kind === 'start')
const endsOf = (happened: readonly Happened[]) => happened.filter((one) => one.kind === 'end')
const eventsOf = (happened: readonly Happened[]) => happened.flatMap((one) => (one.kind === 'event' ? [one.event] : []))

const fleets = fc.array(wave, { minLength: 1, maxLength: 4 })

describe('the waves of a fleet, whatever they do', () => {
  test('never more are under way than allowed, and no rollout starts after the limit is exceeded', () => {
    fc.assert(
      fc.property(fleets, (drawn) => {
        for (const { wave: index, underWay, failed } of startsOf(simulate(drawn))) {
          expect(underWay).toBeLessThanOrEqual(drawn[index]?.maxParallel ?? 0)
          expect(failed).toBeLessThanOrEqual(drawn[index]?.maxFailures ?? -1)
        }
      }),
    )
  })

  test('each rollout that starts ends exactly once, and none starts twice', () => {
    fc.assert(
      fc.property(fleets, fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }), (drawn, upAt) => {
        const happened = simulate(drawn, upAt)
        const started = startsOf(happened).map(({ name }) => name)
        expect(new Set(started).size).toBe(started.length)
        expect(
          endsOf(happened)
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual(started.toSorted())
      }),
    )
  })

  test('a wave begins when everything of the one before has ended and is baked', () => {
    fc.assert(
      fc.property(fleets, (drawn) => {
        const happened = simulate(drawn)
        for (const [n, one] of happened.entries()) {
          if (one.kind !== 'start') continue
          const later = happened.slice(n).flatMap((next) => ('wave' in next ? next.wave : []))
          expect(Math.min(...later)).toBe(one.wave)
        }
        const waves = eventsOf(happened).map(({ kind, index }) => `${index} ${kind}`)
        expect(waves.map((text) => Number(text[0]))).toEqual(waves.map((text) => Number(text[0])).toSorted())
      }),
    )
  })

  test('with no more failures than allowed, everything starts; with more, the fleet stops once', () => {
    fc.assert(
      fc.property(fleets, (drawn) => {
        const happened = simulate(drawn)
        const stops = eventsOf(happened).filter(({ kind }) => kind === 'fleet-stopped')
        const isChecked = ({ bakeMs, remainingBakeMs: remainingBakeMs }: Drawn): boolean =>
          bakeMs > 0 || remainingBakeMs !== undefined
        const failuresOf = (one: Drawn): number =>
          one.failedBefore +
          one.members.filter(({ fails, failsInBake }) => fails || (isChecked(one) && failsInBake)).length
        const isCalm = drawn.every((one) => failuresOf(one) <= one.maxFailures)
        if (isCalm) {
          expect(stops).toEqual([])
          expect(startsOf(happened)).toHaveLength(drawn.reduce((sum, { members }) => sum + members.length, 0))
        }
        const isOver = drawn.some((one) => one.failedBefore > one.maxFailures)
        if (isOver) expect(stops).toHaveLength(1)
        expect(stops.length).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('nothing starts when the time is up', () => {
    fc.assert(
      fc.property(fleets, fc.integer({ min: 0, max: 20 }), (drawn, upAt) => {
        const happened = simulate(drawn, upAt)
        const at = happened.findIndex(({ kind }) => kind === 'time-is-up')
        if (at >= 0) expect(startsOf(happened.slice(at))).toEqual([])
      }),
    )
  })

  test('each wave that begins ends once, also if the fleet stops or its time is up', () => {
    fc.assert(
      fc.property(fleets, fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }), (drawn, upAt) => {
        const events = eventsOf(simulate(drawn, upAt))
        const indexesOf = (kind: WaveEvent['kind']) => events.flatMap((one) => (one.kind === kind ? [one.index] : []))
        expect(indexesOf('wave-ended')).toEqual(indexesOf('wave-began'))
        expect(events.at(-1)?.kind).toBe('wave-ended')
      }),
    )
  })

  const NOTHING = { names: [], maxParallel: 1, maxFailures: 0, bakeMs: 60_000, failedBefore: 0 }

  test('a wave in which nothing was rolled out is not baked', () => {
    const { events, next } = beginWaves([{ ...NOTHING, remainingBakeMs: undefined }])
    expect(events.map(({ kind }) => kind)).toEqual(['wave-began', 'wave-ended'])
    expect(next).toEqual({ kind: 'end' })
  })

  test.each([0, 9_000])('unless what is unchanged must still answer for %i ms', (remainingBakeMs) => {
    const { events, next } = beginWaves([{ ...NOTHING, remainingBakeMs: remainingBakeMs }])
    expect(events.map(({ kind }) => kind)).toEqual(['wave-began', 'wave-baking'])
    expect(next).toEqual({ kind: 'bake', index: 0, forMs: remainingBakeMs })
  })

  test('failures of a bake stop the fleet', () => {
    const wave = {
      names: ['a'],
      maxParallel: 1,
      maxFailures: 0,
      bakeMs: 60_000,
      failedBefore: 0,
      remainingBakeMs: undefined,
    }
    const begun = beginWaves([wave, { ...wave, names: ['b'] }])
    const baking = stepWaves(begun.state, { kind: 'ended', name: 'a', hasFailed: false }, false)
    expect(baking.next).toEqual({ kind: 'bake', index: 0, forMs: 60_000 })
    const { events, start, next } = stepWaves(baking.state, { kind: 'baked', failed: 1 }, false)
    expect(events.map(({ kind }) => kind)).toEqual(['fleet-stopped', 'wave-ended'])
    expect([start, next]).toEqual([[], { kind: 'end' }])
  })
})
