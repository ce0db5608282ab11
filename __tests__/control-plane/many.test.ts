import { describe, expect, it, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { aDeployment } from '../builders.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../control-plane-stub.ts'
import { virtualClock } from '../virtual-clock.ts'
import type { Pace } from '../../src/control-plane/api-request.ts'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import { UnreachableError } from '../../src/control-plane/errors.ts'
import { GatheredReads, gathering, listWhole, readAll } from '../../src/control-plane/many.ts'
import type { Page, PageQuery } from '../../src/control-plane/model.ts'

type List = ControlPlane['listDeployments']

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, n) => `id-${n}`)
const unreachable = new UnreachableError({ attempted: 'list', cameBack: 'HTTP 503', hint: '' })

/** A service with the deployments `id-0`, `id-1` and so on. `list`: its answer to a list by ids, if not the right one. */
function setUp(list?: (ids: readonly string[]) => ReturnType<List>) {
  const clock = virtualClock()
  const lists: number[] = []
  const areBases: (boolean | undefined)[] = []
  const singles: string[] = []
  const right = (ids: readonly string[]): ReturnType<List> =>
    Promise.resolve({
      resources: ids.filter((id) => id.startsWith('id-')).map((id) => aDeployment({ id })),
      offset: ids.length,
    })
  const controlPlane = aControlPlane({
    listDeployments: async ({ ids = [], isBasis }) => {
      lists.push(ids.length)
      areBases.push(isBasis)
      return await (list ?? right)(ids)
    },
    getDeployment: async (id) => {
      singles.push(id)
      return await (id.startsWith('id-') ? Promise.resolve(aDeployment({ id })) : Promise.reject(refusedWith(404)))
    },
  })
  const reads = new GatheredReads(controlPlane, { clock, signal: new AbortController().signal, deadline: Infinity })
  const all = async (ids: readonly string[]): Promise<string[]> => {
    const looks = await clock.run(async () => await Promise.all(ids.map(async (id) => await reads.look(id))))
    return looks.map((seen) => (seen.kind === 'found' ? seen.deployment.id : seen.kind))
  }
  return { clock, lists, areBases, singles, reads, all, controlPlane, right }
}

describe('reads of many deployments', () => {
  test('that come at the same time are one request for each 100', async () => {
    const { all, lists, singles } = setUp()
    const ids = idsOf(230)
    expect(await all([...ids, ...ids])).toEqual([...ids, ...ids])
    expect(lists).toEqual([100, 100, 30])
    expect(singles).toEqual([])
  })

  test('one that a held write is based on brings the others of its request forward', async () => {
    const { clock, reads, areBases, controlPlane } = setUp()
    const pace: Pace = { holdsWrite: true, turn: async () => await Promise.resolve(true), answered: () => undefined }
    const own = gathering({ ...controlPlane, pace }, reads)
    const other = gathering(controlPlane, reads)
    await clock.run(async () => await Promise.all([other.getDeployment('id-0'), own.getDeployment('id-1')]))
    await clock.run(async () => await Promise.all([other.getDeployment('id-0'), own.getDeployment('id-0')]))
    await clock.run(async () => await Promise.all([other.getDeployment('id-0'), reads.look('id-1')]))
    expect(areBases).toEqual([true, true, false])
  })

  test('a call gets no answer to a request that was sent before it', async () => {
    const { clock, reads, lists } = setUp()
    await clock.run(async () => {
      const first = reads.look('id-0')
      await clock.sleep(100, new AbortController().signal)
      await Promise.all([first, reads.look('id-0')])
    })
    expect(lists).toEqual([1, 1])
  })

  test('what the list lacks is read by itself; a 404 shows nothing of it', async () => {
    const { all, singles, right } = setUp(async (ids) => await right(ids.filter((id) => id !== 'id-1')))
    expect(await all(['id-0', 'id-1', 'gone'])).toEqual(['id-0', 'id-1', 'not-covered'])
    expect(singles).toEqual(['id-1', 'gone'])
  })

  test('a service that ignores the ids is not asked so any more, and a read is a request of its own', async () => {
    const { all, lists, singles, clock, controlPlane, reads, right } = setUp(async () => await right(['id-0', 'id-8']))
    expect(await all(['id-0', 'id-1'])).toEqual(['not-covered', 'not-covered'])
    expect(await all(['id-0'])).toEqual(['not-covered'])
    expect(lists).toHaveLength(1)
    const read = await clock.run(async () => await gathering(controlPlane, reads).within(1).getDeployment('id-0'))
    expect(read.id).toBe('id-0')
    expect(singles).toEqual(['id-0'])
  })

  test('a service that lists none of the ids is not asked so after a few answers', async () => {
    const { all, lists } = setUp(async () => await Promise.resolve({ resources: [], offset: 0 }))
    for (let look = 0; look < 8; look++) await all(['id-0'])
    expect(lists).toHaveLength(5)
  })

  test('a service with shorter pages is asked for fewer ids', async () => {
    const { all, lists, singles, right } = setUp(async (ids) => await right(ids.slice(0, 20)))
    await all(idsOf(60))
    expect(singles).toHaveLength(40)
    expect(await all(idsOf(60))).toEqual(idsOf(60))
    expect(lists).toEqual([60, 20, 20, 20])
  })

  test.each([aBrokenAnswer(), unreachable])(
    'one deployment that breaks the answer is soon alone, and the others are seen ($name)',
    async (error) => {
      const { all, right } = setUp(async (ids) => await (ids.includes('id-3') ? Promise.reject(error) : right(ids)))
      const ids = idsOf(40)
      for (let look = 0; look < 7; look++) await all(ids)
      expect(await all(ids)).toEqual(ids.map((id) => (id === 'id-3' ? 'failed' : id)))
    },
  )

  test('a refusal may be about the length: fewer ids follow, until the service is not asked so any more', async () => {
    const short = setUp(async (ids) => await (ids.length > 30 ? Promise.reject(refusedWith(414)) : short.right(ids)))
    for (let look = 0; look < 3; look++) await short.all(idsOf(100))
    expect(short.lists).toEqual([100, 50, 50, 25, 25, 25, 25])
    const never = setUp(async () => await Promise.reject(refusedWith(400)))
    for (let look = 0; look < 5; look++) await never.all(['id-0'])
    expect(never.lists).toEqual([1])
  })

  test('a read whose list fails is read by itself, and throws what that throws', async () => {
    const { clock, controlPlane, reads } = setUp(async () => await Promise.reject(unreachable))
    const own = gathering(controlPlane, reads)
    expect((await clock.run(async () => await own.getDeployment('id-0'))).id).toBe('id-0')
    await expect(clock.run(async () => await own.getDeployment('gone'))).rejects.toMatchObject({ status: 404 })
  })
})

