import { describe, expect, it } from '@jest/globals'
import { markerOf } from '../../src/notes/comment-head.ts'
import { here } from '../places/here.ts'
import { aWorld, closed, noticesOf, onPullRequest, serve, statesOf, step, warningsOf } from './stage.ts'

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
    expect(world.gitHub.violations).toEqual([])
  })

  it.each([
    [503, 'unverified', 'the check of'],
    [200, 'unchanged', 'is unchanged'],
  ])(
    'are left as they are by a check of what is unchanged (%i): the comment says it',
    async (status, outcome, words) => {
      const world = await aWorld()
      world.gitHub.seedPullRequest(7)
      const site = await serve((_request, response) => response.writeHead(status).end())
      const image = { source: 'internal_container', 'image-uri': 'r.example/agent:1', 'app-config-path': '' }
      const inputs = { ...image, preview: false, confirm: 'hello-agent', comment: true, environment: 'staging' }
      await onPullRequest(world, inputs)
      const check = { 'verify-url': site, 'verify-timeout': '2s', 'if-unchanged': 'skip' }
      const run = await onPullRequest(world, { ...inputs, ...check })
      expect(run.outputs).toMatchObject({ outcome, change: 'none' })
      expect(warningsOf(run)).toEqual([])
      expect(statesOf(world)).toEqual(['success'])
      expect(world.gitHub.comments(7).map(({ body }) => body.includes(words))).toEqual([true])
    },
  )

  it('of a killed fleet are ended by the post step with its comment, each with its own end, although GitHub refuses one', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const job = { environment: 'staging', sha: 'a'.repeat(40) }
    for (const states of [['success'], ['in_progress'], ['in_progress'], ['in_progress']])
      world.gitHub.startJob({ ...job, states })
    const [, refused, ended, killed] = world.gitHub.deployments().map(({ id }) => id)
    const end = { state: 'success', description: 'us is deployed.', environmentUrl: 'https://us.example' }
    const left = [{ id: refused }, { id: ended, end }, { id: killed }]
    const open = {
      deploymentName: 'agent-hunter2-pr-7',
      startedAt: here().wallTime(),
      commentOn: 7,
      gitHubDeployments: left.map((one) => ({ ...one, keepsOthers: true })),
    }
    world.gitHub.fail({ method: 'POST', path: /statuses/, status: 403, times: 1 })
    const state = { 'main-has-run': 'true', 'open-run': JSON.stringify(open) }
    const post = await onPullRequest(world, { secrets: 'KEY=hunter2' }, { phase: 'post', state })
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
    const [comment] = world.gitHub.comments(7)
    expect(comment?.body).toContain(markerOf(open.deploymentName))
    expect(comment?.body).toContain('was stopped')
    expect(comment?.body).not.toContain('hunter2')
    expect(post.shown.join()).not.toContain('hunter2')
  })

  it('are left to the action wait by a run that does not wait', async () => {
    const world = await aWorld({ sandbox: { speed: 10 } })
    const inputs = { preview: false, environment: 'production', wait: false }
    const run = await onPullRequest(world, inputs, { event: { name: 'push' } })
    expect(run.outputs['outcome']).toBe('started')
    const message = expect.stringContaining('Set environment on the action wait')
    expect(run.annotations).toEqual([expect.objectContaining({ level: 'notice', title: 'hello-agent', message })])
    expect(world.gitHub.deployments()).toEqual([])
    await step(
      world.sandbox,
      { 'github-token': world.gitHub.token, name: 'hello-agent', environment: 'production' },
      { action: 'wait', env: { GITHUB_API_URL: world.gitHub.url } },
    )
    const [deployment, ...more] = world.gitHub.deployments()
    expect(more).toEqual([])
    expect(deployment?.statuses.at(-1)?.state).toBe('success')
  })

  it('of a preview are transient, replace the earlier ones, and end with it', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const inputs = { environment: 'preview', comment: false }
    await onPullRequest(world, inputs)
    await onPullRequest(world, { ...inputs, name: 'other-agent' })
    await onPullRequest(world, inputs)
    expect(world.gitHub.deployments().every((one) => one.transient_environment)).toBe(true)
    expect(statesOf(world)).toEqual(['inactive', 'success', 'success'])
    world.gitHub.closePullRequest(7)
    await onPullRequest(world, inputs, closed)
    expect(statesOf(world)).toEqual(['inactive', 'success', 'inactive'])
    expect(world.gitHub.violations).toEqual([])
  })
})

/** The commit of the run: demo/runner/job-environment.ts. */
const SHA = '5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4'
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

  it('is left alone, with a notice, if several jobs of the run have one', async () => {
    const world = await aWorld()
    for (let job = 0; job < 2; job++) world.gitHub.startJob(RUNNING)
    const run = await onPullRequest(world, inProduction, push)
    expect(run.outputs['outcome']).toBe('deployed')
    const notices = noticesOf(run)
    expect(notices.filter((text) => text.includes('2 jobs of this run have a GitHub Deployment'))).toHaveLength(1)
    const states = world.gitHub.deployments().map(({ statuses }) => statuses.map(({ state }) => state))
    expect(states).toEqual([RUNNING.states, RUNNING.states])
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

  it('is not retired with the earlier ones of a preview', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const inputs = { environment: 'preview', comment: false }
    world.gitHub.startJob({ ...RUNNING, environment: 'preview', runId: '7000' })
    await onPullRequest(world, inputs)
    await onPullRequest(world, inputs)
    world.gitHub.closePullRequest(7)
    await onPullRequest(world, inputs, closed)
    expect(statesOf(world)).toEqual(['in_progress', 'inactive', 'inactive'])
  })
})
