import { expect, it } from '@jest/globals'
import { forEachOfFew, oncePerKey, LongWork } from '../src/async.ts'
import { countTurns } from './turns.ts'
import { virtualClock } from './virtual-clock.ts'

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

function counted(): { asked: string[]; ask: (one: string, other: string) => Promise<string> } {
  const asked: string[] = []
  const ask = oncePerKey(
    async (one: string, other: string) => {
      asked.push(`${one} ${other}`)
      await Promise.resolve()
      if (one === 'broken' && asked.length === 1) throw new Error('broken')
      return `${one}-${other}`
    },
    (one, other) => `${one} ${other}`,
  )
  return { asked, ask }
}

it('asks once for each key, also while an answer is under way', async () => {
  const { asked, ask } = counted()
  expect(await Promise.all([ask('a', 'b'), ask('a', 'b'), ask('a', 'c')])).toEqual(['a-b', 'a-b', 'a-c'])
  expect(await ask('a', 'b')).toBe('a-b')
  expect(asked).toEqual(['a b', 'a c'])
})

it('asks again after an error', async () => {
  const { asked, ask } = counted()
  await expect(ask('broken', 'b')).rejects.toThrow('broken')
  expect(await ask('broken', 'b')).toBe('broken-b')
  expect(asked).toHaveLength(2)
})

it('gives the event loop a turn after each 50 ms, to all pieces at the same time', async () => {
  let ms = 0
  const work = new LongWork({ ...virtualClock(), now: () => ms })
  const pieces = async (): Promise<void> => {
    for (let piece = 0; piece < 100; piece++) {
      ms += 1
      await work.giveWay()
    }
  }
  const turns = await countTurns(pieces)
  expect(turns).toBeGreaterThanOrEqual(1)
  expect(turns).toBeLessThanOrEqual(3)
  const more = await countTurns(async () => await Promise.all([pieces(), pieces(), pieces()]))
  expect(more).toBeGreaterThanOrEqual(5)
  expect(more).toBeLessThanOrEqual(8)
})

it('gives it between pieces that wait for the same turn', async () => {
  let ms = 0
  const work = new LongWork({ ...virtualClock(), now: () => ms })
  const doneIn: number[] = []
  ms = 50
  await countTurns(async (turns) => {
    const piece = async (): Promise<void> => {
      await work.giveWay()
      await Promise.resolve()
      doneIn.push(turns())
      ms += 20
    }
    await Promise.all([piece(), piece(), piece(), piece(), piece(), piece(), piece()])
  })
  const [first = 0] = doneIn
  expect(doneIn.map((one) => one - first)).toEqual([0, 0, 0, 1, 1, 1, 2])
})
