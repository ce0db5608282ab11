import { expect, it } from '@jest/globals'
import { aSandbox, step, theError } from './stage.ts'

it('the root action with operation: teardown in a run of a pull request is refused, too', async () => {
  const sandbox = await aSandbox()
  const refused = await step(sandbox, { operation: 'teardown', name: 'agent' }, { event: { name: 'pull_request' } })
  expect(theError(refused)).toContain('To delete agent itself from a pull request: `confirm: agent`.')
  expect(sandbox.requests).toEqual([])
})
