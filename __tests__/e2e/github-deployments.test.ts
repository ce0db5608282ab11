import { afterEach, describe, expect, it } from '@jest/globals'
import { INTEGRATION_ID, step } from './journey.ts'
import { aWorld, closed, endWorlds, onPullRequest, warningsOf } from './world.ts'

afterEach(endWorlds)

describe('GitHub Deployments', () => {
  it('get the states queued, in_progress and success, with the address and the run', async () => {
    const world = await aWorld()
    const run = await onPullRequest(world, { preview: false, environment: 'production' }, { event: { name: 'push' } })
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

  it('have the ref that is built, and are not created for another repository', async () => {
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

  it.each(['javascript:alert(1)', 'agent.internal.example'])('do not link to %s', async (address) => {
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

  it('are found again after the response to their creation is lost', async () => {
    const world = await aWorld()
    world.gitHub.fail({ method: 'POST', path: /deployments$/, status: 502, isDone: true, times: 1 })
    const inputs = { preview: false, environment: 'staging' }
    const run = await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(warningsOf(run)).toEqual([])
    const ends = world.gitHub.deployments().map(({ statuses }) => statuses.at(-1)?.state)
    expect(ends).toEqual(['success'])
  })

  it('are ended by the post step if the run was killed before their first status', async () => {
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

  it('get the final state even if GitHub refuses an earlier one', async () => {
    const world = await aWorld()
    world.gitHub.fail({ method: 'POST', path: /statuses/, status: 422, times: 1 })
    const inputs = { preview: false, environment: 'staging' }
    const run = await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(warningsOf(run)).toHaveLength(1)
    const [deployment] = world.gitHub.deployments()
    expect(deployment?.statuses.map(({ state }) => state)).toEqual(['in_progress', 'success'])
  })

  it('are not created twice if GitHub refuses them', async () => {
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
    expect(run.annotations.map(({ message }) => message).join()).toContain('Set environment on the action wait')
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

  it('of a preview are transient, replace the earlier ones, and end with it', async () => {
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
