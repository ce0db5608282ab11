import { expect, it } from '@jest/globals'
import { LongWork } from '../src/give-way.ts'

it('gives the event loop a turn after each 50 ms, to all pieces at the same time', async () => {
  let ms = 0
  let turns = 0
  const count = (): void => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const work = new LongWork({ now: () => ms })
  const pieces = async (): Promise<void> => {
    for (let piece = 0; piece < 100; piece++) {
      ms += 1
      await work.giveWay()
    }
  }
  await pieces()
  expect(turns).toBeGreaterThanOrEqual(1)
  expect(turns).toBeLessThanOrEqual(3)
  const before = turns
  await Promise.all([pieces(), pieces(), pieces()])
  clearImmediate(next)
  expect(turns - before).toBeGreaterThanOrEqual(5)
  expect(turns - before).toBeLessThanOrEqual(8)
})

it('gives it between pieces that wait for the same turn', async () => {
  let ms = 0
  let turn = 0
  const count = (): void => {
    turn += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const work = new LongWork({ now: () => ms })
  const doneIn: number[] = []
  const piece = async (): Promise<void> => {
    await work.giveWay()
    await Promise.resolve()
    doneIn.push(turn)
    ms += 20
  }
  ms = 50
  await Promise.all([piece(), piece(), piece(), piece(), piece(), piece(), piece()])
  clearImmediate(next)
  const [first = 0] = doneIn
  expect(doneIn.map((one) => one - first)).toEqual([0, 0, 0, 1, 1, 1, 2])
})
