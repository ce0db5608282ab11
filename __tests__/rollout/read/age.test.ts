import { describe, expect, it } from '@jest/globals'
import { ageOf, newestFirst } from '../../../src/rollout/read/age.ts'
import type { Revision } from '../../../src/control-plane/model.ts'
import { aRevision } from '../../builders.ts'

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

describe('a list of revisions', () => {
  const dated = (...dates: (number | undefined)[]): Revision[] =>
    dates.map((createdAt, n) => aRevision({ id: `r${n}`, createdAt }))

  it.each<[string, Revision[], string[], boolean]>([
    ['newest first', dated(3_001, 2_001, 1_001), ['r0', 'R2'], true],
    ['without dates', dated(undefined, undefined), ['r0', 'r1'], true],
    ['with dates in one second', dated(1_000, 1_500), [], true],
    ['that lacks known ones', dated(undefined), ['r7', 'r0', 'r8'], true],
    ['with one known id twice', dated(undefined), ['r0', 'r0'], true],
    ['oldest first', dated(1_001, 2_001), [], false],
    ['with a known newer one behind', dated(undefined, undefined), ['r1', 'r0'], false],
  ])('%s', (_case, list, known, isBelieved) => {
    expect(newestFirst(list, known)).toEqual(isBelieved ? list : undefined)
  })
})
