import { describe, expect, it } from '@jest/globals'
import { refusedWith } from '../../control-plane-stub.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock, REVISION_ID } from '../../builders.ts'
import type { Revision } from '../../../src/control-plane/model.ts'
import type { PhaseTimes } from '../../../src/rollout/outcome.ts'
import { Learning, sumsOf, totalsOf, usualTime } from '../../../src/rollout/watch/learning.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { setUp } from '../set-up.ts'

const watched = attachTo(aDeployment(), aRevision())
const earlier = aRevision({ id: 'earlier', status: 'DEPLOYED', createdAt: 0, updatedAt: 120_000 })
const usual = { fromMs: 120_000, toMs: 120_000 }
const atQueue = { elapsedMs: 60_000, phase: 'build', began: [5_000, 6_000] } as const

function learning(list: () => Promise<Revision[]>, noted: () => readonly PhaseTimes[] = () => NONE) {
  const asked: unknown[] = []
  const listRevisions = async (...given: unknown[]) => {
    asked.push(given)
    return await list()
  }
  const clock = fakeClock()
  const { deps } = setUp({ answers: { listRevisions }, over: { notedPhases: noted, clock } })
  return { learning: new Learning(watched, deps), again: new Learning(watched, deps), asked }
}
const NONE: readonly PhaseTimes[] = []

describe('what a watch learns', () => {
  it.each<[string, () => Promise<Revision[]>, typeof usual | undefined]>([
    ['has', () => Promise.resolve([earlier]), usual],
    ['lacks', () => Promise.reject(refusedWith(404)), undefined],
    ['fails to return', () => Promise.reject(new Error('a defect')), undefined],
  ])('a service that %s a list of revisions is asked for it once in a run', async (_has, list, expected) => {
    const { learning: one, again, asked } = learning(list)
    one.begin()
    expect(await one.usual()).toEqual(expected)
    expect(await again.usual()).toEqual(expected)
    again.begin()
    expect(asked).toEqual([[DEPLOYMENT_ID, { limit: 10 }, { retries: 0 }]])
  })

  it('has a plan before the list is there, and another one afterwards', async () => {
    let answer: (list: Revision[]) => void = () => undefined
    const { learning: one } = learning(() => new Promise((resolve) => (answer = resolve)))
    expect(one.planner()).toBeUndefined()
    one.begin()
    const blind = one.planner()
    expect(blind?.(atQueue)).toBeGreaterThan(0)
    expect(one.planner()).toBe(blind)
    answer([earlier])
    await one.usual()
    expect(one.planner()).not.toBe(blind)
  })

  it('makes another plan when phases are found that earlier runs noted, and estimates by their sums', async () => {
    let noted = NONE
    const { learning: one } = learning(
      () => Promise.resolve([]),
      () => noted,
    )
    one.begin()
    const blind = one.planner()
    noted = [{ queue: 10_000, build: 80_000, deploy: 30_000 }]
    expect(one.planner()).not.toBe(blind)
    expect(await one.usual()).toEqual(usual)
  })

  it('takes the latest ten revisions of a service that returns them all', async () => {
    const list = Array.from({ length: 400 }, (_, n) => ({ ...earlier, id: `earlier-${n}`, updatedAt: 120_000 + n }))
    const { learning: one } = learning(() => Promise.resolve(list))
    one.begin()
    expect(await one.usual()).toEqual({ fromMs: 120_002, toMs: 120_007 })
  })

  it('does not ask before it is begun', () => {
    const { learning: one, asked } = learning(() => Promise.resolve([]))
    expect(one.planner()).toBeUndefined()
    expect(asked).toEqual([])
  })
})

const MINUTE = 60_000
const took = (minutes: number, over: Partial<Revision> = {}): Revision =>
  aRevision({
    id: `took-${minutes}`,
    status: 'DEPLOYED',
    createdAt: 1_000,
    updatedAt: 1_000 + minutes * MINUTE,
    ...over,
  })

describe('usualTime', () => {
  it.each([
    ['no revision', [], undefined],
    ['one', [took(3)], [3, 3]],
    ['few: all of them', [took(4), took(3), took(2)], [2, 4]],
    ['many: without the fastest and the slowest fifth', [2, 3, 3, 4, 5].map((one) => took(one)), [3, 4]],
    ['one that was updated days later', [took(3), took(4), took(3.5), took(3 * 24 * 60)], [3, 4]],
    ['one that took a day', [took(24 * 60)], undefined],
    ['one much shorter than the others', [took(30), took(31), took(2)], [30, 31]],
    ['one far from the others', [took(3), took(4), took(60)], [3, 4]],
    ['one that took no time', [took(3), took(0)], [3, 3]],
    ['a clock that went back', [took(-3)], undefined],
    ['the revision itself', [took(3, { id: REVISION_ID.toUpperCase() })], undefined],
    ['failed ones', [took(3, { status: 'BUILD_FAILED' }), took(4, { status: 'BUILDING' })], undefined],
    ['one without dates', [took(3, { createdAt: undefined }), took(3, { updatedAt: undefined })], undefined],
  ])('%s', (_title, revisions, minutes) => {
    const expected = minutes && { fromMs: (minutes[0] ?? 0) * MINUTE, toMs: (minutes[1] ?? 0) * MINUTE }
    expect(usualTime(totalsOf(revisions, REVISION_ID))).toEqual(expected)
  })

  it('of rollouts whose phases are known is that of their sums', () => {
    const [queue, build, deploy] = [10_000, 80_000, 30_000]
    const slow = { queue, build: build * 30, deploy }
    expect(usualTime(sumsOf([{ queue, build, deploy }, slow]))).toEqual({ fromMs: 120_000, toMs: 120_000 })
    expect(usualTime(sumsOf([]))).toBeUndefined()
  })
})
