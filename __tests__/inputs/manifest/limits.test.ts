import { describe, expect, it } from '@jest/globals'
import { failuresOf, limitFrom, parallelOf, positiveCount, requestRate } from '../../../src/inputs/manifest/limits.ts'

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

describe('a limit', () => {
  it.each([
    ['1', { kind: 'count', count: 1 }],
    ['100%', { kind: 'percent', percent: 100 }],
  ])('may be %s', (given, limit) => expect(limitFrom(1)(given)).toEqual(limit))

  it.each(['0', '0%', '101%', '-1', '1.5', 'all'])('from 1 is not %s', (given) =>
    expect(() => limitFrom(1)(given)).toThrow('must be a whole number from 1'),
  )

  it('from 0 may be 0', () => expect(limitFrom(0)('0')).toEqual({ kind: 'count', count: 0 }))
})

describe('a rate of requests', () => {
  it.each([
    ['0.1', 0.1],
    ['20', 20],
    ['2.125', 2.125],
    ['1000', 1_000],
  ])('takes %s', (text, rate) => expect(requestRate(text)).toBe(rate))

  it.each(['0', '1001', '0.05', '1e2', '0x10', '+5', '5/s', '5.', '.5', '0.1234', 'ten'])('refuses %s', (text) =>
    expect(() => requestRate(text)).toThrow('must be a number from 0.1 to 1000'),
  )
})

describe('a count from 1', () => {
  it.each([
    ['1', 1],
    ['999999', 999_999],
  ])('takes %s', (text, count) => expect(positiveCount(text)).toBe(count))

  it.each(['0', '1000000', '5x', '-5', '1.5', '0x10', '1e2', 'ten'])('refuses %s', (text) =>
    expect(() => positiveCount(text)).toThrow('must be a whole number from 1 to 999999'),
  )
})
