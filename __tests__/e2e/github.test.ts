import { afterEach, describe, expect, it } from '@jest/globals'
import { markerOf } from '../../src/github/comment.ts'
import { INTEGRATION_ID, step, theError } from './journey.ts'
import { aWorld, closed, endWorlds, onPullRequest, warningsOf } from './world.ts'

afterEach(endWorlds)

describe('the comment', () => {
  it('is found among 120 older ones, and is never that of somebody else', async () => {
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

  it.each(['octocat', 'our-own-app[bot]'])('is found again when %s writes it', async (login) => {
    const world = await aWorld({ gitHub: { login } })
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    await onPullRequest(world)
    expect(await world.gitHub.comments(7)).toHaveLength(1)
  })

  it('is written anew when it was deleted by hand', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    const [comment] = await world.gitHub.comments(7)
    await world.gitHub.deleteComment(comment?.id ?? 0)
    await onPullRequest(world)
    expect(await world.gitHub.comments(7)).toHaveLength(1)
  })

  it.each([502, 'hang up'] as const)(
    'is one when the answer to its creation is lost (%s)',
    async (status) => {
      const world = await aWorld()
      await world.gitHub.seedPullRequest(7)
      world.gitHub.fail({ method: 'POST', path: /comments/, status, isDone: true, times: 1 })
      const run = await onPullRequest(world)
      expect(warningsOf(run)).toEqual([])
      const comments = await world.gitHub.comments(7)
      expect(comments.map(({ body }) => body.includes('is deployed'))).toEqual([true])
    },
  )

  it('is one a deployment', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world)
    await onPullRequest(world, { name: 'support-agent' })
    expect(await world.gitHub.comments(7)).toHaveLength(2)
  })

  it('is kept without a preview when it is asked for, and not with one when it is not', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world, { comment: false })
    expect(await world.gitHub.comments(7)).toEqual([])
    await onPullRequest(world, { preview: false, comment: true })
    expect(await world.gitHub.comments(7)).toHaveLength(1)
  })
})

