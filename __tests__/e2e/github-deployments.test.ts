import { afterAll, describe, expect, it } from '@jest/globals'
import type { JobDeployment } from '../github-api/deployments.ts'
import { here, until } from '../places/here.ts'
import { INTEGRATION_ID, step } from './journey.ts'
import { endServers, serve } from './servers.ts'
import { aWorld, closed, endWorlds, onPullRequest, statesOf, warningsOf } from './world.ts'

afterAll(async () => {
  await endWorlds()
  await endServers()
})

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

  it.each([
    [503, 'unverified', 'the check of'],
    [200, 'unchanged', 'is unchanged'],
  ])(
    'are left as they are by a check of what is unchanged (%i): the comment says it',
    async (status, outcome, words) => {
      const world = await aWorld()
      await world.gitHub.seedPullRequest(7)
      const site = await serve((_request, response) => response.writeHead(status).end())
      const image = { source: 'internal_container', 'image-uri': 'r.example/agent:1', 'app-config-path': '' }
      const inputs = { ...image, preview: false, comment: true, environment: 'staging' }
      await onPullRequest(world, inputs)
      const check = { 'verify-url': site, 'verify-timeout': '2s', 'if-unchanged': 'skip' }
      const run = await onPullRequest(world, { ...inputs, ...check })
      expect(run.outputs).toMatchObject({ outcome, change: 'none' })
      expect(warningsOf(run)).toEqual([])
      expect(statesOf(world)).toEqual(['success'])
      expect((await world.gitHub.comments(7)).map(({ body }) => body.includes(words))).toEqual([true])
    },
  )

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
    const when = until(() => world.gitHub.requests.some(({ path }) => statuses.path.test(path)))
    const inputs = { preview: false, environment: 'staging' }
    const push = { event: { name: 'push' } }
    const run = await onPullRequest(world, inputs, { ...push, kill: { signal: 'SIGKILL', when } })
    expect(run.signal).toBe('SIGKILL')
    await onPullRequest(world, inputs, { ...push, phase: 'post', state: run.state })
    const states = world.gitHub.deployments().map((one) => one.statuses.map(({ state }) => state))
    expect(states).toEqual([['error']])
  })

  it('are not reported as ended by a post step that GitHub refuses', async () => {
    const script = { statuses: [{ status: 'BUILDING', ms: Infinity }] }
    const world = await aWorld({ sandbox: { script } })
    const when = until(() => world.gitHub.deployments()[0]?.statuses.at(-1)?.state === 'in_progress')
    const inputs = { preview: false, environment: 'staging' }
    const push = { event: { name: 'push' } }
    const run = await onPullRequest(world, inputs, { ...push, kill: { signal: 'SIGKILL', when } })
    world.gitHub.fail({ method: 'POST', path: /statuses/, status: 403 })
    const post = await onPullRequest(world, inputs, { ...push, phase: 'post', state: run.state })
    expect(warningsOf(post).join()).toContain('Could not report the end of the run to GitHub')
    expect(post.raw).not.toContain('Reported the end of the run')
  })

  it('of a killed fleet are ended by the post step, each with its own end, although GitHub refuses one', async () => {
    const world = await aWorld()
    const push = { event: { name: 'push' } }
    const job = { environment: 'staging', sha: 'a'.repeat(40) }
    for (const states of [['success'], ['in_progress'], ['in_progress'], ['in_progress']])
      world.gitHub.startJob({ ...job, states })
    const [, refused, ended, killed] = world.gitHub.deployments().map(({ id }) => id)
    const end = { state: 'success', description: 'us is deployed.', environmentUrl: 'https://us.example' }
    const open = {
      deploymentName: 'fleet.yml',
      startedAt: here().wallTime(),
      gitHubDeployments: [{ id: refused }, { id: ended, end }, { id: killed }].map((one) => ({
        ...one,
        keepsOthers: true,
      })),
    }
    world.gitHub.fail({ method: 'POST', path: /statuses/, status: 403, times: 1 })
    const state = { 'main-has-run': 'true', 'open-run': JSON.stringify(open) }
    const post = await onPullRequest(world, {}, { ...push, phase: 'post', state })
    expect(post.exitCode).toBe(0)
    expect(warningsOf(post).join()).toContain('Could not report the end of the run to GitHub')
    expect(post.raw).not.toContain('Reported the end of the run')
    // The success of one leaves the others as they are: all are in one environment.
    expect(world.gitHub.deployments().map(({ statuses }) => statuses.at(-1))).toEqual([
      expect.objectContaining({ state: 'success' }),
      expect.objectContaining({ state: 'in_progress' }),
      expect.objectContaining({ state: 'success', description: end.description, environment_url: end.environmentUrl }),
      expect.objectContaining({ state: 'error', description: expect.stringContaining('The run was stopped') }),
    ])
  })

  it.each([
    ['of a shard leaves those of other shards as they are', true, 'success'],
    ['of a rollout takes the place of the earlier one', false, 'inactive'],
  ])('whose end the run could not deliver gets it from the post step: that %s', async (_case, keepsOthers, earlier) => {
    const world = await aWorld()
    const job = { environment: 'staging', sha: 'a'.repeat(40) }
    for (const states of [['success'], ['in_progress']]) world.gitHub.startJob({ ...job, states })
    const [, own] = world.gitHub.deployments().map(({ id }) => id)
    const finalState = { comment: '', description: 'The fleet is deployed.', state: 'success' }
    const open = { deploymentName: 'f', startedAt: 0, finalState, gitHubDeployments: [{ id: own, keepsOthers }] }
    const state = { 'main-has-run': 'true', 'open-run': JSON.stringify(open) }
    await onPullRequest(world, {}, { event: { name: 'push' }, phase: 'post', state })
    expect(world.gitHub.deployments().map(({ statuses }) => statuses.at(-1)?.state)).toEqual([earlier, 'success'])
  })

  it('get the final state even if GitHub refuses an earlier one', async () => {
    const world = await aWorld()
    world.gitHub.fail({ method: 'POST', path: /statuses/, status: 422, times: 1 })
    const inputs = { preview: false, environment: 'staging' }
    const run = await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(warningsOf(run)).toHaveLength(1)
    const [deployment] = world.gitHub.deployments()
    expect(deployment?.statuses.at(-1)?.state).toBe('success')
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
  })

  it.each([
    ['BUILD_FAILED', 'failure'],
    ['INTERRUPTED', 'error'],
  ])('end a rollout that ends %s as %s', async (ends, state) => {
    const world = await aWorld({ sandbox: { script: { statuses: [{ status: ends, ms: 0 }] } } })
    await onPullRequest(world, { preview: false, environment: 'staging' }, { event: { name: 'push' } })
    expect(world.gitHub.deployments()[0]?.statuses.at(-1)?.state).toBe(state)
  })
})

