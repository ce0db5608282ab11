import { expect, it } from '@jest/globals'
import { LongList } from '../../src/report/long-list.ts'

const items = Array.from({ length: 1_000 }, (_, n) => ({ name: `no. ${n}`, n }))
const list = LongList.from(items)

it('has the items of its array', () => {
  expect([...list]).toEqual(items)
  expect(list).toHaveLength(1_000)
  const found = [0, 127, 128, 999, 1_000, -1].map((n) => list.get(`no. ${n}`)?.n)
  expect(found).toEqual([0, 127, 128, 999, undefined, undefined])
  expect([...LongList.from([])]).toEqual([])
})

it('shares all parts but the one of a change', () => {
  const changed = list.with('no. 500', (one) => ({ ...one, n: -1 }))
  expect([...changed]).toEqual(items.with(500, { name: 'no. 500', n: -1 }))
  expect([...list]).toEqual(items)
  expect(changed.parts.filter((part, at) => part !== list.parts[at])).toHaveLength(1)
})

it('is mapped by parts, and is the same without a change', () => {
  const mapped = list.mapParts((part) => part.map(({ name, n }) => ({ name, square: n * n })))
  expect([...mapped].map(({ square }) => square)).toEqual(items.map(({ n }) => n * n))
  expect(mapped.get('no. 999')?.square).toBe(998_001)
  expect(list.with('another', (one) => ({ ...one, n: -1 }))).toBe(list)
})
