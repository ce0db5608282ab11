import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { folderWith } from '../folders.ts'
import { createBody, misplacedFields, updateBody, uploadBody } from '../langsmith/service-schemas.ts'
import { API_KEY, aSandbox, aWorld, closed, step, stepIn, type Surroundings, theError } from './stage.ts'

/**
 * All actions with `api: langsmith` against the sandbox below /langsmith, whose names and habits are its own. A field
 * that the action translates wrongly is refused, or missing in the store.
 */
const HABITS = { showsBuild: true, hidesListenerConfig: true }

const cwd = folderWith({ 'langgraph.json': '{"graphs": {"agent": "./agent.js:graph"}}', 'agent.js': '' })
const service = async (habits: object = HABITS): Promise<Sandbox> => await aSandbox({ habits })
const own = ({ publicUrl }: Sandbox) => ({ api: 'langsmith', 'base-url': publicUrl, 'api-key': API_KEY })
const act = async (
  sandbox: Sandbox,
  inputs: Record<string, InputValue>,
  around: Surroundings = {},
): Promise<ActionRun> => await step(sandbox, { ...own(sandbox), ...inputs }, { cwd, ...around })

const TYPED = { 'deployment-type': 'dev', 'app-config-path': 'langgraph.json' }
const GITHUB = { ...TYPED, name: 'agent', source: 'github' }
const IMAGE = { name: 'box', source: 'external_docker', 'image-uri': 'registry.example/agent:1' }
const UPLOAD = { ...TYPED, name: 'uploaded', source: 'internal_source' }

/** What the store has of the only deployment, in the words of the contract. */
const stored = (sandbox: Sandbox): unknown => sandbox.deployments()[0]
const writesTo = ({ requests }: Sandbox) =>
  requests.filter(({ method, route }) => method !== 'GET' && !route.startsWith('/object-store/'))

/** What is wrong with a body by the published description, which knows no other fields. */
const wrongIn = ({ method, route, body }: { method: string; route: string; body: unknown }): unknown[] => {
  const isCreate = method === 'POST' && route === '/v2/deployments'
  if (isCreate) return misplacedFields(createBody.parse(body))
  return (route.endsWith('/upload-url') ? uploadBody : updateBody).safeParse(body ?? {}).error?.issues ?? []
}

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
    const sandbox = await service()
    const created = await act(sandbox, inputs)
    expect(created.raw).not.toContain('::error')
    expect(created.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    expect(stored(sandbox)).toMatchObject(contract)
    expect((await act(sandbox, inputs)).outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(sandbox.requests.filter(({ status }) => status >= 400)).toEqual([])
    expect(writesTo(sandbox).flatMap(wrongIn)).toEqual([])
  })
})

describe('a preview', () => {
  it('is opened, closed with its tracing project, and opened again', async () => {
    const world = await aWorld({ sandbox: { habits: HABITS } })
    const { sandbox, gitHub } = world
    gitHub.seedPullRequest(7)
    const preview = { ...own(sandbox), ...GITHUB, preview: true, comment: false }
    const open = { cwd, event: { name: 'pull_request', payload: { action: 'opened' } } }
    expect((await stepIn(world, preview, open)).outputs).toMatchObject({ outcome: 'deployed' })
    gitHub.closePullRequest(7)
    const ended = await stepIn(world, preview, { cwd, ...closed })
    expect(ended.outputs['outcome']).toBe('torn-down')
    expect(ended.raw).toContain(' and its tracing project: pull request 7 is closed.')
    expect(writesTo(sandbox).at(-1)?.path).toMatch(/delete_tracing_project=true$/)
    expect(sandbox.deployments()).toEqual([])
    const other = await aWorld()
    other.gitHub.seedPullRequest(7)
    const again = await stepIn({ sandbox, gitHub: other.gitHub }, preview, open)
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
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
    expect(theError(meanwhile)).toMatch(
      /^agent is being deleted by the control plane\.\nServes \(as of [^]*\nNothing was written\./,
    )
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('the action request', () => {
  it('sends what the user writes, and knows the routes of the service', async () => {
    const sandbox = await service()
    const action = 'request'
    const run = await act(sandbox, { path: '/v1/integrations/github/install' }, { action })
    expect([run.outputs['response-status'], run.annotations]).toEqual(['200', []])
    const body = 'source: git_host'
    const refused = await act(sandbox, { method: 'POST', path: '/v2/deployments', body }, { action })
    expect(refused.outputs['response-status']).toBe('422')
    expect(writesTo(sandbox).at(-1)?.body).toEqual({ source: 'git_host' })
  })
})