describe('GitHub Deployments', () => {
  it('go from queued over in_progress to success, and say where and how', async () => {
    const world = await aWorld()
    const run = await onPullRequest(
      world,
      { preview: false, environment: 'production' },
      { event: { name: 'push' } },
    )
    const [deployment] = world.gitHub.deployments()
    expect(deployment).toMatchObject({
      environment: 'production',
      auto_merge: false,
      required_contexts: [],
      transient_environment: false,
      production_environment: true,
      payload: { name: 'hello-agent' },
    })
    expect(deployment?.statuses.map(({ state }) => state)).toEqual(['queued', 'in_progress', 'success'])
    expect(deployment?.statuses.at(-1)).toMatchObject({
      environment_url: run.outputs['url'],
      log_url: 'https://github.com/octo-org/hello-agent/actions/runs/7351',
    })
    expect(world.gitHub.violations()).toEqual([])
  })

  it('are of the ref that is built, and of no other repository', async () => {
    const world = await aWorld()
    const inputs = { preview: false, environment: 'staging', 'repo-ref': 'release-2' }
    await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(world.gitHub.deployments().map(({ ref }) => ref)).toEqual(['release-2'])
    const other = { 'repo-url': 'https://github.com/acme/other', 'integration-id': INTEGRATION_ID }
    const run = await onPullRequest(world, { ...inputs, ...other, name: 'b' }, { event: { name: 'push' } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run).join()).toContain('built from https://github.com/acme/other')
    expect(world.gitHub.deployments()).toHaveLength(1)
  })

  it.each(['javascript:alert(1)', 'agent.internal.example'])('lead nobody to %s', async (address) => {
    const world = await aWorld()
    const inputs = { source: 'external_container', 'image-uri': 'x/y:1', 'app-config-path': '' }
    const run = await onPullRequest(
      world,
      { ...inputs, 'custom-url': address, preview: false, environment: 'staging' },
      { event: { name: 'push' } },
    )
    expect(warningsOf(run)).toEqual([])
    const last = world.gitHub.deployments()[0]?.statuses.at(-1)
    expect(last).toMatchObject({ state: 'success', environment_url: '' })
  })

  it('are found again when the answer to their creation is lost', async () => {
    const world = await aWorld()
    world.gitHub.fail({ method: 'POST', path: /deployments$/, status: 502, isDone: true, times: 1 })
    const inputs = { preview: false, environment: 'staging' }
    const run = await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(warningsOf(run)).toEqual([])
    const ends = world.gitHub.deployments().map(({ statuses }) => statuses.at(-1)?.state)
    expect(ends).toEqual(['success'])
  })

  it('are ended by the post step when the run was killed before their first status', async () => {
    const script = { statuses: [{ status: 'BUILDING', ms: Infinity }] }
    const world = await aWorld({ sandbox: { script } })
    const statuses = { method: 'POST', path: /statuses/ }
    world.gitHub.fail({ ...statuses, status: 503, times: 1 })
    const when = (async () => {
      while (!world.gitHub.requests.some(({ path }) => statuses.path.test(path)))
        await new Promise((resolve) => setTimeout(resolve, 20))
    })()
    const inputs = { preview: false, environment: 'staging' }
    const push = { event: { name: 'push' } }
    const run = await onPullRequest(world, inputs, { ...push, kill: { signal: 'SIGKILL', when } })
    expect(run.signal).toBe('SIGKILL')
    await onPullRequest(world, inputs, { ...push, phase: 'post', state: run.state })
    const states = world.gitHub.deployments().map((one) => one.statuses.map(({ state }) => state))
    expect(states).toEqual([['error']])
  })

  it('are told of the end also when GitHub does not take one status', async () => {
    const world = await aWorld()
    world.gitHub.fail({ method: 'POST', path: /statuses/, status: 422, times: 1 })
    const inputs = { preview: false, environment: 'staging' }
    const run = await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(warningsOf(run)).toHaveLength(1)
    const [deployment] = world.gitHub.deployments()
    expect(deployment?.statuses.map(({ state }) => state)).toEqual(['in_progress', 'success'])
  })

  it('are not opened twice when GitHub does not take them', async () => {
    const world = await aWorld()
    world.gitHub.fail({ method: 'POST', path: /deployments$/, status: 422 })
    const inputs = { preview: false, environment: 'staging' }
    const run = await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(warningsOf(run)).toHaveLength(1)
    expect(world.gitHub.requests.filter(({ path }) => path.endsWith('/deployments'))).toHaveLength(1)
  })

  it('are left to the action wait by a run that does not wait', async () => {
    const world = await aWorld({ sandbox: { speed: 10 } })
    const inputs = { preview: false, environment: 'production', wait: false }
    const run = await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(run.outputs['outcome']).toBe('started')
    expect(run.annotations.map(({ message }) => message).join()).toContain(
      'Give environment to the action wait',
    )
    expect(world.gitHub.deployments()).toEqual([])
    const waited = await step(
      world.sandbox,
      { 'github-token': world.gitHub.token, name: 'hello-agent', environment: 'production' },
      { action: 'wait', env: { GITHUB_API_URL: world.gitHub.url } },
    )
    await waited.dispose()
    const [deployment, ...more] = world.gitHub.deployments()
    expect(more).toEqual([])
    expect(deployment?.statuses.at(-1)?.state).toBe('success')
  })

  it('of a preview are transient, take the place of those before, and end with it', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const inputs = { environment: 'preview', comment: false }
    await onPullRequest(world, inputs)
    await onPullRequest(world, { ...inputs, name: 'other-agent' })
    await onPullRequest(world, inputs)
    const lastStates = () => world.gitHub.deployments().map(({ statuses }) => statuses.at(-1)?.state)
    expect(world.gitHub.deployments().every((one) => one.transient_environment)).toBe(true)
    expect(lastStates()).toEqual(['inactive', 'success', 'success'])
    await world.gitHub.closePullRequest(7)
    await onPullRequest(world, inputs, closed)
    expect(lastStates()).toEqual(['inactive', 'success', 'inactive'])
    expect(world.gitHub.violations()).toEqual([])
  }, 60_000)

  it.each([
    ['BUILD_FAILED', 'failure'],
    ['INTERRUPTED', 'error'],
  ])('end a rollout that ends %s as %s', async (ends, state) => {
    const world = await aWorld({ sandbox: { script: { statuses: [{ status: ends, ms: 0 }] } } })
    await onPullRequest(world, { preview: false, environment: 'staging' }, { event: { name: 'push' } })
    expect(world.gitHub.deployments()[0]?.statuses.at(-1)?.state).toBe(state)
  })
})

