import { describe, expect, it } from '@jest/globals'
import { GitHubError } from '../../src/github/errors.ts'
import { failureOf, isUnreachable } from '../../src/notify/channel.ts'

describe('failureOf', () => {
  it.each<[number | undefined, ReturnType<typeof failureOf>]>([
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [405, 'refused'],
    [410, 'refused'],
    [undefined, 'unreachable'],
    [429, 'unreachable'],
    [422, 'other'],
    [500, 'other'],
    [503, 'other'],
  ])('takes status %s for %s', (status, failure) => {
    expect(failureOf(new GitHubError('could not', status))).toBe(failure)
  })

  it('takes any other error for other', () => {
    expect(failureOf(new TypeError('no'))).toBe('other')
  })
})

describe('isUnreachable', () => {
  it.each<[number | undefined, number, boolean]>([
    [undefined, 0, false],
    [1_000, 1_000, true],
    [1_000, 60_999, true],
    [1_000, 61_000, false],
  ])('since %s at %i: %s', (unreachableSince, now, expected) => {
    expect(isUnreachable(unreachableSince, now)).toBe(expected)
  })
})
