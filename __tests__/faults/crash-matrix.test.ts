import { describe, expect, it } from '@jest/globals'
import { countRequests, runCell, SCENARIOS } from './crash-matrix.ts'
import { runFleetCell } from './fleet-matrix.ts'

describe('a rollout that is killed at any of its requests, and rerun', () => {
  it.each(Object.keys(SCENARIOS))('%s', async (scenario) => {
    const requests = await countRequests(scenario)
    for (let request = 0; request < requests; request++) {
      const cell = await runCell(scenario, request, 'before')
      expect(cell).toMatchObject({ request, violations: [] })
      // A read changes nothing.
      if (!cell.line.startsWith('GET'))
        expect(await runCell(scenario, request, 'after')).toMatchObject({ request, violations: [] })
    }
  })
})

describe('a fleet that is killed and rerun', () => {
  it.each([
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
