import { describe, expect, it } from '@jest/globals'
import { idOf } from './fleets.ts'
import {
  API_KEY,
  aWorld,
  namesIn,
  ofRepository,
  ofTemplate,
  onPullRequest,
  openOnGitHub,
  statesOf,
  tearDown,
  type World,
} from './stage.ts'

/** A world with these deployments. */
const withDeployments = async (...names: string[]): Promise<World> =>
  await aWorld({ sandbox: { seed: names.map(ofTemplate) } })

describe('teardown of one deployment', () => {
  it.each(['name', 'deployment-id'])('by its %s reports it once it is deleted', async (input) => {
    const world = await withDeployments('agent', 'agent-2')
    const run = await tearDown(world, { [input]: input === 'name' ? 'agent' : idOf(world.sandbox, 'agent') })
    expect(run.exitCode).toBe(0)
    expect(run.unexpectedInputs).toEqual([])
    expect(run.outputs).toMatchObject({ outcome: 'torn-down', 'deployment-name': 'agent' })
    expect(namesIn(world)).toEqual(['agent-2'])
    const lines = world.sandbox.requests.map(({ method, route }) => `${method} ${route}`)
    expect(lines.slice(-2)).toEqual(['DELETE /v2/deployments/{deployment_id}', 'GET /v2/deployments/{deployment_id}'])
    expect(run.summary).toContain('## 🧹 agent is deleted.')
  })

  it("may be a pull request's preview", async () => {
    const world = await withDeployments('agent-pr-7', 'agent-pr-71')
    world.gitHub.seedPullRequest(7)
    const run = await tearDown(world, { name: 'agent', preview: true, 'pull-request': 7 })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual(['agent-pr-71'])
    expect(world.gitHub.comments(7)).toHaveLength(1)
  })
})

describe('teardown of the previews of closed pull requests', () => {
  const all = { name: 'agent', 'closed-pull-requests': true }

  it('ends the GitHub Deployments of those that it deleted, also when others failed', async () => {
    const others = ['agent-pr-99', 'my-agent-pr-5', 'agent-pr-5-pr-5', 'agent-pr-05', 'agent-pr-5x']
    const world = await withDeployments('agent', 'agent-pr-5', 'agent-pr-7', ...others)
    for (const number of [5, 7]) world.gitHub.seedPullRequest(number, { state: 'closed' })
    await openOnGitHub(world, 'agent', 'agent-pr-5', 'agent-pr-7')
    const refused = { kind: 'status' as const, status: 403 }
    const match = { method: 'DELETE', path: new RegExp(idOf(world.sandbox, 'agent-pr-5')) }
    world.sandbox.setFaults([{ match, times: Number.POSITIVE_INFINITY, effect: refused }])
    const run = await tearDown(world, { ...all, environment: 'preview' })
    expect(run.outputs['outcome']).toBe('failed')
    expect(statesOf(world)).toEqual([undefined, undefined, 'inactive'])
    expect(namesIn(world)).toEqual(['agent', 'agent-pr-5', ...others])
  })

  it('updates the comments that exist, and creates none', async () => {
    const world = await aWorld()
    for (const number of [5, 7, 9]) world.gitHub.seedPullRequest(number)
    const onPullRequestOf = async (number: number, comment: boolean) =>
      await onPullRequest(
        world,
        { name: 'agent', comment },
        { event: { name: 'pull_request', ref: `refs/pull/${number}/merge` } },
      )
    for (const number of [5, 7, 9]) await onPullRequestOf(number, number !== 9)
    for (const number of [5, 7, 9]) world.gitHub.closePullRequest(number)
    const silent = await tearDown(world, { ...all, 'dry-run': true })
    expect(silent.outputs['outcome']).toBe('planned')
    const locked = { message: 'Unable to update comment because issue is locked.' }
    const [first] = world.gitHub.comments(5)
    world.gitHub.fail({ method: 'PATCH', path: new RegExp(`/${first?.id}$`), status: 403, body: locked })
    const run = await tearDown(world, { ...all, comment: true })
    expect(run.outputs['outcome']).toBe('torn-down')
    const [second] = world.gitHub.comments(7)
    expect(second?.body).toContain('### 🧹 agent-pr-7 is deleted.')
    expect(second?.body).not.toContain('agents.example')
    expect(world.gitHub.comments(9)).toEqual([])
    expect(run.annotations.map(({ message }) => message)).toEqual([
      expect.stringMatching(/comment of a deleted preview could not be updated: .* conversation is locked/),
    ])
  })

  it('names no repository that contains a secret', async () => {
    const seed = [ofRepository('agent-pr-7', `eve/${API_KEY.toUpperCase()}`)]
    const world = await aWorld({ sandbox: { seed } })
    world.gitHub.seedPullRequest(7, { state: 'closed' })
    const run = await tearDown(world, all)
    expect(run.outputs['results']).toContain('it is built from another address')
    expect(run.shown.join() + run.summary + JSON.stringify(run.outputs)).not.toMatch(new RegExp(API_KEY, 'i'))
  })
})
