import { afterAll, describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunEvent } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { theError } from './journey.ts'
import { again, endRuns } from './runs.ts'
import { aSandbox, endSandboxes } from './sandboxes.ts'

afterAll(async () => {
  await endRuns()
  await endSandboxes()
})

const IMAGE = { name: 'agent', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const pull_request = { number: 7, head: { ref: 'fix', sha: 'f'.repeat(40), repo: null } }
const OWNER = { author_association: 'OWNER' }

const EVENTS: RunEvent[] = [
  { name: 'pull_request', payload: { action: 'closed' } },
  { name: 'pull_request' },
  { name: 'pull_request_target', ref: 'refs/heads/main' },
  { name: 'pull_request_review', payload: { pull_request, review: OWNER } },
  { name: 'pull_request_review_comment', payload: { pull_request, comment: OWNER } },
  { name: 'issue_comment', payload: { issue: { number: 7, pull_request: {} }, comment: OWNER } },
  { name: 'workflow_run', payload: { workflow_run: { event: 'pull_request' } } },
  { name: 'workflow_dispatch', payload: { inputs: { 'pull-request': '7' } } },
]
const EVENT: RunEvent = { name: 'pull_request' }

/** A sandbox in which the deployment serves its second revision. */
async function inProduction(): Promise<{ sandbox: Sandbox; id: string }> {
  const sandbox = await aSandbox()
  for (const image of ['registry.example/agent:1', 'registry.example/agent:2'])
    await again(sandbox, { ...IMAGE, 'image-uri': image })
  sandbox.requests.length = 0
  return { sandbox, id: String(sandbox.deployments()[0]?.['id']) }
}

const run = async (
  sandbox: Sandbox,
  action: string,
  inputs: Record<string, InputValue>,
  event = EVENT,
): Promise<ActionRun> => await again(sandbox, inputs, { action, event })

const writesOf = (sandbox: Sandbox): string[] =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method)
const namesOf = (sandbox: Sandbox): unknown[] => sandbox.deployments().map(({ name }) => name)

describe.each(['teardown', 'rollback'])('%s of what is no preview', (action) => {
  const done = action === 'teardown' ? 'deleted' : 'rolled back'

  it.each(EVENTS)('is refused before any request on $name', async (event) => {
    const { sandbox, id } = await inProduction()
    for (const inputs of [{ name: 'agent' }, { 'deployment-id': id }]) {
      const refused = await run(sandbox, action, { ...inputs, comment: false }, event)
      expect(refused.exitCode).toBe(1)
      expect(refused.outputs['outcome']).toBe('failed')
      const error = theError(refused)
      expect(error).toContain(`would be ${done} itself, in a run that belongs to a pull request`)
      expect(error).toMatch(/preview: true.*set confirm/)
      expect(error).toContain('Nothing was written.')
    }
    expect(sandbox.requests).toEqual([])
    expect(namesOf(sandbox)).toEqual(['agent'])
  })

  it('of another id than confirmed is refused before any write', async () => {
    const { sandbox, id } = await inProduction()
    const refused = await run(sandbox, action, { 'deployment-id': id, confirm: 'agent-2' })
    expect(theError(refused)).toContain(
      `confirm: "agent-2" must be the exact name of the deployment ${id}, which is agent: if that is the one you mean, set confirm: agent; else correct deployment-id`,
    )
    expect(sandbox.requests.length).toBeGreaterThan(0)
    expect(writesOf(sandbox)).toEqual([])
  })

  it.each(['name', 'deployment-id'])('is done with confirm: %s', async (input) => {
    const { sandbox, id } = await inProduction()
    const target = { [input]: input === 'name' ? 'agent' : id }
    const confirmed = await run(sandbox, action, { ...target, confirm: 'agent' })
    expect(confirmed.unexpectedInputs).toEqual([])
    expect(confirmed.outputs['outcome']).toBe(action === 'teardown' ? 'torn-down' : 'deployed')
    expect(writesOf(sandbox)).toEqual([action === 'teardown' ? 'DELETE' : 'POST'])
  })
})

it('the root action with operation: teardown is refused, too', async () => {
  const { sandbox } = await inProduction()
  const refused = await again(sandbox, { operation: 'teardown', name: 'agent' }, { event: EVENT })
  expect(theError(refused)).toContain('To delete agent, set confirm: agent')
  expect(sandbox.requests).toEqual([])
})

it('a sweep needs no confirmation, and deletes no deployment but previews', async () => {
  const { sandbox } = await inProduction()
  const swept = await run(sandbox, 'teardown', { name: 'agent', 'closed-pull-requests': true })
  expect(swept.outputs['outcome']).toBe('nothing-to-tear-down')
  expect(namesOf(sandbox)).toEqual(['agent'])
})
