import { describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import { aSandbox, CREATE, requestsBesidePolls, step, warningsOf } from './stage.ts'

const TYPO = 'a new deployment helo-agent will be created, and hello-agent exists: check name for a typo.'

describe('a name that is similar to that of another deployment', () => {
  it.each<Record<string, InputValue>>([{}, { 'dry-run': true }])(
    'is a warning before the creation: %j',
    async (inputs) => {
      const sandbox = await aSandbox()
      await step(sandbox, CREATE)
      sandbox.requests.length = 0
      const run = await step(sandbox, { ...CREATE, name: 'helo-agent', ...inputs })
      expect(run.exitCode).toBe(0)
      expect(warningsOf(run)).toEqual([TYPO])
      // Not among the notes of the plan as well.
      expect(run.raw.split(TYPO)).toHaveLength(2)
      expect(run.summary).toContain('check name for a typo')
      expect(requestsBesidePolls(sandbox).slice(0, 2)).toEqual(['GET /v2/deployments', 'GET /v2/deployments'])
    },
  )
})
