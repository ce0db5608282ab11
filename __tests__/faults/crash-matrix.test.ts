import { describe, expect, it } from '@jest/globals'
import { countRequests, runCell, SCENARIOS } from './crash-matrix.ts'

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
