import { describe, expect, it } from '@jest/globals'
import { markerOf } from '../../src/github/comment.ts'
import { here } from '../places/here.ts'
import { aWorld, onPullRequest } from './stage.ts'

describe('the comment', () => {
  it('of a killed run shows no secret of its name', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const deploymentName = 'agent-hunter2-pr-7'
    const open = { deploymentName, startedAt: here().wallTime(), commentOn: 7 }
    const state = { 'main-has-run': 'true', 'open-run': JSON.stringify(open) }
    const post = await onPullRequest(world, { secrets: 'KEY=hunter2' }, { phase: 'post', state })
    const [comment] = world.gitHub.comments(7)
    expect(comment?.body).toContain(markerOf(deploymentName))
    expect(comment?.body).toContain('was stopped')
    expect(comment?.body).not.toContain('hunter2')
    expect(post.shown.join()).not.toContain('hunter2')
  })

  it('that the run could not write gets its text from the post step', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const finalState = { comment: 'The fleet is deployed.', description: '' }
    const open = { deploymentName: 'f', startedAt: here().wallTime(), commentOn: 7, finalState }
    const state = { 'main-has-run': 'true', 'open-run': JSON.stringify(open) }
    await onPullRequest(world, {}, { phase: 'post', state })
    const [comment] = world.gitHub.comments(7)
    expect(comment?.body).toContain('The fleet is deployed.')
    expect(comment?.body).not.toContain('was stopped')
  })

  it('shows the plan of a dry run, in the comment that the rollout then replaces', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const planned = await onPullRequest(world, {
      preview: false,
      comment: true,
      'dry-run': true,
      environment: 'staging',
      wait: false,
    })
    // Nor is there a notice that environment needs wait.
    expect(planned.annotations).toEqual([])
    const [shown, ...others] = world.gitHub.comments(7)
    expect(others).toEqual([])
    expect(shown?.body).toContain('📋 Planned hello-agent')
    expect(shown?.body).toContain(planned.outputs['plan-markdown'])
    expect(world.gitHub.deployments()).toEqual([])
    await onPullRequest(world, { preview: false, comment: true })
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

  it('is written without a preview if comment is true, and not with one if it is false', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    await onPullRequest(world, { comment: false })
    expect(world.gitHub.comments(7)).toEqual([])
    await onPullRequest(world, { preview: false, comment: true })
    expect(world.gitHub.comments(7)).toHaveLength(1)
  })
})
