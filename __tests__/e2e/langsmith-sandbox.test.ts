import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { API_KEY, theError, type Surroundings } from './journey.ts'
import { again, endRuns, revisionsOf } from './runs.ts'
import { aSandbox, endSandboxes } from './sandboxes.ts'
import { endWorlds } from './world.ts'

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
})

describe('the action request', () => {
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
})
