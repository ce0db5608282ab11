import { describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { ageByDate, newestFirst } from '../../../src/rollout/read/age.ts'
import { ageInList, isOlder as isOlderThan, supersededBy } from '../../../src/rollout/watch/confirm.ts'
import { aDeployment, aRevision, fakeClock, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const OTHER = '99999999-9999-4999-8999-999999999999'
const before = aDeployment({ latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID })

interface Later {
  list?: Revision[]
  /** What the second read of the deployment shows; `unreadable`: nothing. */
  later?: Partial<Deployment> | 'unreadable'
  deadline?: number
  clock?: ReturnType<typeof fakeClock>
}

async function superseded(
  reported: Partial<Deployment>,
  { ours, other }: { ours: number; other: number | undefined } = { ours: 1000, other: 2000 },
  getRevision?: () => Promise<Revision>,
  unreadable: 'older' | 'newer' = 'older',
  { list, later, deadline = 60_000, clock = fakeClock() }: Later = {},
): Promise<string | undefined> {
  return await supersededBy(aRevision({ createdAt: ours }), aDeployment(reported), {
    before,
    unreadable,
    clock,
    signal: new AbortController().signal,
    deadline,
    controlPlane: aControlPlane({
      listRevisions: () => (list === undefined ? Promise.reject(refusedWith(404)) : Promise.resolve(list)),
      getDeployment: () =>
        later === 'unreadable'
          ? Promise.reject(refusedWith(500))
          : Promise.resolve(aDeployment({ ...reported, ...later })),
      getRevision: getRevision ?? (() => Promise.resolve(aRevision({ id: OTHER, createdAt: other }))),
    }),
  })
}

describe('supersededBy', () => {
  it('returns a newer latest revision, or another active one', async () => {
    expect(await superseded({ latestRevisionId: OTHER })).toBe(OTHER)
    expect(await superseded({ latestRevisionId: REVISION_ID, activeRevisionId: OTHER })).toBe(OTHER)
  })

  it.each<[string, Partial<Deployment>]>([
    ['ours is both', { latestRevisionId: REVISION_ID, activeRevisionId: REVISION_ID }],
    ['no revision is active', { latestRevisionId: REVISION_ID, activeRevisionId: null }],
    ['a replica lags behind', { latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID }],
    ['neither is reported', { latestRevisionId: undefined, activeRevisionId: undefined }],
  ])('returns undefined when %s', async (_case, reported) => {
    expect(await superseded(reported)).toBeUndefined()
  })

  it('ignores a revision that was created between our read and our write, by the clock of the server', async () => {
    expect(await superseded({ activeRevisionId: OTHER }, { ours: 1000, other: 999 })).toBeUndefined()
    expect(await superseded({ activeRevisionId: OTHER }, { ours: 1000, other: 2000 })).toBe(OTHER)
    expect(await superseded({ activeRevisionId: OTHER }, { ours: 1000, other: 1000 })).toBeUndefined()
  })

  it('takes the latest revision for the newer one where it cannot date them', async () => {
    expect(await superseded({ latestRevisionId: OTHER }, { ours: 1000, other: undefined })).toBe(OTHER)
    const isActiveOnly = { latestRevisionId: REVISION_ID, activeRevisionId: OTHER }
    expect(await superseded(isActiveOnly, { ours: 1000, other: undefined })).toBeUndefined()
  })

  it('counts a revision that cannot be read as the caller asks', async () => {
    const trouble = { attempted: 'read', cameBack: '500', hint: 'wait' }
    const failing = (): Promise<Revision> => Promise.reject(new UnreachableError(trouble))
    expect(await superseded({ latestRevisionId: OTHER }, undefined, failing, 'older')).toBeUndefined()
    expect(await superseded({ latestRevisionId: OTHER }, undefined, failing, 'newer')).toBe(OTHER)
  })

  it('passes on an error of our own', async () => {
    const failing = (): Promise<Revision> => Promise.reject(new TypeError('a mistake'))
    await expect(superseded({ latestRevisionId: OTHER }, undefined, failing)).rejects.toThrow('a mistake')
  })

  const listed = (...ids: string[]): Revision[] => ids.map((id) => aRevision({ id }))
  const latest = { latestRevisionId: OTHER }
  const isOlder = { ours: 2_000, other: 1_000 }

  it('believes the order of the list, not the dates', async () => {
    const newerFirst = listed(OTHER, REVISION_ID, OLD_REVISION_ID)
    const oursFirst = listed(REVISION_ID, OTHER, OLD_REVISION_ID)
    const none = (): Promise<Revision> => Promise.reject(new Error('not expected'))
    expect(await superseded(latest, isOlder, none, 'older', { list: newerFirst })).toBe(OTHER)
    expect(await superseded(latest, undefined, none, 'older', { list: oursFirst })).toBeUndefined()
    expect(await superseded({ activeRevisionId: OTHER }, undefined, none, 'newer', { list: oursFirst })).toBeUndefined()
  })

  it('takes no revision for older by a list that lacks the other one', async () => {
    const stub = (list: Revision[], createdAt: number) =>
      aControlPlane({
        listRevisions: async () => await Promise.resolve(list),
        getRevision: async () => await Promise.resolve(aRevision({ id: OTHER, createdAt })),
      })
    const older = async (list: Revision[], createdAt: number): Promise<boolean> =>
      await isOlderThan(OTHER, aRevision({ createdAt: 1_000 }), 'd', stub(list, createdAt))
    expect(await older(listed(OTHER), 2_000)).toBe(false)
    expect(await older(listed(OTHER), 500)).toBe(true)
    expect(await older(listed(REVISION_ID, OTHER), 2_000)).toBe(true)
  })

  it('believes no list in another order', async () => {
    const [older, newer] = [aRevision({ id: OTHER, createdAt: 1_000 }), aRevision({ createdAt: 2_500 })]
    const list = [older, newer]
    expect(await superseded(latest, isOlder, undefined, 'older', { list })).toBeUndefined()
    const undated = listed(OLD_REVISION_ID, OTHER, REVISION_ID)
    expect(await superseded(latest, isOlder, undefined, 'older', { list: undated })).toBeUndefined()
  })

  it('reads the deployment again before it believes an undated latest revision', async () => {
    const undated = { ours: 1_000, other: 1_000 }
    expect(await superseded(latest, undated)).toBe(OTHER)
    const later = { latestRevisionId: REVISION_ID }
    expect(await superseded(latest, undated, undefined, 'older', { later })).toBeUndefined()
  })

  it.each([
    ['seven seconds', 60_000, [7_000]],
    ['the time that is left', 5_000, [5_000]],
    ['no less than two seconds', 2_000, [2_000]],
    ['and not at all if less is left', 1_999, []],
  ])('reads it again after %s', async (_case, deadline, slept) => {
    const clock = fakeClock()
    await superseded(latest, { ours: 1_000, other: 1_000 }, undefined, 'older', { deadline, clock })
    expect(clock.slept).toEqual(slept)
  })

  it('counts it as the caller asks if it cannot be read again', async () => {
    const [undated, later] = [{ ours: 1_000, other: 1_000 }, 'unreadable' as const]
    expect(await superseded(latest, undated, undefined, 'older', { later })).toBeUndefined()
    expect(await superseded(latest, undated, undefined, 'newer', { later })).toBe(OTHER)
  })

  it('leaves the order open of an undated active revision, and of an undated one at the deadline', async () => {
    const undated = { ours: 1_000, other: 1_000 }
    const isActiveOnly = { latestRevisionId: REVISION_ID, activeRevisionId: OTHER }
    expect(await superseded(isActiveOnly, undated, undefined, 'older', { later: latest })).toBeUndefined()
    expect(await superseded(latest, undated, undefined, 'older', { deadline: 1_000 })).toBeUndefined()
    expect(await superseded(latest, undated, undefined, 'newer', { deadline: 1_000 })).toBe(OTHER)
  })

  it('knows ids in any letter case', async () => {
    expect(await superseded({ latestRevisionId: 'ABC' }, undefined, undefined, 'newer')).toBe('ABC')
    const known = { latestRevisionId: OLD_REVISION_ID.toUpperCase(), activeRevisionId: REVISION_ID.toUpperCase() }
    expect(await superseded(known)).toBeUndefined()
  })
})

describe('the age of a revision beside ours', () => {
  it.each([
    { ids: ['other', 'ours'], age: 'newer' },
    { ids: ['OTHER', 'OURS'], age: 'newer' },
    { ids: ['ours', 'other'], age: 'older' },
    { ids: ['ours'], age: 'unknown' },
    { ids: [], age: 'unknown' },
    { ids: ['other'], age: 'older' },
    { ids: ['ours', 'other', ...Array.from({ length: 18 }, (_, n) => `r${n}`)], age: 'older' },
    { ids: ['other', ...Array.from({ length: 19 }, (_, n) => `r${n}`)], age: 'unknown' },
  ] as const)('is $age in the list $ids', ({ ids, age }) => {
    expect(ageInList('other', 'ours', ids)).toBe(age)
  })

  it.each([
    { other: 2_000, ours: 1_000, age: 'newer' },
    { other: 1_000, ours: 2_000, age: 'older' },
    { other: 1_000, ours: 1_000, age: 'unknown' },
    { other: 1_500, ours: 1_000, age: 'unknown' },
    { other: 1_000, ours: 1_500, age: 'unknown' },
    { other: 1_501, ours: 1_500, age: 'newer' },
    { other: 1_500, ours: 1_500, age: 'unknown' },
    { other: undefined, ours: 1_000, age: 'unknown' },
    { other: 1_000, ours: undefined, age: 'unknown' },
  ] as const)('is $age by the dates $other and $ours', ({ other, ours, age }) => {
    expect(ageByDate(other, ours)).toBe(age)
  })
})

describe('a list of revisions', () => {
  const dated = (...dates: (number | undefined)[]): Revision[] =>
    dates.map((createdAt, n) => aRevision({ id: `r${n}`, createdAt }))

  it.each<[string, Revision[], string[], boolean]>([
    ['newest first', dated(3_001, 2_001, 1_001), ['r0', 'R2'], true],
    ['without dates', dated(undefined, undefined), ['r0', 'r1'], true],
    ['with dates in one second', dated(1_000, 1_500), [], true],
    ['that lacks known ones', dated(undefined), ['r7', 'r0', 'r8'], true],
    ['with one known id twice', dated(undefined), ['r0', 'r0'], true],
    ['oldest first', dated(1_001, 2_001), [], false],
    ['with a known newer one behind', dated(undefined, undefined), ['r1', 'r0'], false],
  ])('%s', (_case, list, known, isBelieved) => {
    expect(newestFirst(list, known)).toEqual(isBelieved ? list : undefined)
  })
})

const FAILED = '88888888-8888-4888-8888-888888888888'
/** Before our rollout the old revision was active, and a later one had failed. */
const afterFailure = aDeployment({ activeRevisionId: OLD_REVISION_ID, latestRevisionId: FAILED })

/** Which revision supersedes ours, and which revisions were read to find that out. */
async function find(
  named: Pick<Deployment, 'activeRevisionId' | 'latestRevisionId'>,
  answer: Partial<Revision> | Error = { createdAt: 2_000 },
) {
  const reads: string[] = []
  let lists = 0
  const by = await supersededBy(aRevision({ createdAt: 1_000 }), aDeployment(named), {
    before: afterFailure,
    unreadable: 'newer',
    clock: fakeClock(),
    signal: new AbortController().signal,
    deadline: 60_000,
    controlPlane: aControlPlane({
      listRevisions: () => {
        lists += 1
        return Promise.reject(refusedWith(404))
      },
      getRevision: (_deploymentId, id) => {
        reads.push(id)
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(aRevision({ id, ...answer }))
      },
    }),
  })
  return { by, reads, lists }
}

describe('the search for a revision that supersedes ours', () => {
  const waiting = { activeRevisionId: OLD_REVISION_ID, latestRevisionId: REVISION_ID }

  it('does not read the revision that was active before: it is older', async () => {
    expect(await find(waiting)).toEqual({ by: undefined, reads: [], lists: 0 })
  })

  it('does not read the revision that was the latest before: it is older', async () => {
    expect(await find({ ...waiting, latestRevisionId: FAILED })).toEqual({ by: undefined, reads: [], lists: 0 })
  })

  it('counts it as older although it cannot be read', async () => {
    expect((await find(waiting, refusedWith(404))).by).toBeUndefined()
  })

  it('reads a revision once that is both the latest and the active one', async () => {
    const both = { activeRevisionId: OTHER, latestRevisionId: OTHER }
    expect(await find(both)).toEqual({ by: OTHER, reads: [OTHER], lists: 1 })
    expect(await find(both, { createdAt: 500 })).toEqual({ by: undefined, reads: [OTHER], lists: 1 })
  })

  it('reads each of two revisions that were not known before', async () => {
    const { reads } = await find({ activeRevisionId: 'one', latestRevisionId: 'two' }, { createdAt: 500 })
    expect(reads.toSorted()).toEqual(['one', 'two'])
  })
})
