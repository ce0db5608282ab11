import { describe, expect, it } from '@jest/globals'
import { runCell, SCENARIOS } from './crash-matrix.ts'
import { runFleetCell } from './fleet-matrix.ts'
import { runFleetInStorm } from './fleet-storm.ts'
import { isWrong, runInStorm, type StormRun } from './storm.ts'
import { ALL_STORIES, STORIES } from './stories.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

/** A short form; `npm run test:faults` runs all of it. */

describe('a rollout that is killed and rerun', () => {
  it.concurrent.each([
    ['create', 1, 'before'],
    ['create', 1, 'after'],
    ['create', 2, 'before'],
    ['patch and revise', 1, 'after'],
    ['patch and revise', 2, 'after'],
    ['own form', 1, 'after'],
    ['shareable', 2, 'before'],
    ['stranger', 2, 'before'],
    ['upload', 3, 'after'],
    ['upload', 4, 'after'],
    ['rollback', 3, 'after'],
    ['somebody in between', 2, 'before'],
    ['somebody in between', 2, 'after'],
    ['reactivates', 3, 'before'],
    ['reactivates', 3, 'after'],
    ['late activation', 5, 'after'],
  ] as const)('%s, at request %d, %s the server acted', async (scenario, request, when) => {
    expect(Object.keys(SCENARIOS)).toContain(scenario)
    const cell = await runCell(scenario, request, when)
    expect(cell.line).not.toBe('none')
    expect(cell.violations).toEqual([])
  })
})

describe('a fleet that is killed and rerun', () => {
  it.concurrent.each([
    ['a fleet, create', 4, 'after'],
    ['a fleet, mixed', 17, 'before'],
    ['a fleet, mixed', 30, 'after'],
    ['a fleet, renamed', 25, 'after'],
  ] as const)('%s, at request %d, %s the server acted', async (fleet, request, when) => {
    const cell = await runFleetCell(fleet, request, when)
    expect(cell.line).not.toBe('none')
    expect(cell.violations).toEqual([])
  })
})

describe('a storm of faults', () => {
  it.concurrent(
    'never makes a rollout report something untrue',
    async () => {
      const runs: StormRun[] = []
      for (let first = 0; first < 20; first += 5) {
        const some = [0, 1, 2, 3, 4].map(async (next) => await runInStorm(7, first + next))
        runs.push(...(await Promise.all(some)))
      }
      expect(runs.filter(isWrong)).toEqual([])
    },
    60_000,
  )

  it.concurrent(
    'never makes a fleet report something untrue',
    async () => {
      const fleets = await Promise.all([0, 3, 4].map(async (number) => await runFleetInStorm(7, number)))
      expect(fleets.flat().filter(isWrong)).toEqual([])
    },
    60_000,
  )
})

describe('a run with others, or with reruns', () => {
  it.concurrent.each(ALL_STORIES)(
    'never reports something untrue: %s',
    async (story) => {
      const { run, runs } = STORIES[story]
      const numbers = runs === 1 ? [0, 1, 2, 3] : [0]
      const ended = await Promise.all(numbers.map(async (number) => await run(7, number)))
      expect(ended.flat().filter(isWrong)).toEqual([])
    },
    60_000,
  )
})
