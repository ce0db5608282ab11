import { expect, it } from '@jest/globals'
import { aSandbox, CREATE, everythingSaid, step, theError, warningsOf } from './stage.ts'

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

it('does not roll out with an approval under a wrong name, which is empty', async () => {
  const sandbox = await aSandbox()
  const run = await step(sandbox, { ...CREATE, 'plan-digest': '' })
  expect(run.exitCode).toBe(1)
  expect(theError(run)).toContain(
    'plan-digest: is no input of the operation rollout; did you mean expect-plan? Rename or remove it in `with`, or as INPUT_PLAN-DIGEST in `env`',
  )
  expect(sandbox.deployments()).toEqual([])
})

it('does not roll out a fleet without the secrets that its step sets', async () => {
  const sandbox = await aSandbox()
  const run = await step(sandbox, { manifest: 'fleet.yml', secrets: 'A=a-private-value' }, { action: 'fleet' })
  expect(run.exitCode).toBe(1)
  expect(theError(run)).toContain(
    'secrets: has no effect on the operation fleet, so remove it; it is an input of rollout; in a fleet, set it in the manifest',
  )
  expect(everythingSaid(run)).not.toContain('a-private-value')
})
