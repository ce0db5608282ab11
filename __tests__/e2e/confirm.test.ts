import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunEvent } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { aSandbox, step, theError } from './stage.ts'

const IMAGE = { name: 'agent', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const EVENT: RunEvent = { name: 'pull_request' }

/** A sandbox in which the deployment serves its second revision. */
async function inProduction(): Promise<{ sandbox: Sandbox; id: string }> {
  const sandbox = await aSandbox()
  for (const image of ['registry.example/agent:1', 'registry.example/agent:2'])
    await step(sandbox, { ...IMAGE, 'image-uri': image })
  sandbox.requests.length = 0
  return { sandbox, id: String(sandbox.deployments()[0]?.['id']) }
}

const run = async (
  sandbox: Sandbox,
  action: string,
  inputs: Record<string, InputValue>,
  event = EVENT,
): Promise<ActionRun> => await step(sandbox, inputs, { action, event })

const writesOf = (sandbox: Sandbox): string[] =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method)
const namesOf = (sandbox: Sandbox): unknown[] => sandbox.deployments().map(({ name }) => name)

describe.each(['teardown', 'rollback'])('%s of what is no preview', (action) => {
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
  const refused = await step(sandbox, { operation: 'teardown', name: 'agent' }, { event: EVENT })
  expect(theError(refused)).toContain('To delete agent, set confirm: agent')
  expect(sandbox.requests).toEqual([])
})

it('a sweep needs no confirmation, and deletes no deployment but previews', async () => {
  const { sandbox } = await inProduction()
  const swept = await run(sandbox, 'teardown', { name: 'agent', 'closed-pull-requests': true })
  expect(swept.outputs['outcome']).toBe('nothing-to-tear-down')
  expect(namesOf(sandbox)).toEqual(['agent'])
})
