import { describe, expect, it } from '@jest/globals'
import { here } from '../places/here.ts'
import { API_KEY, aWorld, namesIn, onPullRequest, tearDown, type World } from './stage.ts'

/** A world whose clock is an hour back until `present`. */
async function anHourAgo(): Promise<World & { present: () => void }> {
  let backMs = 3_600_000
  const world = await aWorld({ sandbox: { now: () => here().wallTime() - backMs } })
  return { ...world, present: () => void (backMs = 0) }
}

/** A world with these deployments, an hour old; gives their ids. */
async function withDeployments(...names: string[]): Promise<World & { ids: string[] }> {
  const world = await anHourAgo()
  for (const name of names) {
    const answer = await here().fetch(`${world.sandbox.url}/v2/deployments`, {
      method: 'POST',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        source: 'internal_template',
        source_config: {},
        source_revision_config: {},
        secrets: [],
      }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const ids = world.sandbox.deployments().map(({ id }) => String(id))
  world.sandbox.requests.length = 0
  world.present()
  return { ...world, ids }
}

describe('teardown of one deployment', () => {
  it.each(['name', 'deployment-id'])('by its %s reports it once it is deleted', async (input) => {
    const world = await withDeployments('agent', 'agent-2')
    const run = await tearDown(world, { [input]: input === 'name' ? 'agent' : (world.ids[0] ?? '') })
    expect(run.exitCode).toBe(0)
    expect(run.unexpectedInputs).toEqual([])
    expect(run.outputs).toMatchObject({ outcome: 'torn-down', 'deployment-name': 'agent' })
    expect(namesIn(world)).toEqual(['agent-2'])
    const lines = world.sandbox.requests.map(({ method, route }) => `${method} ${route}`)
    expect(lines.slice(-2)).toEqual(['DELETE /v2/deployments/{deployment_id}', 'GET /v2/deployments/{deployment_id}'])
    expect(run.summary).toContain('## 🧹 agent is deleted.')
  })
})

describe('teardown of the previews of closed pull requests', () => {
  const all = { name: 'agent', 'closed-pull-requests': true }

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
})
