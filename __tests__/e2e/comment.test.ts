import { afterAll, describe, expect, it } from '@jest/globals'
import { markerOf } from '../../src/github/comment.ts'
import { here } from '../places/here.ts'
import { aWorld, endWorlds, onPullRequest, warningsOf } from './world.ts'

afterAll(endWorlds)

describe('the comment', () => {
  it('is found among 120 older ones, and is never one of another author', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    for (let n = 0; n < 120; n++) await world.gitHub.comment(7, 'octocat', `comment ${n}`)
    const forged = `${markerOf('hello-agent-pr-7')}\nnot ours`
    await world.gitHub.comment(7, 'eve', forged)
    const first = await onPullRequest(world)
    expect(first.outputs['outcome']).toBe('deployed')
    await onPullRequest(world)
    const comments = await world.gitHub.comments(7)
    expect(comments).toHaveLength(122)
    expect(comments[120]).toMatchObject({ author: 'eve', body: forged })
    expect(comments[121]).toMatchObject({ author: 'github-actions[bot]' })
    expect(comments[121]?.body).toContain('is deployed')
  })

  it.each(['octocat', 'our-own-app[bot]'])('is found again if %s writes it', async (login) => {
    const world = await aWorld({ gitHub: { login } })
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    await onPullRequest(world)
    expect(await world.gitHub.comments(7)).toHaveLength(1)
  })

  it('is found without a question for the login of the token', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    await onPullRequest(world)
    expect(await world.gitHub.comments(7)).toHaveLength(1)
    const paths = world.gitHub.requests.map(({ path }) => path)
    expect(paths.filter((path) => path === '/user' || path === '/graphql')).toEqual([])
  })

  it('is written after the pause that GitHub demands', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const limit = { status: 403, headers: { 'retry-after': '2' }, body: { message: 'a secondary rate limit' } }
    world.gitHub.fail({ method: 'POST', path: /comments/, ...limit, times: 1 })
    const run = await onPullRequest(world)
    expect(warningsOf(run)).toEqual([])
    expect(run.raw).toContain('GitHub limits the rate of requests: trying again in 2 s.')
    expect((await world.gitHub.comments(7)).map(({ body }) => body.includes('is deployed'))).toEqual([true])
  })

  it('is created again after someone deleted it', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    const [comment] = await world.gitHub.comments(7)
    await world.gitHub.deleteComment(comment?.id ?? 0)
    await onPullRequest(world)
    expect(await world.gitHub.comments(7)).toHaveLength(1)
  })

  it.each([502, 'hang up'] as const)('is one even if the response to its creation is lost (%s)', async (status) => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    world.gitHub.fail({ method: 'POST', path: /comments/, status, isDone: true, times: 1 })
    const run = await onPullRequest(world)
    expect(warningsOf(run)).toEqual([])
    const comments = await world.gitHub.comments(7)
    expect(comments.map(({ body }) => body.includes('is deployed'))).toEqual([true])
  })

  it('of a killed run shows no secret of its name', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const deploymentName = 'agent-hunter2-pr-7'
    const open = { deploymentName, startedAt: here().wallTime(), commentOn: 7 }
    const state = { 'main-has-run': 'true', 'open-run': JSON.stringify(open) }
    const post = await onPullRequest(world, { secrets: 'KEY=hunter2' }, { phase: 'post', state })
    const [comment] = await world.gitHub.comments(7)
    expect(comment?.body).toContain(markerOf(deploymentName))
    expect(comment?.body).toContain('was stopped')
    expect(comment?.body).not.toContain('hunter2')
    expect(post.shown.join()).not.toContain('hunter2')
  })

  it('is one for each deployment', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    await onPullRequest(world, { name: 'support-agent' })
    expect(await world.gitHub.comments(7)).toHaveLength(2)
  })

  it('shows the plan of a dry run, in the comment that the rollout then replaces', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const planned = await onPullRequest(world, {
      preview: false,
      comment: true,
      'dry-run': true,
      environment: 'staging',
      wait: false,
    })
    // Nor is there a notice that environment needs wait.
    expect(planned.annotations).toEqual([])
    const [shown, ...others] = await world.gitHub.comments(7)
    expect(others).toEqual([])
    expect(shown?.body).toContain('📋 Planned hello-agent')
    expect(shown?.body).toContain(planned.outputs['plan-markdown'])
    expect(world.gitHub.deployments()).toEqual([])
    await onPullRequest(world, { preview: false, comment: true })
    const comments = await world.gitHub.comments(7)
    expect(comments.map(({ id, body }) => [id, body.includes('is deployed'), body.includes('Planned')])).toEqual([
      [shown?.id, true, false],
    ])
  })

  it('stays as it is in a dry run of the teardown of its preview', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    const before = await world.gitHub.comments(7)
    await world.gitHub.closePullRequest(7)
    // The event says that it is open: GitHub reports that it is closed, and the run becomes a teardown.
    const run = await onPullRequest(world, { 'dry-run': true })
    expect(run.outputs['outcome']).toBe('planned')
    expect((await world.gitHub.comments(7)).map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  })

  it('is written without a preview if comment is true, and not with one if it is false', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world, { comment: false })
    expect(await world.gitHub.comments(7)).toEqual([])
    await onPullRequest(world, { preview: false, comment: true })
    expect(await world.gitHub.comments(7)).toHaveLength(1)
  })
})
