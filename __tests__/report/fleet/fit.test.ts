import { expect, it } from '@jest/globals'
import { fit } from '../../../src/report/fleet/fit.ts'

it.each([
  [23, 2],
  [22, 1],
  [10, 0],
])('fits rows of a table into %d bytes: %d', (maxBytes, count) => {
  const { rows, more } = fit(['a', 'é', 'c'], (item) => [item, 'x'], maxBytes)
  expect(rows).toEqual(
    [
      ['a', 'x'],
      ['é', 'x'],
    ].slice(0, count),
  )
  expect(more).toBe(3 - count)
})
