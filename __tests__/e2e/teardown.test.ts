import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Fault } from '../../sandbox/faults.ts'
import { previewName } from '../../src/previews/preview-name.ts'
import { here } from '../places/here.ts'
import { step, theError } from './journey.ts'
import { endServers, serve } from './servers.ts'
import { API_KEY } from './journey.ts'
import { aWorld, endWorlds, namesIn, onPullRequest, openOnGitHub, statesOf, warningsOf, type World } from './world.ts'

const runs: ActionRun[] = []
afterAll(async () => {
  for (const run of runs.splice(0)) await run.dispose()
  await endWorlds()
})

async function tearDown({ sandbox, gitHub }: World, inputs: Record<string, InputValue>): Promise<ActionRun> {
  const run = await step(
    sandbox,
    { 'github-token': gitHub.token, ...inputs },
    { action: 'teardown', event: { name: 'schedule' }, env: { GITHUB_API_URL: gitHub.url } },
  )
  runs.push(run)
  return run
}

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

/** A preview that is built from a repository of eve. */
const ELSEWHERE = {
  'repo-url': 'https://github.com/eve/hello-agent',
  'repo-ref': 'main',
  'integration-id': '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11',
}

const resultsOf = (run: ActionRun): [string, string][] =>
  z
    .array(z.object({ 'deployment-name': z.string(), result: z.string() }))
    .parse(JSON.parse(run.outputs['results'] ?? '[]'))
    .map((one) => [one['deployment-name'], one.result])

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

  it('that does not exist passes, or fails if ignore-missing is false', async () => {
    const world = await withDeployments('agent-2')
    const unknown = '00000000-0000-4000-8000-000000000000'
    for (const target of [{ name: 'agent' }, { 'deployment-id': unknown }]) {
      const green = await tearDown(world, target)
      expect(green.exitCode).toBe(0)
      expect(green.outputs['outcome']).toBe('nothing-to-tear-down')
      const red = await tearDown(world, { ...target, 'ignore-missing': false })
      expect(theError(red)).toContain('ignore-missing is "false"')
    }
    expect(namesIn(world)).toEqual(['agent-2'])
  })

  it('that another client deleted ends its GitHub Deployments', async () => {
    const world = await withDeployments()
    await openOnGitHub(world, 'agent', 'other')
    const run = await tearDown(world, { name: 'agent', environment: 'preview' })
    expect(run.outputs['outcome']).toBe('nothing-to-tear-down')
    expect(statesOf(world)).toEqual(['inactive', undefined])
  })

  it('writes nothing with dry-run', async () => {
    const world = await withDeployments('agent')
    const run = await tearDown(world, { name: 'agent', 'dry-run': true })
    expect(run.outputs['outcome']).toBe('planned')
    expect(resultsOf(run)).toEqual([['agent', 'planned']])
    expect(run.raw).toContain('Would delete agent')
    expect(namesIn(world)).toEqual(['agent'])
  })

  it('distinguishes a control plane without the route from an unknown deployment', async () => {
    const world = await withDeployments('agent')
    for (const status of [404, 405]) {
      world.sandbox.setFaults([{ match: { method: 'DELETE' }, effect: { kind: 'status', status } }])
      const run = await tearDown(world, { name: 'agent' })
      expect(theError(run)).toContain('this control plane has no route to delete deployments')
      expect(run.outputs['outcome']).toBe('failed')
    }
  })

  it('does not rely on the response: a deployment that still exists is not deleted', async () => {
    const world = await withDeployments('agent')
    world.sandbox.setFaults([{ match: { method: 'DELETE' }, effect: { kind: 'status', status: 204 } }])
    const run = await tearDown(world, { name: 'agent', timeout: '10s' })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('timed-out')
    expect(namesIn(world)).toEqual(['agent'])
  })

  it('succeeds when the response is lost', async () => {
    const world = await withDeployments('agent')
    world.sandbox.setFaults([{ match: { method: 'DELETE' }, effect: { kind: 'drop', when: 'after' } }])
    const run = await tearDown(world, { name: 'agent' })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
  })

  it("may be a pull request's preview", async () => {
    const world = await withDeployments('agent-pr-7', 'agent-pr-71')
    await world.gitHub.seedPullRequest(7)
    const run = await tearDown(world, { name: 'agent', preview: true, 'pull-request': 7 })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual(['agent-pr-71'])
    expect(await world.gitHub.comments(7)).toHaveLength(1)
  })
})

