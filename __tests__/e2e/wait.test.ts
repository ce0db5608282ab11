import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import { countPolls, CREATE, step, travel } from './stage.ts'

const wait = async (...[sandbox, inputs]: Parameters<typeof step>): Promise<ActionRun> =>
  await step(sandbox, { 'poll-interval': '0.05', ...inputs }, { action: 'wait' })

const begun = { ...CREATE, wait: false }

describe('the action wait', () => {
  it('makes two jobs of one: attaches to what a rollout has begun, and reports it like one', async () => {
    const { sandbox, run } = await travel({ sandbox: { speed: 8 }, inputs: begun })
    sandbox.requests.length = 0
    const waited = await wait(sandbox, {
      'deployment-id': run.outputs['deployment-id'] ?? '',
      'revision-id': run.outputs['revision-id'] ?? '',
    })
    expect(waited.unexpectedInputs).toEqual([])
    expect(waited.outputs).toMatchObject({
      outcome: 'deployed',
      change: 'none',
      status: 'DEPLOYED',
      'revision-id': run.outputs['revision-id'],
    })
    expect(waited.outputs['url']).toMatch(/^https:\/\/hello-agent-/)
    expect(waited.summary).toContain('```mermaid')
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
    expect(countPolls(sandbox)).toBeGreaterThan(1)
  })
})