type ReadPage = (query: PageQuery) => Promise<Page<{ id: string }>>

async function idsOfPage(readPage: ReadPage): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of readAll(readPage)) ids.push(id)
  return ids
}

describe('readAll', () => {
  it('ends with the page that brings nothing new, where a service knows no offset', async () => {
    const readPage = jest
      .fn<ReadPage>()
      .mockImplementation(({ offset }) => Promise.resolve({ resources: [{ id: 'a' }], offset: offset + 1 }))
    expect(await idsOfPage(readPage)).toEqual(['a'])
    expect(readPage.mock.calls).toEqual([[{ limit: 100, offset: 0 }], [{ limit: 100, offset: 1 }]])
  })

  it('ends where the offset does not advance', async () => {
    let id = 0
    expect(await idsOfPage(() => Promise.resolve({ resources: [{ id: `${++id}` }], offset: 0 }))).toEqual(['1'])
  })

  it('gives each entry once, though pages overlap', async () => {
    const pages = [['a', 'b'], ['b', 'c'], []]
    const readPage: ReadPage = ({ offset }) =>
      Promise.resolve({ resources: (pages.shift() ?? []).map((id) => ({ id })), offset: offset + 2 })
    expect(await idsOfPage(readPage)).toEqual(['a', 'b', 'c'])
  })
})

const named = (...ids: string[]): { id: string }[] => ids.map((id) => ({ id }))
const range = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, n) => `e${from + n}`)

/** A list that `change` alters before each page. Pages have at most `cap` entries, whatever the limit. */
function shifting(ids: string[], change: (ids: string[], page: number) => string[], cap = 100) {
  let now = ids
  const offsets: number[] = []
  const readPage: ReadPage = ({ limit, offset }) => {
    now = change(now, offsets.length)
    offsets.push(offset)
    const resources = named(...now.slice(offset, offset + Math.min(limit, cap)))
    return Promise.resolve({ resources, offset: offset + resources.length })
  }
  return { readPage, offsets }
}

