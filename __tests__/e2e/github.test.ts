import { describe, expect, it } from '@jest/globals'
import { aWorld, onPullRequest, warningsOf } from './stage.ts'

describe('a failure of GitHub', () => {
  it.each<[string, number, RegExp]>([
    ['a missing permission', 403, /pull-requests: write/],
    ['an Enterprise Server without the route', 404, /HTTP 404/],
    ['a token that is not accepted', 401, /does not accept github-token/],
  ])('does not fail a rollout: %s', async (_case, status, words) => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    world.gitHub.fail({ path: /comments/, status })
    world.gitHub.fail({ path: /deployments/, status })
    const run = await onPullRequest(world, { environment: 'preview' })
    expect(run.exitCode).toBe(0)
    expect(run.outputs['outcome']).toBe('deployed')
    const warnings = warningsOf(run)
    // There is but one token.
    expect(warnings).toHaveLength(status === 401 ? 1 : 2)
    expect(run.shown.find((line) => line.includes('pull-request comment could not'))).toMatch(words)
    if (status === 403) expect(warnings.join()).toContain('deployments: write')
  })

  it('is one warning if there is no token', async () => {
    const world = await aWorld()
    const run = await onPullRequest(world, { 'github-token': '' })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run)).toEqual([expect.stringContaining('github-token is empty')])
  })
})

describe('GitHub Enterprise Server', () => {
  it('works below its base address', async () => {
    const world = await aWorld({ gitHub: { ghes: true } })
    world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world, { environment: 'preview' })
    expect(warningsOf(run)).toEqual([])
    expect(world.gitHub.comments(7)).toHaveLength(1)
    expect(world.gitHub.deployments()).toHaveLength(1)
  })
})

describe('a run without credentials', () => {
  it('passes with a notice if on-missing-credentials is skip', async () => {
    const world = await aWorld()
    const run = await onPullRequest(world, { 'api-key': '', 'base-url': '', 'on-missing-credentials': 'skip' })
    expect(run.exitCode).toBe(0)
    expect(run.outputs['outcome']).toBe('skipped')
    expect(run.annotations.map(({ level }) => level)).toEqual(['notice'])
    expect(world.sandbox.requests).toEqual([])
    expect(world.gitHub.requests).toEqual([])
  })
})

describe('a rollout without comment and environment', () => {
  it('sends no request to GitHub', async () => {
    const world = await aWorld()
    const run = await onPullRequest(world, { preview: false }, { event: { name: 'push' } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(world.gitHub.requests).toEqual([])
  })
})
