import { describe, expect, it } from '@jest/globals'
import { refusedWith } from '../../control-plane-stub.ts'
import { aRevision, DEPLOYMENT_ID, fakeClock, REVISION_ID } from '../../builders.ts'
import type { Revision } from '../../../src/control-plane/model.ts'
import type { PhaseTimes } from '../../../src/rollout/outcome.ts'
import { learnOf } from '../../../src/rollout/watch/learning.ts'
import { setUp } from '../set-up.ts'

const watched = { deploymentId: DEPLOYMENT_ID, revisionId: REVISION_ID }
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
  return { learning: learnOf(watched, deps), again: learnOf(watched, deps), asked }
}
const NONE: readonly PhaseTimes[] = []

describe('what a watch learns', () => {
  it.each<[string, () => Promise<Revision[]>, typeof usual | undefined]>([
    ['has', () => Promise.resolve([earlier]), usual],
    ['lacks', () => Promise.reject(refusedWith(404)), undefined],
    ['fails to return', () => Promise.reject(new Error('a defect')), undefined],
  ])('a service that %s a list of revisions is asked for it once in a run', async (_has, list, expected) => {
    const { learning: one, again, asked } = learning(list)
    await one.begin()
    expect(await one.usual()).toEqual(expected)
    expect(await again.usual()).toEqual(expected)
    await again.begin()
    expect(asked).toEqual([[DEPLOYMENT_ID, { limit: 10 }, { retries: 0 }]])
  })

  it('has a plan before the list is there, and another one afterwards', async () => {
    let answer: (list: Revision[]) => void = () => undefined
    const { learning: one } = learning(() => new Promise((resolve) => (answer = resolve)))
    expect(one.planner()).toBeUndefined()
    await one.begin()
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
    await one.begin()
    const blind = one.planner()
    noted = [{ queue: 10_000, build: 80_000, deploy: 30_000 }]
    expect(one.planner()).not.toBe(blind)
    expect(await one.usual()).toEqual(usual)
  })

  it('takes the latest ten revisions of a service that returns them all', async () => {
    const list = Array.from({ length: 400 }, (_, n) => ({ ...earlier, id: `earlier-${n}`, updatedAt: 120_000 + n }))
    const { learning: one } = learning(() => Promise.resolve(list))
    await one.begin()
    expect(await one.usual()).toEqual({ fromMs: 120_002, toMs: 120_007 })
  })

  it('does not ask before it is begun', () => {
    const { learning: one, asked } = learning(() => Promise.resolve([]))
    expect(one.planner()).toBeUndefined()
    expect(asked).toEqual([])
  })
})
