import { describe, expect, it } from '@jest/globals'
import { ageOf } from '../../../src/rollout/read/age.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const EARLIEST = Date.UTC(2020, 0, 1)
const NOW = Date.UTC(2026, 0, 31)

describe('the age of a preview is known', () => {
  it.each<[string, boolean, number[], number, number]>([
    ['the clock of the server shows 2020', true, [EARLIEST], EARLIEST, NOW],
    ['the clock of the server shows 2019', false, [EARLIEST], EARLIEST - 1, NOW],
    ['the clock of the server is a day ahead', true, [NOW], NOW + DAY, NOW],
    ['the clock of the server is more than a day ahead', false, [NOW], NOW + DAY + 1, NOW],
    ['an update is from 2020', true, [EARLIEST, NOW], NOW, NOW],
    ['an update is from 2019', false, [EARLIEST - 1, NOW], NOW, NOW],
    ['an update is 5 minutes ahead', true, [NOW + 5 * MINUTE], NOW, NOW],
    ['an update is more than 5 minutes ahead', false, [NOW + 5 * MINUTE + 1], NOW, NOW],
  ])('if %s: %s', (_case, isKnown, updates, serverTime, runnerTime) => {
    expect(ageOf(updates, serverTime, runnerTime).kind).toBe(isKnown ? 'known' : 'age-unknown')
  })
})
