import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts'
import { API_KEY, step, theError, type Surroundings } from './journey.ts'

/**
 * All actions with `api: langsmith` against the sandbox below /langsmith, whose names and habits are its own. A field
 * that the action translates wrongly is refused, or missing in the store.
 */
const folder = mkdtempSync(path.join(tmpdir(), 'langsmith-sandbox-'))
writeFileSync(path.join(folder, 'langgraph.json'), '{}')

const sandboxes: Sandbox[] = []
const runs: ActionRun[] = []
afterEach(async () => {
  for (const run of runs.splice(0)) await run.dispose()
  for (const sandbox of sandboxes.splice(0)) await sandbox.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function aSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ speed: 400, ...options })
  sandboxes.push(sandbox)
  return sandbox
}

async function act(
  sandbox: Sandbox,
  inputs: Record<string, InputValue>,
  around: Surroundings = {},
): Promise<ActionRun> {
  const own = { api: 'langsmith', 'base-url': sandbox.publicUrl, 'api-key': API_KEY }
  const run = await step(sandbox, { ...own, ...inputs }, { cwd: folder, ...around })
  runs.push(run)
  return run
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
    const again = await act(sandbox, { ...GITHUB, timeout: '60s' }, { clockSpeed: 20 })
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

  it('notices a route that the service does not have', async () => {
    const run = await act(
      await aSandbox(),
      { path: '/v1/integrations/gitlab/install', 'expect-status': '404' },
      { action: 'request' },
    )
    expect(run.annotations).toContainEqual(expect.objectContaining({ level: 'notice' }))
  })
})