describe('teardown of a deployment whose DELETE has no usable answer', () => {
  it.each<[string, Fault['effect']]>([
    ['500', { kind: 'act-then-status', status: 500 }],
    ['520 of a gateway', { kind: 'act-then-status', status: 520 }],
    ['a broken connection', { kind: 'drop', when: 'after' }],
  ])('looks before it reports a failure: %s', async (_case, effect) => {
    const tearingDown = [0, 1].map(async (retries) => {
      const world = await withDeployments('agent')
      world.sandbox.setFaults([{ match: { method: 'DELETE' }, effect }])
      const run = await tearDown(world, { name: 'agent', 'max-retries': retries })
      expect(run.outputs['outcome']).toBe('torn-down')
      expect(run.exitCode).toBe(0)
      expect(world.sandbox.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
    })
    await Promise.all(tearingDown)
  })

  it('repeats it if the deployment is still there', async () => {
    const world = await withDeployments('agent')
    world.sandbox.setFaults([{ match: { method: 'DELETE' }, effect: { kind: 'status', status: 500 } }])
    const run = await tearDown(world, { name: 'agent' })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
  })
})

describe('teardown of a deployment about which the control plane contradicts itself', () => {
  const LIST = { method: 'GET', path: '/v2/deployments' }
  const READ = { method: 'GET', path: '/v2/deployments/{deployment_id}' }
  const all = { name: 'agent', 'closed-pull-requests': true }
  const always = { times: Number.POSITIVE_INFINITY }

  async function withClosedPreview(): Promise<World> {
    const world = await withDeployments('agent', 'agent-pr-7')
    await world.gitHub.seedPullRequest(7)
    await world.gitHub.closePullRequest(7)
    return world
  }
  const deployment = ({ sandbox }: World): Record<string, unknown> => sandbox.deployments()[1] ?? {}
  const json = (value: unknown): Fault['effect'] => {
    return { kind: 'body', body: JSON.stringify(value), contentType: 'application/json' }
  }
  const steps: [string, Record<string, InputValue>][] = [
    ['by its name', { name: 'agent-pr-7' }],
    ['as a preview', { name: 'agent', preview: true, 'pull-request': 7, comment: false }],
    ['in a cleanup', all],
  ]

  it.each(steps)('deletes nothing if the id has another name than in the list, %s', async (_case, inputs) => {
    const world = await withClosedPreview()
    const renamed = { ...deployment(world), name: 'production' }
    world.sandbox.setFaults([{ match: READ, ...always, effect: json(renamed) }])
    const run = await tearDown(world, inputs)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('lists this id as agent-pr-7, and reads it as production')
    expect(world.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it.each(steps)('deletes nothing if the list has the id under two names, %s', async (_case, inputs) => {
    const world = await withClosedPreview()
    const resources = [deployment(world), { ...deployment(world), name: 'agent-pr-71' }]
    world.sandbox.setFaults([{ match: LIST, ...always, effect: json({ resources, offset: 2 }) }])
    const run = await tearDown(world, inputs)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('lists this id under 2 names: agent-pr-7, agent-pr-71')
    expect(world.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('deletes nothing if another deployment answers for a deployment-id', async () => {
    const world = await withClosedPreview()
    const [other, preview] = world.sandbox.deployments()
    world.sandbox.setFaults([{ match: READ, ...always, effect: json(other) }])
    const run = await tearDown(world, { 'deployment-id': String(preview?.['id']) })
    expect(run.outputs['outcome']).toBe('failed')
    expect(world.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  describe('with older-than', () => {
    const HOUR = 3_600_000
    const DAY = 24 * HOUR
    const at = (ms: number): string => new Date(ms).toISOString()
    const now = Math.floor(here().wallTime() / 1000) * 1000
    const old = at(now - 8 * DAY)
    interface Answers {
      updated: string | null
      revised?: string
      status?: string
      /** Of the server's clock, in milliseconds since the epoch; undefined: no header. */
      serverTime?: number | undefined
    }

    it.each<[string, Answers, string]>([
      ['an old one', { updated: old }, 'removed: not updated for 8 days'],
      ['a young one', { updated: at(now - HOUR) }, 'kept: pull request 7 is open'],
      ['the year 1', { updated: '0001-01-01T00:00:00Z' }, 'kept: its age is unknown: .* plausible time'],
      ['the epoch', { updated: '1970-01-01T00:00:00+00:00' }, 'kept: its age is unknown: .* plausible time'],
      ['no zone', { updated: old.replace('Z', '') }, 'kept: its age is unknown: .* plausible time'],
      ['a time to come', { updated: at(now + DAY) }, 'kept: its age is unknown: .* plausible time'],
      ['no text', { updated: 'yesterday' }, 'kept: its age is unknown: .* plausible time'],
      ['a revision under way', { updated: old, revised: old, status: 'BUILDING' }, 'kept: .* revision is BUILDING'],
      ['a young revision', { updated: old, revised: at(now - HOUR) }, 'kept: pull request 7 is open'],
      ['a revision without zone', { updated: old, revised: old.replace('Z', '') }, 'kept: its age is unknown'],
      ['a server a week behind', { updated: old, serverTime: now - 7 * DAY }, 'kept: pull request 7 is open'],
      [
        'a server a week ahead',
        { updated: at(now - DAY), serverTime: now + 7 * DAY },
        'kept: its age is unknown: the control plane does not report a plausible current time',
      ],
      ['a server in the year 1970', { updated: old, serverTime: 0 }, 'kept: its age is unknown: .* current time'],
    ])('judges %s by plausible times of the control plane', async (_case, answers, expected) => {
      const { updated, revised = updated, status = 'DEPLOYED', serverTime = now } = answers
      const world = await withDeployments('agent', 'agent-pr-7')
      await world.gitHub.seedPullRequest(7)
      const { id, latest_revision_id: latest } = deployment(world)
      const shown = { ...deployment(world), updated_at: updated, created_at: old }
      const [revision] = world.sandbox.revisions(String(id))
      const dated = (value: unknown): Fault['effect'] => {
        const headers = { date: new Date(serverTime).toUTCString() }
        return { kind: 'status', status: 200, headers, body: JSON.stringify(value), contentType: 'application/json' }
      }
      const READ_REVISION = { method: 'GET', path: new RegExp(`/revisions/${String(latest)}$`) }
      world.sandbox.setFaults([
        { match: LIST, effect: dated({ resources: [shown], offset: 1 }) },
        { match: READ, effect: dated(shown) },
        { match: READ_REVISION, effect: dated({ ...revision, status, created_at: revised, updated_at: revised }) },
      ])
      const run = await tearDown(world, { ...all, 'older-than': '7d' })
      const [only] = z
        .array(z.object({ result: z.string(), because: z.string() }))
        .parse(JSON.parse(run.outputs['results'] ?? '[]'))
      expect(`${only?.result}: ${only?.because}`).toMatch(new RegExp(expected))
      const isRemoved = expected.startsWith('removed')
      expect(namesIn(world)).toEqual(isRemoved ? ['agent'] : ['agent', 'agent-pr-7'])
      expect(run.outputs['outcome']).toBe(isRemoved ? 'torn-down' : 'nothing-to-tear-down')
    })
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
    await world.gitHub.seedPullRequest(5)
    await world.gitHub.seedPullRequest(7)
    await world.gitHub.closePullRequest(5)
    return world
  }

  it('deletes exactly those, and never anything else', async () => {
    const world = await withPreviews()
    const before = namesIn(world)
    const run = await tearDown(world, all)
    expect(run.exitCode).toBe(0)
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual(before.filter((name) => name !== 'agent-pr-5'))
    expect(resultsOf(run).sort()).toEqual([
      ['agent-pr-5', 'removed'],
      ['agent-pr-7', 'kept'],
      ['agent-pr-99', 'kept'],
    ])
    expect(run.summary).toContain('pull request 7 is open')
    expect(run.summary).toContain('this repository has no pull request 99')
    const again = await tearDown(world, all)
    expect(again.outputs['outcome']).toBe('nothing-to-tear-down')
  })

  it('keeps one whose pull request is reopened right before its deletion', async () => {
    const world = await withPreviews()
    const repo = { full_name: 'octo-org/hello-agent' }
    const seven = { number: 7, state: 'closed', head: { ref: 'x', sha: 'f'.repeat(40), repo }, base: { repo } }
    world.gitHub.fail({ path: /pulls\/7/, status: 200, body: seven, times: 1 })
    const before = namesIn(world)
    const run = await tearDown(world, all)
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual(before.filter((name) => name !== 'agent-pr-5'))
    expect(resultsOf(run)).toContainEqual(['agent-pr-7', 'kept'])
    expect(run.summary).toContain('pull request 7 is open')
  })

  it('fails if GitHub does not answer right before the deletion', async () => {
    const world = await withPreviews()
    const repo = { full_name: 'octo-org/hello-agent' }
    const five = { number: 5, state: 'closed', head: { ref: 'x', sha: 'f'.repeat(40), repo }, base: { repo } }
    world.gitHub.fail({ path: /pulls\/5/, status: 200, body: five, times: 1 })
    world.gitHub.fail({ path: /pulls\/5/, status: 403 })
    const before = namesIn(world)
    const run = await tearDown(world, all)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('GitHub did not report whether the pull request of 1 preview is closed')
    expect(namesIn(world)).toEqual(before)
  })

  it.each([undefined, '1s'])('keeps a deployment of another repository, with older-than %s', async (olderThan) => {
    const world = await anHourAgo()
    for (const number of [5, 7]) {
      await world.gitHub.seedPullRequest(number)
      const event = { name: 'pull_request', ref: `refs/pull/${number}/merge` }
      await onPullRequest(world, { name: 'agent', comment: false, ...(number === 5 ? ELSEWHERE : {}) }, { event })
      await world.gitHub.closePullRequest(number)
    }
    world.present()
    const run = await tearDown(world, { ...all, ...(olderThan === undefined ? {} : { 'older-than': olderThan }) })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual(['agent-pr-5'])
    expect(run.summary).toContain('built from github.com/eve/hello-agent, not from github.com/octo-org/hello-agent')
    const named = await tearDown(world, { ...all, 'repo-url': ELSEWHERE['repo-url'] })
    expect(named.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
  })

  it('lists them with dry-run', async () => {
    const world = await withPreviews()
    const before = namesIn(world)
    const run = await tearDown(world, { ...all, 'dry-run': true })
    expect(run.outputs['outcome']).toBe('planned')
    expect(resultsOf(run)).toContainEqual(['agent-pr-5', 'planned'])
    expect(namesIn(world)).toEqual(before)
  })

  it('deletes with older-than also those of open pull requests that were not updated for so long', async () => {
    const world = await withPreviews()
    const young = await tearDown(world, { ...all, 'older-than': '7d' })
    expect(resultsOf(young)).toContainEqual(['agent-pr-7', 'kept'])
    const old = await tearDown(world, { ...all, 'older-than': '1s' })
    expect(resultsOf(old).sort()).toEqual([
      ['agent-pr-7', 'removed'],
      ['agent-pr-99', 'removed'],
    ])
  })

  it('continues after one that cannot be deleted, and reports all', async () => {
    const world = await withPreviews()
    await world.gitHub.closePullRequest(7)
    const stuck = world.sandbox.deployments().find(({ name }) => name === 'agent-pr-5')?.['id']
    world.sandbox.setFaults([
      {
        match: { method: 'DELETE', path: new RegExp(String(stuck)) },
        times: Number.POSITIVE_INFINITY,
        effect: { kind: 'status', status: 403, body: '{"detail":"protected"}', contentType: 'application/json' },
      },
    ])
    const run = await tearDown(world, all)
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('1 of 2 deployments could not be deleted')
    expect(theError(run)).toContain('agent-pr-5: ')
    expect(resultsOf(run)).toContainEqual(['agent-pr-7', 'removed'])
    expect(namesIn(world)).not.toContain('agent-pr-7')
  })

  it('ends the GitHub Deployments of those that it deleted, also when others failed', async () => {
    const world = await withPreviews()
    await world.gitHub.closePullRequest(7)
    await openOnGitHub(world, 'agent', 'agent-pr-5', 'agent-pr-7')
    const stuck = world.sandbox.deployments().find(({ name }) => name === 'agent-pr-5')?.['id']
    const refused = { kind: 'status' as const, status: 403 }
    const match = { method: 'DELETE', path: new RegExp(String(stuck)) }
    world.sandbox.setFaults([{ match, times: Number.POSITIVE_INFINITY, effect: refused }])
    const run = await tearDown(world, { ...all, environment: 'preview' })
    expect(run.outputs['outcome']).toBe('failed')
    expect(statesOf(world)).toEqual([undefined, undefined, 'inactive'])
  })

  it('finds those of a long name, whether they had to be cut or not', async () => {
    const name = 'a'.repeat(57)
    const previews = [previewName(name, 5), previewName(name, 123)]
    const world = await withDeployments(name, ...previews)
    await world.gitHub.seedPullRequest(5)
    await world.gitHub.seedPullRequest(123)
    for (const number of [5, 123]) await world.gitHub.closePullRequest(number)
    await tearDown(world, { ...all, name })
    expect(namesIn(world)).toEqual([name])
    expect(previews.map((preview) => preview.startsWith(name))).toEqual([true, false])
  })

  it('leaves the GitHub Deployments of the deployment itself alone', async () => {
    const world = await withDeployments('agent')
    await openOnGitHub(world, 'agent')
    const run = await tearDown(world, { ...all, environment: 'preview' })
    expect(run.outputs['outcome']).toBe('nothing-to-tear-down')
    expect(statesOf(world)).toEqual([undefined])
  })

  it('updates the comments that exist, and creates none', async () => {
    const world = await aWorld()
    for (const number of [5, 7, 9]) await world.gitHub.seedPullRequest(number)
    const onPullRequestOf = async (number: number, comment: boolean) =>
      await onPullRequest(
        world,
        { name: 'agent', comment },
        { event: { name: 'pull_request', ref: `refs/pull/${number}/merge` } },
      )
    for (const number of [5, 7, 9]) await onPullRequestOf(number, number !== 9)
    for (const number of [5, 7, 9]) await world.gitHub.closePullRequest(number)
    const silent = await tearDown(world, { ...all, 'dry-run': true })
    expect(silent.outputs['outcome']).toBe('planned')
    const locked = { message: 'Unable to update comment because issue is locked.' }
    const [first] = await world.gitHub.comments(5)
    world.gitHub.fail({ method: 'PATCH', path: new RegExp(`/${first?.id}$`), status: 403, body: locked })
    const run = await tearDown(world, { ...all, comment: true })
    expect(run.outputs['outcome']).toBe('torn-down')
    const [second] = await world.gitHub.comments(7)
    expect(second?.body).toContain('### 🧹 agent-pr-7 is deleted.')
    expect(second?.body).not.toContain('agents.example')
    expect(await world.gitHub.comments(9)).toEqual([])
    expect(run.annotations.map(({ message }) => message)).toEqual([
      expect.stringMatching(/comment of a deleted preview could not be updated: .* conversation is locked/),
    ])
  })

  it.each([
    ['has one warning when it may not write', 'auto', 1],
    ['leaves the comments alone if comment is false', false, 0],
  ])(
    '%s',
    async (_case, comment, warnings) => {
      const world = await aWorld()
      for (const number of [5, 7]) {
        await world.gitHub.seedPullRequest(number)
        await onPullRequest(
          world,
          { name: 'agent' },
          { event: { name: 'pull_request', ref: `refs/pull/${number}/merge` } },
        )
        await world.gitHub.closePullRequest(number)
      }
      world.gitHub.fail({ method: 'PATCH', path: /comments/, status: 403 })
      const run = await tearDown(world, { ...all, comment })
      expect(run.outputs['outcome']).toBe('torn-down')
      expect(warningsOf(run)).toHaveLength(warnings)
      expect(warningsOf(run).join()).toMatch(warnings === 0 ? /^$/ : /"pull-requests: write"/)
      // The other one would be refused as well.
      const refused = world.gitHub.requests.filter(({ method, status }) => method === 'PATCH' && status === 403)
      expect(refused).toHaveLength(warnings)
    },
    60_000,
  )

  it('deletes nothing when GitHub does not report the state', async () => {
    const world = await withPreviews()
    const before = namesIn(world)
    world.gitHub.fail({ path: /pulls/, status: 403 })
    const run = await tearDown(world, all)
    expect(theError(run)).toContain('GitHub did not report whether the pull requests of 3 previews are closed')
    expect(warningsOf(run).join()).toContain('pull-requests: read')
    expect(namesIn(world)).toEqual(before)
  })

  it('fails a dry run when GitHub does not report the state, after the plan', async () => {
    const world = await withPreviews()
    world.gitHub.fail({ path: /pulls/, status: 403 })
    const run = await tearDown(world, { ...all, 'dry-run': true })
    expect(run.raw).toContain('Keeping agent-pr-5')
    expect(resultsOf(run)).toContainEqual(['agent-pr-5', 'kept'])
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain(
      'Nothing was deleted; GitHub did not report whether the pull requests of 3 previews',
    )
  })

  it('fails when GitHub does not report the state, also if old ones were deleted', async () => {
    const world = await anHourAgo()
    const inputs = { environment: 'preview', comment: false }
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world, inputs)
    world.present()
    world.gitHub.fail({ path: /pulls/, status: 403 })
    const run = await tearDown(world, { ...all, name: 'hello-agent', environment: 'preview', 'older-than': '1s' })
    expect(resultsOf(run)).toEqual([['hello-agent-pr-7', 'removed']])
    expect(namesIn(world)).toEqual([])
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain(
      'Deleted 1 deployment; GitHub did not report whether the pull request of 1 preview is closed',
    )
    // A deleted deployment does not serve, however the step ended.
    expect(world.gitHub.deployments().map(({ statuses }) => statuses.at(-1)?.state)).toEqual(['inactive'])
  })

  it('reads every page', async () => {
    const names = Array.from({ length: 105 }, (_, n) => `agent-pr-${1000 + n}`)
    const world = await withDeployments(...names)
    const run = await tearDown(world, { ...all, 'older-than': '0.001', timeout: '600s' })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
  })

  it.each<[string, Record<string, InputValue>, RegExp]>([
    [
      'a deployment-id',
      { name: '', 'deployment-id': '00000000-0000-4000-8000-000000000000' },
      /finds previews by name/,
    ],
    ['older-than alone', { 'closed-pull-requests': false, 'older-than': '7d' }, /only with closed-pull-requests/],
    ['an age that is none', { 'older-than': 'a week' }, /older-than: "a week" must be a duration/],
  ])('is refused with %s', async (_case, inputs, message) => {
    const world = await aWorld()
    expect(theError(await tearDown(world, { ...all, ...inputs }))).toMatch(message)
    expect(world.sandbox.requests).toEqual([])
  })
})

describe('a control plane whose word is not plausible', () => {
  const id = '11111111-1111-4111-8111-111111111111'
  afterAll(endServers)

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

  it.each(['Sat, 21 Nov 2099 00:00:00 GMT', '2099 GMT'])('deletes nothing by its time %s', async (date) => {
    const world = await withDeployments()
    const { url, methods } = await sweepOf({ date })
    await world.gitHub.seedPullRequest(7)
    const run = await tearDown(world, {
      'base-url': url,
      name: 'agent',
      'closed-pull-requests': true,
      'older-than': '7d',
    })
    expect(methods).not.toContain('DELETE')
    expect(resultsOf(run)).toEqual([['agent-pr-7', 'kept']])
    expect(run.outputs['results']).toContain('does not report a plausible current time')
  })

  it('reports a page in answer to DELETE as failed, and soon', async () => {
    const world = await withDeployments()
    const { url, methods } = await sweepOf({})
    const run = await tearDown(world, { 'base-url': url, name: 'agent-pr-7', timeout: '2m' })
    expect(methods).toContain('DELETE')
    expect(theError(run)).toContain('HTML or XML instead of JSON')
    expect(resultsOf(run)).toEqual([['agent-pr-7', 'failed']])
    expect(run.durationMs).toBeLessThan(30_000)
  })

  it('names no repository that contains a secret', async () => {
    const world = await withDeployments()
    const { url } = await sweepOf({}, `https://github.com/eve/${API_KEY.toUpperCase()}`)
    await world.gitHub.seedPullRequest(7)
    const run = await tearDown(world, { 'base-url': url, name: 'agent', 'closed-pull-requests': true })
    expect(run.outputs['results']).toContain('it is built from another address')
    expect(run.shown.join() + run.summary + JSON.stringify(run.outputs)).not.toMatch(new RegExp(API_KEY, 'i'))
  })
})
