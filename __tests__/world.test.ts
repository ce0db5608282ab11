import { expect, it } from '@jest/globals'
import { newId } from '../src/world.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it.each([() => 0, () => 0.5, () => 1, Math.random])('an id has the form of a UUID, whatever chance says', (random) => {
  expect(newId(random)).toMatch(UUID)
})

it('ids of one sequence of chance are the same, and differ from each other', () => {
  const sequence = (): (() => number) => {
    let seed = 7
    return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  }
  const ids = (random: () => number): string[] => Array.from({ length: 100 }, () => newId(random))
  expect(ids(sequence())).toEqual(ids(sequence()))
  expect(new Set(ids(sequence())).size).toBe(100)
})
