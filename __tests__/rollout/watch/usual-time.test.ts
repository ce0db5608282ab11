import { describe, expect, it } from '@jest/globals'
import { refusedWith } from '../../control-plane-stub.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, REVISION_ID } from '../../builders.ts'
import type { Revision } from '../../../src/control-plane/model.ts'
import { readUsualTime, usualTime } from '../../../src/rollout/watch/usual-time.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { setUp } from '../set-up.ts'

const watched = attachTo(aDeployment(), aRevision())
const earlier = aRevision({ id: 'earlier', status: 'DEPLOYED', createdAt: 0, updatedAt: 120_000 })
const usual = { fromMs: 120_000, toMs: 120_000 }

function listing(list: () => Promise<Revision[]>) {
  const asked: unknown[] = []
  const listRevisions = async (...given: unknown[]) => {
    asked.push(given)
    return await list()
  }
  const { deps } = setUp({ answers: { listRevisions } })
  return { deps, asked }
}

describe('readUsualTime', () => {
  it.each<[string, () => Promise<Revision[]>, typeof usual | undefined]>([
    ['has', () => Promise.resolve([earlier]), usual],
    ['lacks', () => Promise.reject(refusedWith(404)), undefined],
    ['fails to return', () => Promise.reject(new Error('a defect')), undefined],
  ])('asks a service that %s a list of revisions once in a run, without retries', async (_has, list, expected) => {
    const { deps, asked } = listing(list)
    expect(await readUsualTime(watched, deps)).toEqual(expected)
    expect(await readUsualTime(watched, deps)).toEqual(expected)
    expect(asked).toEqual([[DEPLOYMENT_ID, { limit: 10 }, { retries: 0 }]])
  })

  it('takes the latest ten revisions of a service that returns them all', async () => {
    const list = Array.from({ length: 400 }, (_, n) => ({ ...earlier, id: `earlier-${n}`, updatedAt: 120_000 + n }))
    const { deps } = listing(() => Promise.resolve(list))
    expect(await readUsualTime(watched, deps)).toEqual({ fromMs: 120_002, toMs: 120_007 })
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
    expect(usualTime(revisions, REVISION_ID)).toEqual(expected)
  })
})
