import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import type { AskedPullRequest } from '../github-api/graphql.ts'
import { here } from '../places/here.ts'
import { API_KEY, theError, type Surroundings } from './journey.ts'
import { rollOutFleet } from './fleets.ts'
import { again, endRuns, keep, revisionsOf } from './runs.ts'
import { aSandbox, endSandboxes } from './sandboxes.ts'
import { aWorld, endWorlds, namesIn, onPullRequest } from './world.ts'

/**
 * All actions with `api: langsmith` against the sandbox below /langsmith, whose names and habits are its own. A field
 * that the action translates wrongly is refused, or missing in the store.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'langsmith-sandbox-'))
writeFileSync(path.join(folder, 'langgraph.json'), '{}')

afterEach(async () => {
  await endRuns()
  await endSandboxes()
  await endWorlds()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function act(
  sandbox: Sandbox,
  inputs: Record<string, InputValue>,
  around: Surroundings = {},
): Promise<ActionRun> {
  const own = { api: 'langsmith', 'base-url': sandbox.publicUrl, 'api-key': API_KEY }
  return await again(sandbox, { ...own, ...inputs }, { cwd: folder, ...around })
}

const TYPED = { 'deployment-type': 'dev', 'app-config-path': 'langgraph.json' }
const GITHUB = { ...TYPED, name: 'agent', source: 'github' }
const IMAGE = { name: 'box', source: 'external_docker', 'image-uri': 'registry.example/agent:1' }
const UPLOAD = { ...TYPED, name: 'uploaded', source: 'internal_source' }

/** What the store has of the only deployment, in the words of the contract. */
const stored = (sandbox: Sandbox): unknown => sandbox.deployments()[0]

