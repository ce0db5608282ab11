import { expect, it } from '@jest/globals'
import {
  createDeploymentRequest,
  createRevisionRequest,
  redeployRequest,
  updateDeploymentRequest,
} from '../../src/control-plane/routes.ts'

const draft = { name: 'agent', source: 'git_host', settings: {} } as const

it.each([
  ['a creation', createDeploymentRequest(draft)],
  ['a revision', createRevisionRequest('one', draft)],
  ['a redeploy', redeployRequest('one', 'earlier')],
  ['a PATCH', updateDeploymentRequest('one', {})],
])('the caller of %s reads what is there right before each attempt', (_case, { looksFirst }) => {
  expect(looksFirst).toBe(true)
})