describe('what GitHub does not allow', () => {
  it.each<[string, number, RegExp]>([
    ['a missing permission', 403, /pull-requests: write/],
    ['an Enterprise Server without the route', 404, /HTTP 404/],
    ['a token that is not accepted', 401, /does not accept github-token/],
  ])('never fails a rollout: %s', async (_case, status, words) => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
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

  it('is told once for each permission that a token lacks which may nothing', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    world.gitHub.fail({ path: /./, status: 403 })
    const run = await onPullRequest(world, { environment: 'preview' })
    expect(run.outputs['outcome']).toBe('deployed')
    const warnings = warningsOf(run)
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('"pull-requests: write"')
    expect(warnings[1]).toContain('"deployments: write"')
    expect(run.raw).not.toContain('pull-requests: read')
    expect(run.raw).toContain('The pull-request comment could not be kept')
  })

  it('asks only to read where no comment is wanted', async () => {
    const world = await aWorld()
    world.gitHub.fail({ path: /./, status: 403 })
    const run = await onPullRequest(world, { comment: false })
    expect(warningsOf(run).map((text) => /"pull-requests: \w+"/.exec(text)?.[0])).toEqual([
      '"pull-requests: read"',
    ])
  })

  it('is waited for when it is a short rate limit', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const headers = { 'retry-after': '1' }
    const body = { message: 'You have exceeded a secondary rate limit.' }
    world.gitHub.fail({ method: 'POST', path: /comments/, status: 403, headers, body, times: 1 })
    const run = await onPullRequest(world)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run)).toEqual([])
    expect(await world.gitHub.comments(7)).toHaveLength(1)
  })

  it('is not waited for when it would take long', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const headers = { 'retry-after': '3600' }
    const body = { message: 'You have exceeded a secondary rate limit.' }
    world.gitHub.fail({ path: /comments/, status: 429, headers, body })
    const run = await onPullRequest(world)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.durationMs).toBeLessThan(20_000)
    expect(warningsOf(run)).toHaveLength(1)
  })

  it('is told once when there is no token', async () => {
    const world = await aWorld()
    const run = await onPullRequest(world, { 'github-token': '' })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run)).toEqual([expect.stringContaining('github-token is empty')])
  })

  it('works below the base address of an Enterprise Server', async () => {
    const world = await aWorld({ gitHub: { ghes: true } })
    await world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world, { environment: 'preview' })
    expect(warningsOf(run)).toEqual([])
    expect(await world.gitHub.comments(7)).toHaveLength(1)
    expect(world.gitHub.deployments()).toHaveLength(1)
  })
})

describe('a run without credentials', () => {
  it('ends green with a notice where that was foreseen', async () => {
    const world = await aWorld()
    const run = await onPullRequest(world, {
      'api-key': '',
      'base-url': '',
      'on-missing-credentials': 'skip',
    })
    expect(run.exitCode).toBe(0)
    expect(run.outputs['outcome']).toBe('skipped')
    expect(run.annotations.map(({ level }) => level)).toEqual(['notice'])
    expect(world.sandbox.requests).toEqual([])
    expect(world.gitHub.requests).toEqual([])
  })

  it('fails where it was not', async () => {
    const world = await aWorld()
    const run = await onPullRequest(world, { 'api-key': '' })
    expect(theError(run)).toContain('on-missing-credentials: skip')
  })
})

describe('a rollout that tells GitHub nothing', () => {
  it('asks it nothing', async () => {
    const world = await aWorld()
    const run = await onPullRequest(world, { preview: false }, { event: { name: 'push' } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(world.gitHub.requests).toEqual([])
  })
})
