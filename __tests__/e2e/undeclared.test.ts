import { expect, it } from '@jest/globals'
import { aSandbox, everythingSaid, step, warningsOf } from './stage.ts'

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
