import { expect, it } from '@jest/globals'
import { LongWork } from '../src/give-way.ts'
import { countTurns } from './turns.ts'

it('gives the event loop a turn after each 50 ms, to all pieces at the same time', async () => {
  let ms = 0
  const work = new LongWork({ now: () => ms })
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
  const work = new LongWork({ now: () => ms })
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
