import { describe, expect, it } from '@jest/globals'
import { parseHttpDate, parseTimestamp } from '../../src/http/dates.ts'

const NOON = Date.UTC(2026, 0, 2, 12)

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-02T12:00:00Z', NOON],
    ['2026-01-02T12:00:00.000000Z', NOON],
    ['2026-01-02 12:00:00+00:00', NOON],
    ['2026-01-02T14:00:00+02:00', NOON],
    ['2026-01-02T07:00-0500', NOON],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
    ['2026-01-02T12:00:00', undefined],
    ['2026-01-02', undefined],
    ['2026-13-02T12:00:00Z', undefined],
    ['Fri, 02 Jan 2026 12:00:00 GMT', undefined],
    ['1767355200', undefined],
    ['at 2026-01-02T12:00:00Z', undefined],
    ['1 2026-01-02T12:00:00Z', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %j is %s', (text, expected) => {
    expect(parseTimestamp(text)).toBe(expected)
  })
})

describe('parseHttpDate', () => {
  it.each([
    ['Fri, 02 Jan 2026 12:00:00 GMT', NOON],
    ['Fri, 02 Jan 2026 12:00:00', undefined],
    ['yesterday GMT', undefined],
    ['2099 GMT', undefined],
    ['Fri, 2 Jan 2026 12:00:00 GMT', undefined],
    ['Friday, 02-Jan-26 12:00:00 GMT', undefined],
    ['Fri, 02 Jan 2026 12:00 GMT', undefined],
    ['0', undefined],
    [undefined, undefined],
  ])('of %j is %s', (header, expected) => {
    expect(parseHttpDate(header)).toBe(expected)
  })
})
