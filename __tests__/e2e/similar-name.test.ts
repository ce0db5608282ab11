import { afterAll, describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import { CREATE, requestsBesidePolls } from './journey.ts'
import { again, endRuns } from './runs.ts'
import { aSandbox, endSandboxes } from './sandboxes.ts'
import { endWorlds, warningsOf } from './world.ts'

afterAll(async () => {
  await endRuns()
  await endSandboxes()
  await endWorlds()
})

const TYPO = 'a new deployment helo-agent will be created, and hello-agent exists: check name for a typo.'

describe('a name that is similar to that of another deployment', () => {
  it.each<Record<string, InputValue>>([{}, { 'dry-run': true }])(
    'is a warning before the creation: %j',
    async (inputs) => {
      const sandbox = await aSandbox()
      await again(sandbox, CREATE)
      sandbox.requests.length = 0
      const run = await again(sandbox, { ...CREATE, name: 'helo-agent', ...inputs })
      expect(run.exitCode).toBe(0)
      expect(warningsOf(run)).toEqual([TYPO])
      // Not among the notes of the plan as well.
      expect(run.raw.split(TYPO)).toHaveLength(2)
      expect(run.summary).toContain('check name for a typo')
      expect(requestsBesidePolls(sandbox).slice(0, 2)).toEqual(['GET /v2/deployments', 'GET /v2/deployments'])
    },
  )
})
