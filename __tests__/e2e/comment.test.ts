import { describe, expect, it } from '@jest/globals'
import { writesOf } from './fleets.ts'
import { aWorld, onPullRequest } from './stage.ts'

describe('the comment', () => {
  it('shows the plan of a dry run, which writes nothing else, and is replaced by that of the rollout', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const planned = await onPullRequest(world, { 'dry-run': true, environment: 'staging', wait: false })
    expect(planned.outputs['outcome']).toBe('planned')
    // Nor is there a notice that environment needs wait.
    expect(planned.annotations).toEqual([])
    expect(writesOf(world.sandbox)).toEqual([])
    const written = world.gitHub.requests.filter(({ method, path }) => method !== 'GET' && path !== '/graphql')
    expect(written).toMatchObject([{ method: 'POST', path: expect.stringMatching(/comments$/) }])
    const [shown] = world.gitHub.comments(7)
    expect(shown?.body).toContain('📋 Planned hello-agent-pr-7')
    expect(shown?.body).toContain(planned.outputs['plan-markdown'])
    await onPullRequest(world)
    const comments = world.gitHub.comments(7)
    expect(comments.map(({ id, body }) => [id, body.includes('is deployed'), body.includes('Planned')])).toEqual([
      [shown?.id, true, false],
    ])
  })

  it('stays as it is in a dry run of the teardown of its preview', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    const before = world.gitHub.comments(7)
    world.gitHub.closePullRequest(7)
    // The event says that it is open: GitHub reports that it is closed, and the run becomes a teardown.
    const run = await onPullRequest(world, { 'dry-run': true })
    expect(run.outputs['outcome']).toBe('planned')
    expect(world.gitHub.comments(7).map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  })
})
