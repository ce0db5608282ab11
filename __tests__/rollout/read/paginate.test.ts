import { describe, expect, it, jest } from '@jest/globals'
import type { Page, PageQuery } from '../../../src/control-plane/control-plane.ts'
import { readAll } from '../../../src/rollout/read/paginate.ts'

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
    expect(readPage).toHaveBeenCalledTimes(2)
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
