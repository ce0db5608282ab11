import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isFew, lookPause, readPause } from '../../src/fleet/watch/pace.ts'

test.each([
  [1, 10, true],
  [8, 10, true],
  [9, 10, false],
  [9, 1_000, false],
  [5, 6, false],
  [1, 1, false],
])('%i rollouts at the same time, with %i requests a second, are each watched as a single one: %s', (n, rate, few) => {
  expect(isFew(n, rate)).toBe(few)
})

test.each([
  [1, 10, 5_000],
  [6, 10, 4_000],
  [9, 10, 3_000],
  [12, 10, 2_000],
  [100, 10, 2_000],
  [101, 10, 4_000],
  [200, 50, 4_000],
  [1_000, 50, 5_000],
  [12, 5, 4_000],
])('%i that wait, with %i requests a second, are looked at every %i ms', (n, rate, pauseMs) => {
  expect(lookPause(n, rate)).toBe(pauseMs)
})

test.each([
  [9, 10, 32_400],
  [10, 50, 40_000],
  [13, 50, 55_000],
  [3, 0.5, 55_000],
])('%i at the same time, with %i requests a second, are each read every %i ms', (n, rate, pauseMs) => {
  expect(readPause(n, rate)).toBe(pauseMs)
})

const anyCount = fc.integer({ min: 9, max: 1_000 })
const anyRate = fc.integer({ min: 10, max: 1_000 })

/** Looks and reads of one deployment in a second. */
const costOf = (n: number, rate: number): number =>
  (1_000 * Math.ceil(n / 100)) / (lookPause(n, rate) * n) + 1_000 / readPause(n, rate)

test('more rollouts at the same time never need more requests each, and never more than a single watch', () => {
  fc.assert(
    fc.property(anyCount, anyCount, anyRate, (one, other, rate) => {
      const [few, many] = [Math.min(one, other), Math.max(one, other)]
      // A request is counted as a whole: 101 need two.
      expect(costOf(Math.ceil(many / 100) * 100, rate)).toBeLessThanOrEqual(costOf(few, rate) + 0.005)
      expect(costOf(few, rate)).toBeLessThan(1 / 8)
    }),
  )
})

test('looks and reads take at most a tenth of the budget, as far as the pauses are not the longest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1_000 }), (n, rate) => {
      const looks = Math.ceil(n / 100) / lookPause(n, rate)
      const reads = n / readPause(n, rate)
      if (lookPause(n, rate) < 5_000) expect(looks * 1_000).toBeLessThanOrEqual(rate / 20 + 1e-9)
      if (readPause(n, rate) < 55_000) expect(reads * 1_000).toBeLessThanOrEqual(rate / 20 + 1e-9)
    }),
  )
})
