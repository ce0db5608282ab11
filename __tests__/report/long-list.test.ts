import { expect, it } from '@jest/globals'
import { LongList } from '../../src/report/long-list.ts'

const items = Array.from({ length: 1_000 }, (_, n) => ({ n }))
const list = LongList.of(items)

it('has the items of its array', () => {
  expect([...list]).toEqual(items)
  expect(list).toHaveLength(1_000)
  expect([0, 127, 128, 999, 1_000, -1].map((place) => list.at(place)?.n)).toEqual([
    0,
    127,
    128,
    999,
    undefined,
    undefined,
  ])
  expect([...LongList.of([])]).toEqual([])
})

it('shares all parts but the one of a change', () => {
  const changed = list.with(500, { n: -1 })
  expect([...changed]).toEqual(items.with(500, { n: -1 }))
  expect([...list]).toEqual(items)
  expect(changed.parts.filter((part, at) => part !== list.parts[at])).toHaveLength(1)
})

it('is mapped by items and by parts', () => {
  const numbers = items.map(({ n }) => n)
  expect([...list.map(({ n }, place) => n - place)]).toEqual(items.map(() => 0))
  const mapped = list.mapParts((part) => part.map(({ n }) => n))
  expect([...mapped]).toEqual(numbers)
  expect(mapped.at(999)).toBe(999)
})
