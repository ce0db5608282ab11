import { expect, it, describe } from '@jest/globals'
import { checkNames, countShards, cutShards, type Slice } from '../../../src/inputs/manifest/waves.ts'
import { failuresOf, parallelOf } from '../../../src/fleet/limits.ts'
import fc from 'fast-check'

it.each<[string[], string[]]>([
  [['a', 'b'], []],
  [['a', ' A '], ['is also the name of deployments[0]: names are unique, in any case of their letters']],
  [
    ['a-${NAME}'],
    ['must not contain ${: a value of the environment is masked, and the report could not name the deployment'],
  ],
])('the names %j of deployments have these problems: %j', (names, messages) => {
  expect(checkNames(names.map((name) => ({ name }))).map(({ message }) => message)).toEqual(messages)
})

describe('a part of a wave', () => {
  const half = { kind: 'percent', percent: 50 } as const

  it.each([
    [0, 1, 0],
    [1, 1, 0],
    [5, 3, 2],
  ])('of 50 %% of %d deployments: %d at once, %d failures', (entries, parallel, failures) => {
    expect(parallelOf(half, entries)).toBe(parallel)
    expect(failuresOf(half, entries)).toBe(failures)
  })
})

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 })

const entriesOf = (slices: readonly Slice[]): string[] =>
  slices.flatMap(({ wave, from, to }) => Array.from({ length: to - from }, (_, index) => `${wave}:${from + index}`))
const allOf = (waves: readonly number[]): string[] =>
  entriesOf(waves.map((entries, wave) => ({ wave, from: 0, to: entries })))

describe('the shards of a fleet', () => {
  it('have every entry exactly once, in the order of the waves', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 400 }), (waves, count) => {
        const shards = cutShards(waves, count)
        expect(shards.length).toBeLessThanOrEqual(count)
        expect(shards.flatMap(entriesOf)).toEqual(allOf(waves))
      }),
    )
  })

  it('have entries of one wave each, if there are as many shards as waves', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 100 }), (waves, more) => {
        for (const slices of cutShards(waves, waves.length + more)) expect(slices).toHaveLength(1)
      }),
    )
  })

  it('have the smallest size with which there are not more of them than asked for', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 100 }), (waves, more) => {
        const count = waves.length + more
        const shards = cutShards(waves, count)
        const size = Math.max(...shards.flat().map(({ from, to }) => to - from))
        expect(countShards(waves, size)).toBe(shards.length)
        if (size > 1) expect(countShards(waves, size - 1)).toBeGreaterThan(count)
      }),
    )
  })

  it('are as many as the matrix lists, none is empty and none is larger than asked for', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 80 }), (waves, size) => {
        const count = countShards(waves, size)
        const shards = cutShards(waves, count)
        expect(shards).toHaveLength(count)
        for (const slices of shards) {
          expect(entriesOf(slices).length).toBeGreaterThan(0)
          expect(entriesOf(slices).length).toBeLessThanOrEqual(size)
        }
      }),
    )
  })

  it('are of equal size, if they are fewer than the waves', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 5 }), (waves, count) => {
        fc.pre(count < waves.length)
        const lengths = cutShards(waves, count).map((slices) => entriesOf(slices).length)
        expect(lengths).toHaveLength(count)
        expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
