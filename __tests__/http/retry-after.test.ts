import { expect, it } from '@jest/globals'
import { retryAfterOf } from '../../src/http/retry-after.ts'

const RUNNER = Date.parse('Fri, 02 Jan 2026 03:04:05 GMT')
const SERVER = 'Fri, 02 Jan 2026 09:00:00 GMT'

it.each<[string | undefined, string | undefined, number | undefined]>([
  ['7', undefined, 7_000],
  [' 7 ', SERVER, 7_000],
  ['1.5', undefined, 2_000],
  ['0.001', undefined, 1_000],
  ['99999999999', undefined, 99_999_999_999_000],
  ['Fri, 02 Jan 2026 03:04:35 GMT', undefined, 30_000],
  ['Fri, 02 Jan 2026 09:00:10 GMT', SERVER, 10_000],
  ['Fri, 02 Jan 2026 03:04:35 GMT', 'now', 30_000],
  ['2026-01-02T09:00:10Z', SERVER, 10_000],
  // No time to come.
  ['0', undefined, 0],
  ['0.0', undefined, 0],
  ['Fri, 02 Jan 2026 03:00:00 GMT', undefined, 0],
  ['Fri, 02 Jan 2026 09:00:00 GMT', SERVER, 0],
  ['Fri, 02 Jan 2026 08:59:00 GMT', SERVER, 0],
  // No time at all. JavaScript takes some of these for a date.
  ['-1', undefined, undefined],
  ['-0.5', undefined, undefined],
  ['+7', undefined, undefined],
  ['1e3', undefined, undefined],
  ['retry 5', undefined, undefined],
  ['soon', undefined, undefined],
  ['7 or 8', undefined, undefined],
  ['7, 8', undefined, undefined],
  ['9'.repeat(20), undefined, undefined],
  ['Fri, 02 Jan 2026 03:04:35', undefined, undefined],
  ['', undefined, undefined],
  [undefined, SERVER, undefined],
])('Retry-After: %s, at %s, is %s ms', (header, date, expected) => {
  expect(retryAfterOf({ 'retry-after': header, date }, RUNNER)).toBe(expected)
})
