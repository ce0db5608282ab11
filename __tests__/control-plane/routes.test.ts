import { expect, it } from '@jest/globals'
import * as routes from '../../src/control-plane/routes.ts'

const draft = { name: 'agent', source: 'git_host', settings: {} } as const

it.each([
  ['a creation', routes.createDeployment(draft)],
  ['a revision', routes.createRevision('one', draft, [])],
  ['a redeploy', routes.redeploy('one', 'earlier')],
  ['a PATCH', routes.updateDeployment('one', {})],
])('the caller of %s reads what is there right before each attempt', (_case, { request: { callerLooksFirst } }) => {
  expect(callerLooksFirst).toBe(true)
})
