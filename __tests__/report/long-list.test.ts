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

it('maps anew only what has changed since the result before', () => {
  const asked: number[] = []
  const change = ({ n }: { n: number }, place: number): string => {
    asked.push(place)
    return String(n)
  }
  const before = list.map(change)
  expect([...before]).toEqual(items.map(({ n }) => String(n)))
  expect(asked).toHaveLength(1_000)
  asked.length = 0
  const changed = list.with(500, { n: -1 })
  expect([...changed.map(change, list, before)]).toEqual(items.map(({ n }) => String(n)).with(500, '-1'))
  expect(asked).toEqual([500])
})
