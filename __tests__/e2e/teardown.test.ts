import { describe, expect, it } from '@jest/globals'
import { here } from '../places/here.ts'
import {
  API_KEY,
  aWorld,
  namesIn,
  onPullRequest,
  openOnGitHub,
  serve,
  statesOf,
  tearDown,
  type World,
} from './stage.ts'

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

  async function withPreviews(): Promise<World & { ids: string[] }> {
    const world = await withDeployments(
      'agent',
      'agent-pr-5',
      'agent-pr-7',
      'agent-pr-99',
      'my-agent-pr-5',
      'agent-pr-5-pr-5',
      'agent-pr-05',
      'agent-pr-5x',
    )
    world.gitHub.seedPullRequest(5)
    world.gitHub.seedPullRequest(7)
    world.gitHub.closePullRequest(5)
    return world
  }

  it('ends the GitHub Deployments of those that it deleted, also when others failed', async () => {
    const world = await withPreviews()
    world.gitHub.closePullRequest(7)
    await openOnGitHub(world, 'agent', 'agent-pr-5', 'agent-pr-7')
    const stuck = world.sandbox.deployments().find(({ name }) => name === 'agent-pr-5')?.['id']
    const refused = { kind: 'status' as const, status: 403 }
    const match = { method: 'DELETE', path: new RegExp(String(stuck)) }
    world.sandbox.setFaults([{ match, times: Number.POSITIVE_INFINITY, effect: refused }])
    const run = await tearDown(world, { ...all, environment: 'preview' })
    expect(run.outputs['outcome']).toBe('failed')
    expect(statesOf(world)).toEqual([undefined, undefined, 'inactive'])
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
})

describe('a control plane whose word is not plausible', () => {
  const id = '11111111-1111-4111-8111-111111111111'

  /** A control plane with one old preview. It answers DELETE with a page. */
  async function sweepOf(headers: Record<string, string>, repoUrl?: string) {
    const old = '2026-01-01T00:00:00Z'
    const preview = {
      id,
      name: 'agent-pr-7',
      source: 'git_host',
      source_config: { repo_url: repoUrl },
      latest_revision_id: id,
      updated_at: old,
    }
    const methods: string[] = []
    const address = await serve(({ method = '', url = '' }, response) => {
      methods.push(method)
      const answer = (body: unknown): void => void response.end(JSON.stringify(body))
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      if (method === 'DELETE') response.end('<h1>Log in</h1>')
      else if (url.includes('/revisions/')) answer({ id, status: 'DEPLOYED', created_at: old })
      else answer(url.startsWith('/v2/deployments?') ? { resources: [preview], offset: 1 } : preview)
    })
    return { url: address, methods }
  }

  it('names no repository that contains a secret', async () => {
    const world = await withDeployments()
    const { url } = await sweepOf({}, `https://github.com/eve/${API_KEY.toUpperCase()}`)
    world.gitHub.seedPullRequest(7)
    const run = await tearDown(world, { 'base-url': url, name: 'agent', 'closed-pull-requests': true })
    expect(run.outputs['results']).toContain('it is built from another address')
    expect(run.shown.join() + run.summary + JSON.stringify(run.outputs)).not.toMatch(new RegExp(API_KEY, 'i'))
  })
})
