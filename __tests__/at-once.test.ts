import { expect, it } from '@jest/globals'
import { forEachOfFew } from '../src/at-once.ts'

const NUMBERS = [0, 1, 2, 3, 4, 5, 6]

it.each([1, 3, 7, 20])(
  'does the work for each item once, in their order, for at most %d at the same time',
  async (most) => {
    const began: number[] = []
    let underWay = 0
    let highest = 0
    await forEachOfFew(NUMBERS, most, async (number) => {
      began.push(number)
      highest = Math.max(highest, ++underWay)
      await Promise.resolve()
      underWay -= 1
    })
    expect(began).toEqual(NUMBERS)
    expect(highest).toBe(Math.min(most, NUMBERS.length))
  },
)

it.each([
  ['a list', () => NUMBERS],
  ['an iterator', () => NUMBERS.values()],
  ['a generator', () => NUMBERS.values().map((number) => number)],
])('begins no work for a further item of %s after an error', async (_name, items) => {
  const began: number[] = []
  const ends: (() => void)[] = []
  const running = forEachOfFew(items(), 2, async (number) => {
    began.push(number)
    if (number === 1) throw new Error('broken')
    await new Promise<void>((resolve) => ends.push(resolve))
  })
  await expect(running).rejects.toThrow('broken')
  for (const end of ends) end()
  await new Promise(setImmediate)
  expect(began).toEqual([0, 1])
})
