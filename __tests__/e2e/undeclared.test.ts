import { expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import { folderWith } from '../folders.ts'
import { aSandbox, everythingSaid, step, type Surroundings, theError, warningsOf } from './stage.ts'

const manifest = 'version: 1\ndeployments: [{ name: agent, source: internal_template }]'
const cwd = folderWith({ 'fleet.yml': manifest })

const EVENT = { name: 'pull_request' }

it.each<[string, string | undefined, Record<string, InputValue>, string]>([
  [
    'a fleet with confirm',
    'fleet',
    { manifest: 'fleet.yml', confirm: 'agent' },
    'confirm: "agent" has no effect on the operation fleet, so remove it; it is an input of rollback, teardown',
  ],
  [
    'a rollback with to',
    'rollback',
    { name: 'agent', preview: true, to: 'v1' },
    'to: is no input of the operation rollback; did you mean revision-id?',
  ],
  [
    'a request with dry-run',
    'request',
    { method: 'DELETE', path: '/v2/deployments/123e4567-e89b-12d3-a456-426614174000', 'dry-run': true },
    'dry-run: "true" has no effect on the operation request',
  ],
])('%s is an error before any request', async (_case, action, inputs, message) => {
  const sandbox = await aSandbox()
  const around: Surroundings = { cwd, event: EVENT, ...(action !== undefined && { action }) }
  const run = await step(sandbox, inputs, around)
  expect(run.exitCode).toBe(1)
  expect(theError(run)).toContain(message)
  expect(sandbox.requests).toEqual([])
})

it('names what other tools set, and inputs without effect, in one warning', async () => {
  const sandbox = await aSandbox()
  const inputs = { path: '/v2/deployments', environment: 'production' }
  const run = await step(sandbox, inputs, { action: 'request', env: { INPUT_PARAMETERS: 'a-private-value' } })
  expect(run.outputs['outcome']).toBe('answered')
  const [ofRunner, ...own] = warningsOf(run)
  expect(ofRunner).toContain('Unexpected input(s)')
  expect(own).toEqual([
    'Unknown inputs: parameters. Inputs that the operation request does not take: environment. They have no effect.',
  ])
  expect(everythingSaid(run)).not.toContain('a-private-value')
})