/** The commit of the run: demo/runner/job-environment.ts. */
const SHA = '5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4'
/** That of the pull request, where GITHUB_SHA is that of the merge. */
const HEAD = 'd'.repeat(40)
const OURS = { full_name: 'octo-org/hello-agent' }
const push = { event: { name: 'push' } } as const
const inProduction = { preview: false, environment: 'production' }
const RUNNING = { environment: 'production', sha: SHA, states: ['queued', 'in_progress'] } as const

describe('the GitHub Deployment that GitHub has made for the job', () => {
  it('is used in place of one of its own, and GitHub ends it', async () => {
    const world = await aWorld()
    const end = world.gitHub.startJob(RUNNING)
    const run = await onPullRequest(world, inProduction, push)
    expect(warningsOf(run)).toEqual([])
    end('success')
    const [deployment, ...others] = world.gitHub.deployments()
    expect(others).toEqual([])
    expect(deployment?.payload).toEqual({})
    const states = deployment?.statuses.map(({ state }) => state)
    expect(states).toEqual(['queued', 'in_progress', 'in_progress', 'success', 'success'])
    expect(deployment?.statuses.at(-2)).toMatchObject({
      description: 'hello-agent is deployed.',
      environment_url: run.outputs['url'],
      log_url: 'https://github.com/octo-org/hello-agent/actions/runs/7351',
    })
  })

  it('is used for the head of a pull request, and by a second step of the job', async () => {
    const world = await aWorld()
    world.gitHub.startJob({ ...RUNNING, sha: HEAD, states: ['in_progress'] })
    const payload = { pull_request: { number: 7, state: 'open', head: { ref: 'x', sha: HEAD, repo: OURS } } }
    const around = { event: { name: 'pull_request', payload } }
    await onPullRequest(world, inProduction, around)
    await onPullRequest(world, { ...inProduction, name: 'other-agent' }, around)
    const [deployment, ...others] = world.gitHub.deployments()
    expect(others).toEqual([])
    expect(deployment?.statuses.map(({ description }) => description)).toEqual(
      expect.arrayContaining(['hello-agent is deployed.', 'other-agent is deployed.']),
    )
  })

  it('gets the failure of the rollout', async () => {
    const world = await aWorld({ sandbox: { script: { statuses: [{ status: 'BUILD_FAILED', ms: 0 }] } } })
    world.gitHub.startJob(RUNNING)
    await onPullRequest(world, inProduction, push)
    // A state of its progress may come before.
    expect(statesOf(world).at(-1)).toBe('failure')
  })

  it.each<[string, Partial<JobDeployment>]>([
    ['is of another run', { runId: '7350' }],
    ['is of a run whose number begins the same', { runId: '73510' }],
    ['is in another environment', { environment: 'staging' }],
    ['is for another commit', { sha: 'f'.repeat(40) }],
    ['has ended', { states: ['in_progress', 'success'] }],
    ['has no state of a job', { states: [] }],
  ])('is not used if it %s', async (_case, over) => {
    const world = await aWorld()
    world.gitHub.startJob({ ...RUNNING, ...over })
    await onPullRequest(world, inProduction, push)
    const [ofJob, own, ...others] = world.gitHub.deployments()
    expect(others).toEqual([])
    expect(ofJob?.statuses).toHaveLength((over.states ?? RUNNING.states).length)
    expect(own?.statuses.at(-1)?.state).toBe('success')
  })

  it('is not used for a rollout of another ref', async () => {
    const world = await aWorld()
    world.gitHub.startJob(RUNNING)
    await onPullRequest(world, { ...inProduction, 'repo-ref': 'release-2' }, push)
    expect(world.gitHub.deployments().map(({ ref }) => ref)).toEqual(['main', 'release-2'])
  })

  it('is left alone, with a notice, if several jobs of the run have one', async () => {
    const world = await aWorld()
    for (let job = 0; job < 2; job++) world.gitHub.startJob(RUNNING)
    const run = await onPullRequest(world, inProduction, push)
    expect(run.outputs['outcome']).toBe('deployed')
    const notices = run.annotations.filter(({ level }) => level === 'notice').map(({ message }) => message)
    expect(notices.filter((text) => text.includes('2 jobs of this run have a GitHub Deployment'))).toHaveLength(1)
    const states = world.gitHub.deployments().map(({ statuses }) => statuses.map(({ state }) => state))
    expect(states).toEqual([RUNNING.states, RUNNING.states])
  })

  it('is told from one that waits for an approval', async () => {
    const world = await aWorld()
    world.gitHub.startJob(RUNNING)
    world.gitHub.startJob({ ...RUNNING, states: ['waiting'] })
    await onPullRequest(world, inProduction, push)
    expect(statesOf(world)).toEqual(['success', 'waiting'])
  })

  it('is not known if GitHub does not return the list: then the action makes its own', async () => {
    const world = await aWorld()
    world.gitHub.startJob(RUNNING)
    world.gitHub.fail({ method: 'GET', path: /deployments\?.*sha=/, status: 403 })
    const run = await onPullRequest(world, inProduction, push)
    expect(warningsOf(run)).toEqual([])
    expect(run.raw).toContain('The action makes a GitHub Deployment of its own: could not look for')
    expect(statesOf(world)).toEqual(['in_progress', 'success'])
  })

  it('is ended by the post step if the run was killed', async () => {
    const world = await aWorld({ sandbox: { script: { statuses: [{ status: 'BUILDING', ms: Infinity }] } } })
    world.gitHub.startJob(RUNNING)
    const when = until(() => (world.gitHub.deployments()[0]?.statuses.length ?? 0) >= 3)
    const run = await onPullRequest(world, inProduction, { ...push, kill: { signal: 'SIGKILL', when } })
    expect(run.signal).toBe('SIGKILL')
    await onPullRequest(world, inProduction, { ...push, phase: 'post', state: run.state })
    const [deployment, ...others] = world.gitHub.deployments()
    expect(others).toEqual([])
    expect(deployment?.statuses.at(-1)).toMatchObject({
      state: 'error',
      description: 'The run was stopped; the rollout continues on the control plane.',
    })
  })

  it('is not retired with the earlier ones of a preview', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const inputs = { environment: 'preview', comment: false }
    world.gitHub.startJob({ ...RUNNING, environment: 'preview', runId: '7000' })
    await onPullRequest(world, inputs)
    await onPullRequest(world, inputs)
    await world.gitHub.closePullRequest(7)
    await onPullRequest(world, inputs, closed)
    expect(statesOf(world)).toEqual(['in_progress', 'inactive', 'inactive'])
  })
})
