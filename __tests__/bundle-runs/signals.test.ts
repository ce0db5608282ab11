import { describe, expect, it } from '@jest/globals'
import { aWorld, onPullRequest, type World } from '../e2e/stage.ts'
import { overSockets, until } from '../places/here.ts'

await overSockets()

const INPUTS = { environment: 'preview' }

/** A preview whose build never ends. */
async function stuck(): Promise<World> {
  const world = await aWorld({ sandbox: { script: { statuses: [{ status: 'BUILDING', ms: Infinity }] } } })
  world.gitHub.seedPullRequest(7)
  return world
}

/** Resolves when the comment and the GitHub Deployment show that the rollout is under way. */
async function isShown({ gitHub }: World): Promise<void> {
  const isCommented = (): boolean => gitHub.comments(7).length > 0
  await until(isCommented)
  await until(() => gitHub.deployments()[0]?.statuses.at(-1)?.state === 'in_progress')
}

describe('a process that is stopped', () => {
  it('by SIGINT ends as cancelled, and leaves the post step nothing to do', async () => {
    const world = await stuck()
    const run = await onPullRequest(world, INPUTS, { kill: { signal: 'SIGINT', when: isShown(world) } })
    expect(run.outputs['outcome']).toBe('cancelled')
    const { length } = world.gitHub.requests
    const after = await onPullRequest(world, INPUTS, { phase: 'post', state: run.state })
    expect(after.exitCode).toBe(0)
    expect(world.gitHub.requests).toHaveLength(length)
    expect(world.gitHub.comments(7)[0]?.body).toContain('The rollout of hello-agent-pr-7 was cancelled')
  })

  it('by SIGKILL is finished by the post step', async () => {
    const world = await stuck()
    const run = await onPullRequest(world, INPUTS, { kill: { signal: 'SIGKILL', when: isShown(world) } })
    expect(run.signal).toBe('SIGKILL')
    const after = await onPullRequest(world, INPUTS, { phase: 'post', state: run.state })
    expect(after.exitCode).toBe(0)
    expect(world.gitHub.comments(7)[0]?.body).toContain('The revision continues on the control plane')
    expect(world.gitHub.deployments()[0]?.statuses.at(-1)?.state).toBe('error')
  })
})
