import { setImmediate } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { inParallel } from '../../scripts/in-parallel.ts'

it('works on each item once, on so many at the same time, and keeps their order', async () => {
  let now = 0
  let most = 0
  const began: string[] = []
  const results = await inParallel(2, ['slow', 'b', 'c', 'd'], async (item, place) => {
    began.push(item)
    now += 1
    most = Math.max(most, now)
    for (let turn = 0; turn < (item === 'slow' ? 20 : 1); turn++) await setImmediate()
    now -= 1
    return `${place} ${item}`
  })
  expect(results).toEqual(['0 slow', '1 b', '2 c', '3 d'])
  expect(began).toEqual(['slow', 'b', 'c', 'd'])
  expect(most).toBe(2)
})

it('has no result when one has none', async () => {
  await expect(inParallel(3, [1, 2], async (one) => await Promise.reject(new Error(`no ${one}`)))).rejects.toThrow(
    'no 1',
  )
})
