import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import { aSandbox, countPolls, CREATE, step, theError, travel } from './stage.ts'

const wait = async (...[sandbox, inputs]: Parameters<typeof step>): Promise<ActionRun> =>
  await step(sandbox, { 'poll-interval': '0.05', ...inputs }, { action: 'wait' })

const DEPLOYMENT = '123e4567-e89b-12d3-a456-426614174000'
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

  it('waits for the revision of a commit, and ends if there is none', async () => {
    const { sandbox, run } = await travel({ inputs: CREATE })
    const target = { 'deployment-id': run.outputs['deployment-id'] ?? '' }
    const commit = run.outputs['commit-sha'] ?? ''
    const waited = await wait(sandbox, { ...target, commit })
    expect(waited.outputs).toMatchObject({ outcome: 'deployed', 'revision-id': run.outputs['revision-id'] })
    const missing = await wait(sandbox, { ...target, commit: 'f'.repeat(40), 'queue-timeout': '1m' })
    expect(missing.outputs['outcome']).toBe('timed-out')
    expect(missing.raw).toContain('Looking for the newest revision of fffffff, for at most 1 m 00 s.')
    expect(theError(missing)).toContain(
      `Timed out after 1 m 00 s: hello-agent has no revision of fffffff (the newest is of ${commit.slice(0, 7)}).\nServes (as of `,
    )
  })

  it.each([
    [
      'with revision-id',
      { commit: 'f'.repeat(40), 'revision-id': DEPLOYMENT },
      'must not be set together with revision-id',
    ],
    ['if it is short', { commit: 'fffffff' }, 'must be the full SHA of a commit'],
    ['if it is empty', { commit: '' }, 'is empty: the output or input that it comes from is not set'],
  ])('refuses a commit %s, before any request', async (_case, inputs, message) => {
    const sandbox = await aSandbox()
    const run = await wait(sandbox, { 'deployment-id': DEPLOYMENT, ...inputs })
    expect(theError(run)).toContain(message)
    expect(sandbox.requests).toEqual([])
  })
})
