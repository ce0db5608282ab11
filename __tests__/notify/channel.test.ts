import { describe, expect, it } from '@jest/globals'
import { isUnreachable } from '../../src/notify/channel.ts'

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
