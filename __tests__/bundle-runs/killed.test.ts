import { expect, it } from '@jest/globals'
import { onPullRequest } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'
import { INPUTS, isShown, stuck } from './stuck.ts'

await overSockets()

it('a process that is stopped by SIGKILL is finished by the post step', async () => {
  const world = await stuck()
  const run = await onPullRequest(world, INPUTS, { kill: { signal: 'SIGKILL', when: isShown(world) } })
  expect(run.signal).toBe('SIGKILL')
  const after = await onPullRequest(world, INPUTS, { phase: 'post', state: run.state })
  expect(after.exitCode).toBe(0)
  expect(world.gitHub.comments(7)[0]?.body).toContain('The revision continues on the control plane')
  expect(world.gitHub.deployments()[0]?.statuses.at(-1)?.state).toBe('error')
})
