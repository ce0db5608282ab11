import { describe, expect, it } from '@jest/globals'
import { readFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { createChance } from '../../sandbox/chance.ts'
import { forever, SimulatedTime } from '../../simulation/time.ts'

const signal = new AbortController().signal
const aTime = (seed = 1): SimulatedTime => new SimulatedTime(Date.UTC(2026, 0, 1), createChance(seed))

describe('simulated time', () => {
  it('moves to the next timer, in the order of time', async () => {
    const time = aTime()
    const seen: number[] = []
    await time.run(async () => {
      await Promise.all(
        [3_600_000, 5, 20].map(async (ms) => {
          await time.sleep(ms, signal)
          seen.push(time.now())
        }),
      )
    })
    expect(seen).toEqual([5, 20, 3_600_000])
    expect(time.wallTime()).toBe(Date.UTC(2026, 0, 1, 1))
  })

  it('orders what is due at the same moment by its chance, and the same chance orders it the same', async () => {
    const orderOf = async (seed: number): Promise<string> => {
      const time = aTime(seed)
      const seen: string[] = []
      const tasks = ['a', 'b', 'c', 'd'].map((name) => async () => {
        await time.sleep(10, signal)
        seen.push(name)
      })
      await time.run(async () => await Promise.all(tasks.map(async (task) => await task())))
      return seen.join('')
    }
    const orders = await Promise.all([1, 2, 3, 4, 5].map(async (seed) => await orderOf(seed)))
    expect(new Set(orders).size).toBeGreaterThan(1)
    expect(await orderOf(3)).toBe(orders[2])
  })

  it('stands still while a task reads a file, takes turns of the event loop, or works beside it', async () => {
    const time = aTime()
    const moments: number[] = []
    await time.run(async () => {
      const timer = time.sleep(1, signal)
      await readFile(import.meta.filename)
      moments.push(time.now())
      for (let count = 0; count < 20; count++) await turn()
      moments.push(time.now())
      await time.during(new Promise((resolve) => void setTimeout(resolve, 20)))
      moments.push(time.now())
      await timer
    })
    expect(moments).toEqual([0, 0, 0])
  })

  it('rejects a sleep with the reason of its signal, at once', async () => {
    const time = aTime()
    const controller = new AbortController()
    const told = time.run(async () => {
      time.at(7, () => {
        controller.abort(new Error('enough'))
      })
      await time.sleep(1_000, controller.signal)
    })
    await expect(told).rejects.toThrow('enough')
    expect(time.now()).toBe(7)
    await expect(time.sleep(1, controller.signal)).rejects.toThrow('enough')
  })

  it('cancels a timer, also one that is due at the same moment', async () => {
    const time = aTime()
    const seen: string[] = []
    await time.run(async () => {
      const cancels = ['a', 'b'].map((name) =>
        time.after(10, () => {
          seen.push(name)
          for (const cancel of cancels) cancel()
        }),
      )
      await time.pause(20)
    })
    expect(seen).toHaveLength(1)
  })

  it('ends a simulation in which nothing can wake the task: a timer of `after` keeps nothing alive', async () => {
    const time = aTime()
    const stuck = time.run(
      async () =>
        await new Promise<void>((resolve) => {
          time.after(10, resolve)
        }),
    )
    await expect(stuck).rejects.toThrow('every task waits')
  })

  it('keeps the order among a thousand timers, of which many are cancelled', async () => {
    const time = aTime()
    const chance = createChance(5)
    const seen: number[] = []
    await time.run(async () => {
      for (let count = 0; count < 1_000; count++) {
        const cancel = time.after(Math.floor(chance() * 300), () => seen.push(time.now()))
        if (chance() < 0.5) cancel()
      }
      await time.pause(300)
    })
    expect(seen.length).toBeGreaterThan(300)
    expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  })
})

describe('a wait without an end', () => {
  it('is one of its own, so that nothing keeps what has waited', () => {
    expect(forever()).not.toBe(forever())
  })
})
