import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { fileURLToPath } from 'node:url'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { GitHubApi } from '../github-api/server.ts'
import { startService, type Received, type Service, type ServiceOptions } from '../langsmith/service.ts'
import { here } from '../places/here.ts'
import { type Surroundings } from './journey.ts'

const LISTENER_ID = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'
const folder = mkdtempSync(path.join(tmpdir(), 'langsmith-'))
writeFileSync(path.join(folder, 'langgraph.json'), '{}')

const opened: GitHubApi[] = []
const runs: ActionRun[] = []
afterAll(async () => {
  for (const run of runs.splice(0)) await run.dispose()
  for (const one of opened.splice(0)) await one.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function aService(options?: Omit<ServiceOptions, 'serve' | 'now'>): Promise<Service> {
  const service = await startService({
    ...options,
    serve: async (listener) => await here().serve(listener),
    now: () => here().wallTime(),
  })
  return service
}

async function step(
  service: Service,
  inputs: Record<string, InputValue>,
  { action, ...around }: Surroundings = {},
): Promise<ActionRun> {
  const run = await here().run({
    action: action === undefined ? undefined : fileURLToPath(new URL(`../../${action}`, import.meta.url)),
    inputs: {
      api: 'langsmith',
      'base-url': service.url,
      'api-key': 'a-key',
      ...(action === undefined ? { 'poll-interval': '0.05' } : {}),
      timeout: '20s',
      'max-retries': '1',
      ...inputs,
    },
    cwd: folder,
    ...around,
  })
  runs.push(run)
  return run
}

const GITHUB = { name: 'agent', source: 'github', 'app-config-path': 'langgraph.json', 'deployment-type': 'dev' }
const IMAGE = { name: 'box', source: 'external_docker', 'image-uri': 'registry.example/agent:1' }
const UPLOAD = { ...GITHUB, name: 'uploaded', source: 'internal_source' }

const writesOf = ({ requests }: Service): Received[] =>
  requests.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/store/'))
const linesOf = (service: Service): string[] =>
  writesOf(service).map(({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}`)

const CREATE = 'POST /v2/deployments'
const REVISE = 'POST /v2/deployments/{id}/revisions'
const TICKET = 'POST /v2/deployments/{id}/upload-url'

describe('each source', () => {
  it.each<[string, Record<string, InputValue>, string[]]>([
    ['github', GITHUB, [CREATE]],
    ['git_host', { ...GITHUB, source: 'git_host' }, [CREATE]],
    ['external_docker', IMAGE, [CREATE]],
    ['external_container', { ...IMAGE, source: 'external_container' }, [CREATE]],
    ['internal_docker', { name: 'pushed', source: 'internal_docker', 'deployment-type': 'dev' }, [CREATE, REVISE]],
    ['internal_source', UPLOAD, [CREATE, TICKET, REVISE]],
    [
      'internal_template',
      { name: 'made', source: 'internal_template', 'deployment-type': 'dev', 'template-id': 'a-template' },
      [CREATE],
    ],
  ])('%s is created and revised', async (_source, inputs, writes) => {
    const service = await aService()
    const created = await step(service, { ...inputs, secrets: 'KEY=hunter2-secret' })
    expect(created.raw).not.toContain('::error')
    expect(created.outputs).toMatchObject({ outcome: 'deployed', change: 'created', status: 'DEPLOYED' })
    expect(linesOf(service)).toEqual(writes)
    const revised = await step(service, { ...inputs, secrets: 'KEY=another-secret' })
    expect(revised.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(service.refused).toEqual([])
  })

  it('sends the fields under their names', async () => {
    const service = await aService({ listeners: [LISTENER_ID] })
    const spec = '{cpu: 1, redis_cpu: 0.5, cache_memory_mb: 256, labels: {cache_owner: me, redis_cpu: x}}'
    await step(service, {
      ...IMAGE,
      'resource-spec': spec,
      'cluster-namespace': 'default',
      'custom-url': 'https://a.b',
    })
    await step(service, { ...GITHUB, 'install-command': 'npm ci' })
    expect(writesOf(service).map(({ body }) => body)).toMatchObject([
      {
        source: 'external_docker',
        source_config: {
          listener_id: LISTENER_ID,
          listener_config: { k8s_namespace: 'default' },
          resource_spec: {
            cpu: 1,
            redis_cpu: 0.5,
            redis_memory_mb: 256,
            labels: { cache_owner: 'me', redis_cpu: 'x' },
          },
        },
      },
      {
        source: 'github',
        source_config: { build_on_push: false, deployment_type: 'dev', install_command: 'npm ci' },
        source_revision_config: { repo_ref: 'main', langgraph_config_path: 'langgraph.json' },
      },
    ])
    expect(service.refused).toEqual([])
  })
})

const planSchema = z.object({
  source: z.string(),
  fields: z.array(z.object({ input: z.string() }).loose()),
  requests: z.array(z.object({ method: z.string(), path: z.string(), body: z.unknown().optional() })),
})
const planOf = (run: ActionRun) => planSchema.parse(JSON.parse(run.outputs['plan'] ?? ''))
const fieldsOf = (run: ActionRun) => planOf(run).fields

describe('a dry run', () => {
  it('shows the requests as the service would get them, and sends none', async () => {
    const service = await aService()
    const run = await step(service, { ...UPLOAD, 'dry-run': true })
    const { source, requests } = planOf(run)
    expect(source).toBe('internal_source')
    expect(requests.slice(0, 4)).toMatchObject([
      { method: 'POST', body: { source_revision_config: { langgraph_config_path: 'langgraph.json' } } },
      { method: 'POST', path: '/v2/deployments/{deployment_id}/upload-url', body: { supports_upload_headers: true } },
      { method: 'PUT', path: '{upload_url}' },
      {
        method: 'POST',
        body: {
          source_revision_config: { langgraph_config_path: 'langgraph.json', source_tarball_path: '{object_path}' },
        },
      },
    ])
    const image = await step(service, { ...IMAGE, 'resource-spec': 'redis_cpu: 0.5', 'dry-run': true })
    expect(planOf(image)).toMatchObject({
      source: 'external_docker',
      requests: [{ body: { source_config: { resource_spec: { redis_cpu: 0.5 } } } }, {}, {}],
    })
    expect(fieldsOf(image)).toContainEqual(
      expect.objectContaining({ input: 'resource-spec', wanted: { redis_cpu: 0.5 } }),
    )
    expect(image.raw).not.toMatch(/external_container|cache_cpu/)
    expect(writesOf(service)).toEqual([])
  })
})

describe('a preview', () => {
  const event = (state: 'open' | 'closed') => ({
    event: { name: 'pull_request', payload: { action: state === 'open' ? 'opened' : 'closed' } },
  })

  async function onPullRequest(service: Service, gitHub: GitHubApi, state: 'open' | 'closed', more = {}) {
    const inputs = { ...GITHUB, preview: true, comment: false, 'github-token': gitHub.token, ...more }
    return await step(service, inputs, { ...event(state), env: { GITHUB_API_URL: gitHub.url } })
  }

  it('is opened, closed with its tracing project, and opened again', async () => {
    const [service, gitHub] = [await aService(), await here().openGitHub()]
    opened.push(gitHub)
    await gitHub.seedPullRequest(7)
    expect((await onPullRequest(service, gitHub, 'open')).outputs).toMatchObject({ outcome: 'deployed' })
    await gitHub.closePullRequest(7)
    const closed = await onPullRequest(service, gitHub, 'closed')
    expect(closed.outputs['outcome']).toBe('torn-down')
    expect(closed.raw).toContain(' and its tracing project: pull request 7 is closed.')
    expect(linesOf(service).at(-1)).toBe('DELETE /v2/deployments/{id}?delete_tracing_project=true')
    expect([...service.tracingProjects]).toEqual([])
    expect(service.names()).toEqual([])
    const other = await here().openGitHub()
    opened.push(other)
    await other.seedPullRequest(7)
    const again = await onPullRequest(service, other, 'open')
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    expect(service.refused).toEqual([])
  })
})

describe('the action request', () => {
  it('sends what the user writes, and knows the routes of the service', async () => {
    const service = await aService()
    const action = 'request'
    const run = await step(service, { path: '/v1/integrations/github/install' }, { action })
    expect(run.outputs['response-status']).toBe('200')
    expect(run.annotations).toEqual([])
    const body = 'source: git_host'
    const refused = await step(service, { method: 'POST', path: '/v2/deployments', body }, { action })
    expect(refused.outputs['response-status']).toBe('422')
    expect(writesOf(service).at(-1)?.body).toEqual({ source: 'git_host' })
  })
})
