import { describe, expect, it, jest } from '@jest/globals'
import type { Page, PageQuery } from '../../src/control-plane/model.ts'
import { readAll } from '../../src/control-plane/many.ts'
import fc from 'fast-check'

type ReadPage = (query: PageQuery) => Promise<Page<{ id: string }>>

async function idsOf(readPage: ReadPage): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of readAll(readPage)) ids.push(id)
  return ids
}

describe('readAll', () => {
  it('ends with the page that brings nothing new, where a service knows no offset', async () => {
    const readPage = jest
      .fn<ReadPage>()
      .mockImplementation(({ offset }) => Promise.resolve({ resources: [{ id: 'a' }], offset: offset + 1 }))
    expect(await idsOf(readPage)).toEqual(['a'])
    expect(readPage.mock.calls).toEqual([[{ limit: 100, offset: 0 }], [{ limit: 100, offset: 1 }]])
  })

  it('ends where the offset does not advance', async () => {
    let id = 0
    expect(await idsOf(() => Promise.resolve({ resources: [{ id: `${++id}` }], offset: 0 }))).toEqual(['1'])
  })

  it('gives each entry once, though pages overlap', async () => {
    const pages = [['a', 'b'], ['b', 'c'], []]
    const readPage: ReadPage = ({ offset }) =>
      Promise.resolve({ resources: (pages.shift() ?? []).map((id) => ({ id })), offset: offset + 2 })
    expect(await idsOf(readPage)).toEqual(['a', 'b', 'c'])
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
    expect(await idsOf(readPage)).toHaveLength(250)
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
          const ids = await idsOf(async (query) => {
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
    expect(await idsOf(readPage)).toEqual(expect.arrayContaining(stay.slice(0, 200)))
  })

  it.each([0, 1, 9])('is read once if it has %d entries: one page shows all of them', async (length) => {
    const { readPage, offsets } = shifting(range(0, length), (ids) => ids)
    expect(await idsOf(readPage)).toHaveLength(length)
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
    const ids = await idsOf(({ offset }) => {
      if (page++ === 1) all = all.slice(1)
      const cut = all.slice(offset, offset + cap)
      const resources = named(...cut.filter((id) => isKept(Number(id.slice(1)))))
      return Promise.resolve({ resources, offset: offset + cut.length })
    })
    expect(ids).toContain(`e${cap}`)
  })

  it('ends with an empty page', async () => {
    const { readPage, offsets } = shifting(range(0, 40), (ids) => ids, 20)
    expect(await idsOf(readPage)).toHaveLength(40)
    expect(offsets).toEqual([0, 20, 40, 0, 10, 20, 30, 40])
  })

  it('is read once more with pages of one entry', async () => {
    const { readPage, offsets } = shifting(range(0, 3), (ids) => ids, 1)
    expect(await idsOf(readPage)).toHaveLength(3)
    expect(offsets).toEqual([0, 1, 2, 3, 0, 1, 2, 3])
  })

  it('is read to its end past single pages without a new entry', async () => {
    const offsets: number[] = []
    const ids = await idsOf(({ offset }) => {
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

  it('gives an entry once whose id is on two pages in another case', async () => {
    const { readPage } = shifting(['a', 'b', 'A', 'c'], (ids) => ids, 2)
    expect(await idsOf(readPage)).toEqual(['a', 'b', 'c'])
  })

  it.each([1, 100])('ends where a service repeats a page of %d entries for every offset', async (length) => {
    const readPage = jest
      .fn<ReadPage>()
      .mockImplementation(({ offset }) =>
        Promise.resolve({ resources: named(...range(0, length)), offset: offset + length }),
      )
    expect(await idsOf(readPage)).toHaveLength(length)
    expect(readPage.mock.calls.length).toBeLessThanOrEqual(5)
  })
})
