import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../../src/control-plane/model.ts'
import { sumsOf, totalsOf, usualTime } from '../../../src/rollout/watch/usual-time.ts'
import { aRevision, REVISION_ID } from '../../builders.ts'

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