describe('the action rollout', () => {
  it.each<[string, Record<string, InputValue>, object]>([
    [
      'github',
      { ...GITHUB, 'install-command': 'npm ci' },
      {
        source: 'git_host',
        source_config: { build_on_push: false, install_command: 'npm ci' },
        source_revision_config: { repo_ref: 'main', app_config_path: 'langgraph.json' },
      },
    ],
    [
      'external_docker',
      { ...IMAGE, 'resource-spec': '{redis_cpu: 0.5, labels: {cache_owner: me}}', 'cluster-namespace': 'default' },
      {
        source: 'external_container',
        source_config: {
          listener_config: { cluster_namespace: 'default' },
          resource_spec: { cache_cpu: 0.5, labels: { cache_owner: 'me' } },
        },
      },
    ],
    [
      'internal_docker',
      { name: 'pushed', source: 'internal_docker', 'deployment-type': 'dev', 'image-uri': 'registry.example/a:1' },
      { source: 'internal_container', source_revision_config: { image_uri: 'registry.example/a:1' } },
    ],
    [
      'internal_source',
      UPLOAD,
      { source: 'internal_source', source_revision_config: { app_config_path: 'langgraph.json' } },
    ],
    ['internal_template', { name: 'made', source: 'internal_template', 'deployment-type': 'dev' }, {}],
  ])('creates and revises a deployment of %s', async (_source, inputs, contract) => {
    const sandbox = await aSandbox()
    const created = await act(sandbox, inputs)
    expect(created.raw).not.toContain('::error')
    expect(created.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    expect(stored(sandbox)).toMatchObject(contract)
    expect((await act(sandbox, inputs)).outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(sandbox.requests.filter(({ status }) => status >= 400)).toEqual([])
  })

  it('names listener-id where the workspace requires one', async () => {
    const sandbox = await aSandbox({ habits: { listenerRequired: true } })
    const run = await act(sandbox, { ...IMAGE, 'resource-spec': '{cpu: 1}' })
    // The sandbox has one listener, which the action finds.
    expect(run.outputs['outcome']).toBe('deployed')
    expect(stored(sandbox)).toMatchObject({ source_config: { listener_id: expect.any(String) } })
  })

  it('finds the built branch unchanged, where a revision shows its commit and its image', async () => {
    const sandbox = await aSandbox({ habits: { showsBuild: true } })
    await act(sandbox, GITHUB)
    sandbox.requests.length = 0
    await act(sandbox, { name: 'agent' })
    const bodies = sandbox.requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)
    expect(bodies).toEqual([
      {
        revision_source: 'github',
        source_revision_config: { repo_ref: 'main', langgraph_config_path: 'langgraph.json' },
      },
    ])
  })
})

describe('the type of a deployment', () => {
  const TEMPLATE = { name: 'made', source: 'internal_template' }

  it.each([
    ['serverless', 'dev_zero'],
    ['dedicated', 'prod'],
    ['dev_free', 'dev_free'],
  ])('%s is sent as %s, and any of its words fits later', async (word, sent) => {
    const sandbox = await aSandbox()
    const created = await act(sandbox, { ...TEMPLATE, 'deployment-type': word })
    expect(created.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    expect(created.raw).toMatch(new RegExp(`^  deployment-type +${word}$`, 'm'))
    expect(stored(sandbox)).toMatchObject({ source_config: { deployment_type: sent } })
    for (const type of [word, sent]) {
      const again = await act(sandbox, { ...TEMPLATE, 'deployment-type': type })
      expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    }
  })

  it('cannot change, and the message has the words of the service', async () => {
    const sandbox = await aSandbox()
    await act(sandbox, { ...TEMPLATE, 'deployment-type': 'serverless' })
    const run = await act(sandbox, { ...TEMPLATE, 'deployment-type': 'dedicated' })
    expect(theError(run)).toContain(
      `deployment-type: "dedicated" differs from the deployment's, which is "serverless" and cannot change after it is created`,
    )
  })
})

describe('a deployment whose name no new one can have', () => {
  const seed = (name: string) => ({
    name,
    source: 'external_container' as const,
    source_config: {},
    source_revision_config: { image_uri: 'registry.example/agent:1' },
    secrets: [],
  })

  it.each(['3klife-agent', 'An_odd.Name-of-more-than-21-characters'])(
    'is rolled out, waited for, rolled back and deleted: %s',
    async (name) => {
      const sandbox = await aSandbox({ seed: [seed(name)] })
      const next = { name, 'image-uri': 'registry.example/agent:2' }
      const rollout = await act(sandbox, next)
      const wait = await act(sandbox, { name }, { action: 'wait' })
      const rollback = await act(sandbox, { name, 'poll-interval': '0.2s' }, { action: 'rollback' })
      const teardown = await act(sandbox, { name }, { action: 'teardown' })
      const runs = [rollout, wait, rollback, teardown]
      expect(runs.map(({ outputs }) => outputs['outcome'])).toEqual(['deployed', 'deployed', 'deployed', 'torn-down'])
      expect(runs.flatMap(({ annotations }) => annotations.filter(({ message }) => message.includes('name')))).toEqual(
        [],
      )
    },
  )

  it('is refused before any write if it does not exist, except for a digit at the start', async () => {
    const sandbox = await aSandbox()
    expect((await act(sandbox, { ...IMAGE, name: '3klife-agent' })).outputs['outcome']).toBe('deployed')
    sandbox.requests.length = 0
    const run = await act(sandbox, { ...IMAGE, name: 'An_odd.Name' })
    expect(theError(run)).toContain(
      'name: "An_odd.Name" must be lower case letters, digits and -, and begin with a letter or a digit, to create a deployment',
    )
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('a preview build of the service itself', () => {
  /** Creates one, as the service does when a pull request is opened. */
  async function build({ publicUrl }: Sandbox, name: string): Promise<string> {
    const body = {
      ...{ name, source: 'external_docker', source_config: { resource_spec: {} }, secrets: [], is_preview: true },
      source_revision_config: { image_uri: 'registry.example/agent:1' },
    }
    const headers = { 'x-api-key': API_KEY }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const made: unknown = await (await here().fetch(`${publicUrl}/v2/deployments`, init)).json()
    return z.object({ id: z.string() }).parse(made).id
  }

  it('is found by its id, and by its name in no action', async () => {
    const sandbox = await aSandbox()
    const id = await build(sandbox, 'agent-pr-7')
    const next = { name: 'agent-pr-7', 'if-missing': 'fail', 'image-uri': 'registry.example/agent:2' }
    for (const [action, inputs] of [
      [undefined, next],
      ['wait', { name: 'agent-pr-7' }],
      ['rollback', { name: 'agent-pr-7' }],
    ] as const) {
      const run = await act(sandbox, inputs, action === undefined ? {} : { action })
      expect(theError(run)).toContain('name: "agent-pr-7" names no deployment that these credentials can see')
    }
    const teardown = await act(sandbox, { name: 'agent-pr-7' }, { action: 'teardown' })
    expect(teardown.outputs['outcome']).toBe('nothing-to-tear-down')
    expect(sandbox.requests.every(({ method }) => method !== 'DELETE')).toBe(true)
    const inputs = { api: 'langsmith', 'base-url': sandbox.publicUrl, 'dry-run': true }
    const fleet = keep(await rollOutFleet(sandbox, { deployments: [next] }, inputs))
    expect(fleet.raw).toContain('"agent-pr-7" names no deployment that these credentials can see')

    const byId = await act(sandbox, { 'deployment-id': id }, { action: 'wait' })
    expect(byId.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': 'agent-pr-7' })
    const deleted = await act(sandbox, { 'deployment-id': id }, { action: 'teardown' })
    expect(deleted.outputs['outcome']).toBe('torn-down')
  })

  it('is named where it has the name that a rollout wants', async () => {
    const sandbox = await aSandbox()
    await build(sandbox, 'box')
    const run = await act(sandbox, { ...IMAGE, timeout: '60s' })
    expect(theError(run)).toContain('Or a preview build of the service itself has the name: then choose another one.')
  })

  it('is neither counted as a preview nor swept', async () => {
    const world = await aWorld()
    const { sandbox, gitHub } = world
    await build(sandbox, 'hello-agent-pr-6')
    const own = { api: 'langsmith', 'base-url': sandbox.publicUrl }
    const preview = { ...own, 'deployment-type': 'serverless', 'max-previews': '1' }
    expect((await onPullRequest(world, preview)).outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    const isClosed: AskedPullRequest = { state: 'closed', merged: true, labels: [] }
    gitHub.keepPullRequests(new Map([6, 7].map((number) => [number, isClosed])))
    const sweep = { ...own, name: 'hello-agent', 'closed-pull-requests': true, 'github-token': gitHub.token }
    const around = { action: 'teardown', event: { name: 'schedule' }, env: { GITHUB_API_URL: gitHub.url } }
    expect((await again(sandbox, sweep, around)).outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual(['hello-agent-pr-6'])
  })
})

describe('a github deployment that another client has revised from an upload', () => {
  it('is revised from git again', async () => {
    const sandbox = await aSandbox()
    await act(sandbox, { ...GITHUB, 'if-unchanged': 'skip' })
    const path = `${sandbox.publicUrl}/v2/deployments/${String(sandbox.deployments()[0]?.['id'])}`
    const post = async (where: string, body: object): Promise<unknown> => {
      const init = { method: 'POST', headers: { 'x-api-key': API_KEY }, body: JSON.stringify(body) }
      return await (await here().fetch(path + where, init)).json()
    }
    const ticket = z.looseObject({ object_path: z.string() }).parse(await post('/upload-url', {}))
    const source_revision_config = { source_tarball_path: ticket.object_path }
    await post('/revisions', { revision_source: 'internal_source', source_revision_config })
    const run = await act(sandbox, { ...GITHUB, 'if-unchanged': 'skip' })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    const [, , newest] = revisionsOf(sandbox)
    expect(newest).toMatchObject({
      source: 'git_host',
      source_revision_config: { repo_ref: 'main', source_tarball_path: null },
    })
  })
})

describe('the action wait', () => {
  it('attaches to a revision that another job has started, and reports the address', async () => {
    const sandbox = await aSandbox({ speed: 8 })
    const { outputs } = await act(sandbox, { ...UPLOAD, wait: false })
    expect(outputs['outcome']).toBe('started')
    sandbox.requests.length = 0
    const waited = await act(sandbox, { name: 'uploaded', 'poll-interval': '0.05' }, { action: 'wait' })
    expect(waited.unexpectedInputs).toEqual([])
    expect(waited.outputs).toMatchObject({
      outcome: 'deployed',
      'revision-id': outputs['revision-id'],
      url: expect.stringMatching(/^https:\/\//),
    })
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('says what a revision in the queue may wait for', async () => {
    const sandbox = await aSandbox({ script: { statuses: [{ status: 'QUEUED', ms: Infinity }] } })
    await act(sandbox, { ...GITHUB, wait: false })
    const inputs = { name: 'agent', 'queue-timeout': '0.5', 'poll-interval': '0.05' }
    const waited = await act(sandbox, inputs, { action: 'wait' })
    expect(theError(waited)).toContain('A revision waits as QUEUED until the earlier ones of the deployment have ended')
  })
})

describe('the action teardown', () => {
  const teardown = { action: 'teardown' } as const

  it('says that a deletion continues, and a rollout meanwhile is refused', async () => {
    const sandbox = await aSandbox({ habits: { deleteMs: 60_000 } })
    await act(sandbox, GITHUB)
    const late = await act(sandbox, { name: 'agent', timeout: '0.5s' }, teardown)
    expect(theError(late)).toContain(
      'A deletion that was accepted continues on the control plane, and may take half an hour.',
    )
    sandbox.requests.length = 0
    const meanwhile = await act(sandbox, GITHUB)
    expect(theError(meanwhile)).toContain('name: "agent" is being deleted by the control plane')
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it.each([
    ['the tracing project', {}, 1, 'a deleted deployment has left its tracing project, which reserves the name'],
    ['nothing', { 'delete-tracing-project': true }, 0, undefined],
  ])('leaves %s of the name', async (_what, more, exitCode, hint) => {
    const sandbox = await aSandbox()
    await act(sandbox, GITHUB)
    expect((await act(sandbox, { name: 'agent', ...more }, teardown)).outputs['outcome']).toBe('torn-down')
    const again = await act(sandbox, { ...GITHUB, timeout: '60s' })
    expect(again.exitCode).toBe(exitCode)
    if (hint !== undefined) expect(theError(again)).toContain(hint)
  })
})

describe('the action request', () => {
  it.each([
    ['/v1/integrations/github/install', 200],
    ['/v2/listeners', 200],
    ['/v2/deployments', 200],
  ])('reads %s in the words of the service, without a notice', async (where, status) => {
    const run = await act(await aSandbox(), { path: where }, { action: 'request' })
    expect(run.outputs['response-status']).toBe(String(status))
    expect(run.annotations).toEqual([])
  })

  it('sets the size, with a revision that the action wait waits for', async () => {
    const sandbox = await aSandbox()
    const { outputs } = await act(sandbox, { ...GITHUB, 'deployment-type': 'dedicated' })
    const id = String(outputs['deployment-id'])
    const path = `/v2/deployments/${id}/deployment-tier`
    const sized = await act(
      sandbox,
      { method: 'PATCH', path, body: 'deployment_tier: DEDICATED_M' },
      { action: 'request' },
    )
    expect(sized.annotations).toEqual([])
    expect(JSON.parse(String(sized.outputs['response-body']))).toMatchObject({ deployment_tier: 'DEDICATED_M' })
    const waited = await act(sandbox, { 'deployment-id': id, 'poll-interval': '0.2s' }, { action: 'wait' })
    expect(waited.outputs).toMatchObject({ outcome: 'deployed', 'revision-id': revisionsOf(sandbox)[1]?.['id'] })
  })

  it('notices a route that the service does not have', async () => {
    const run = await act(
      await aSandbox(),
      { path: '/v1/integrations/gitlab/install', 'expect-status': '404' },
      { action: 'request' },
    )
    expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'notice' }))
  })
})