describe('a list that shifts while it is read', () => {
  it('is read once more with pages that overlap by half', async () => {
    const { readPage, offsets } = shifting(range(0, 250), (ids, page) => (page === 1 ? ids.slice(50) : ids))
    expect(await idsOfPage(readPage)).toHaveLength(250)
    expect(offsets).toEqual([0, 100, 200, 0, 50, 100, 150, 200])
  })

  it('shows every entry that stays, wherever others come and go during the first pass', async () => {
    const shift = fc.record({ at: fc.nat(400), added: fc.nat(50), removed: fc.nat(50) })
    await fc.assert(
      fc.asyncProperty(
        fc.nat(400),
        fc.nat(400),
        fc.constantFrom(20, 50, 100),
        fc.array(shift, { maxLength: 30 }),
        async (length, place, cap, shifts) => {
          let starts = 0
          const { readPage } = shifting(
            range(0, length).toSpliced(place, 0, 'wanted'),
            (now, page) => {
              const { at, added, removed } = shifts[page - 1] ?? { at: 0, added: 0, removed: 0 }
              if (page === 0 || starts > 1) return now
              const kept = now.slice(at, at + removed).filter((id) => id === 'wanted')
              return now.toSpliced(at, removed, ...range(0, added).map((id) => `${page}-${id}`), ...kept)
            },
            cap,
          )
          const ids = await idsOfPage(async (query) => {
            if (query.offset === 0) starts += 1
            return await readPage(query)
          })
          expect(ids.filter((id) => id === 'wanted')).toHaveLength(1)
          expect(new Set(ids).size).toBe(ids.length)
        },
      ),
    )
  })

  it.each([1, 20, 49])('shows every entry that stays, though %d go before each page of both passes', async (gone) => {
    const stay = range(1000, 1250)
    const list = [...range(0, 10 * gone), ...stay]
    const { readPage } = shifting(list, (ids, page) => (page === 0 ? ids : ids.slice(gone)))
    expect(await idsOfPage(readPage)).toEqual(expect.arrayContaining(stay.slice(0, 200)))
  })

  it.each([0, 1, 9])('is read once if it has %d entries: one page shows all of them', async (length) => {
    const { readPage, offsets } = shifting(range(0, length), (ids) => ids)
    expect(await idsOfPage(readPage)).toHaveLength(length)
    expect(offsets).toEqual(length === 0 ? [0] : [0, length])
  })

  it.each<[string, number, (place: number) => boolean]>([
    ['5 entries', 5, () => true],
    ['10 entries', 10, () => true],
    ['10 entries, if the list has 11', 10, (place) => place <= 10],
    ['19 entries', 19, () => true],
    ['20 entries that are filtered after the page is cut', 20, (place) => place % 20 === 3 || place === 20],
    ['100 entries that are filtered so', 100, (place) => place === 3 || place === 100],
  ])('is read once more with pages of %s', async (_what, cap, isKept) => {
    let all = range(0, 150)
    let page = 0
    const ids = await idsOfPage(({ offset }) => {
      if (page++ === 1) all = all.slice(1)
      const cut = all.slice(offset, offset + cap)
      const resources = named(...cut.filter((id) => isKept(Number(id.slice(1)))))
      return Promise.resolve({ resources, offset: offset + cut.length })
    })
    expect(ids).toContain(`e${cap}`)
  })

  it('ends with an empty page', async () => {
    const { readPage, offsets } = shifting(range(0, 40), (ids) => ids, 20)
    expect(await idsOfPage(readPage)).toHaveLength(40)
    expect(offsets).toEqual([0, 20, 40, 0, 10, 20, 30, 40])
  })

  it('is read once more with pages of one entry', async () => {
    const { readPage, offsets } = shifting(range(0, 3), (ids) => ids, 1)
    expect(await idsOfPage(readPage)).toHaveLength(3)
    expect(offsets).toEqual([0, 1, 2, 3, 0, 1, 2, 3])
  })

  it('is read to its end past single pages without a new entry', async () => {
    const offsets: number[] = []
    const ids = await idsOfPage(({ offset }) => {
      offsets.push(offset)
      const cut = range(offset, Math.min(offset + 20, 80))
      const resources = named(...cut.filter((id) => id.endsWith('5') && Number(id.slice(1)) % 20 === 5))
      return Promise.resolve({ resources, offset: offset + cut.length })
    })
    expect(ids).toEqual(['e5', 'e25', 'e45', 'e65'])
    expect(offsets).toEqual([0, 20, 40, 60, 80, 0, 10, 20, 30, 40, 50, 60, 70])
  })

  it('is read once up to the entry that ends the reading', async () => {
    const { readPage, offsets } = shifting(range(0, 250), (ids) => ids)
    for await (const { id } of readAll(readPage)) if (id === 'e120') break
    expect(offsets).toEqual([0, 100])
  })

  it('gives an entry again that gets another name while the pages are read', async () => {
    let reads = 0
    const readPage = async ({ offset }: PageQuery): Promise<Page<{ id: string; name: string }>> => {
      reads += 1
      const all = range(0, 20).map((id) => ({ id, name: id === 'e5' && reads > 2 ? 'renamed' : id }))
      const resources = all.slice(offset, offset + 10)
      return await Promise.resolve({ resources, offset: offset + resources.length })
    }
    const names: string[] = []
    for await (const { id, name } of readAll(readPage)) if (id === 'e5') names.push(name)
    expect(names).toEqual(['e5', 'renamed'])
    reads = 0
    const whole = await listWhole(readPage)
    expect(whole).toHaveLength(20)
    expect(whole[5]).toEqual({ id: 'e5', name: 'renamed' })
  })

  it('gives an entry once whose id is on two pages in another case', async () => {
    const { readPage } = shifting(['a', 'b', 'A', 'c'], (ids) => ids, 2)
    expect(await idsOfPage(readPage)).toEqual(['a', 'b', 'c'])
  })

  it.each([1, 100])('ends where a service repeats a page of %d entries for every offset', async (length) => {
    const readPage = jest
      .fn<ReadPage>()
      .mockImplementation(({ offset }) =>
        Promise.resolve({ resources: named(...range(0, length)), offset: offset + length }),
      )
    expect(await idsOfPage(readPage)).toHaveLength(length)
    expect(readPage.mock.calls.length).toBeLessThanOrEqual(5)
  })
})
