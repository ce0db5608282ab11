import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { fileURLToPath } from 'node:url'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { GitHubApi } from '../github-api/server.ts'
import { SIGNED_RANGE, startService, type Received, type Service, type ServiceOptions } from '../langsmith/service.ts'
import { here } from '../places/here.ts'
import { theError, type Surroundings } from './journey.ts'

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

  it('reports the address, whichever field has it', async () => {
    const service = await aService()
    const cloud = await step(service, GITHUB)
    expect(cloud.outputs['url']).toMatch(/^https:\/\/agent-/)
    const own = await step(service, { ...IMAGE, 'custom-url': 'https://box.example' })
    expect(own.outputs['url']).toBe('https://box.example')
  })
})

describe('an upload', () => {
  it.each([true, false])('has the header that its address is signed for (given: %s)', async (givesUploadHeaders) => {
    const service = await aService({ givesUploadHeaders })
    const run = await step(service, UPLOAD)
    expect(run.outputs['outcome']).toBe('deployed')
    const [put] = service.requests.filter(({ method }) => method === 'PUT')
    expect(put?.headers['x-goog-content-length-range']).toBe(SIGNED_RANGE)
    expect(service.refused).toEqual([])
  })
})

describe('a deployment that the service built', () => {
  it('repeats the branch, not the commit or the image that was built', async () => {
    const service = await aService()
    await step(service, GITHUB)
    service.requests.length = 0
    await step(
      service,
      { name: 'agent', 'repo-ref': '' },
      { event: { name: 'workflow_dispatch', ref: 'refs/heads/main' } },
    )
    await step(service, { name: 'agent' }, { event: { name: 'schedule', ref: 'refs/heads/main' } })
    expect(writesOf(service).map(({ body }) => body)).toEqual(
      Array(2).fill({
        revision_source: 'github',
        source_revision_config: { repo_ref: 'main', langgraph_config_path: 'langgraph.json' },
      }),
    )
    expect(service.refused).toEqual([])
  })

  it('counts as unknown, not as different, where it does not report a field', async () => {
    const service = await aService()
    const inputs = { ...GITHUB, 'install-command': 'npm ci' }
    await step(service, inputs)
    const again = await step(service, { ...inputs, 'dry-run': true })
    expect(fieldsOf(again)).toContainEqual({
      input: 'install-command',
      wanted: 'npm ci',
      difference: 'unknown',
      via: 'patch',
    })
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

describe('what the service cannot do is refused before any write', () => {
  it.each<[string, Record<string, InputValue>, RegExp]>([
    [
      'no deployment-type',
      { ...GITHUB, 'deployment-type': '' },
      /deployment-type: is required to create a deployment of source github: one of serverless, dedicated/,
    ],
    [
      'a type for an image',
      { ...IMAGE, 'deployment-type': 'dev' },
      /deployment-type: is not for source external_docker; it is for github/,
    ],
    ['an unknown source', { ...GITHUB, source: 'gitlab' }, /source: "gitlab" must be one of github, external_docker,/],
    ['a name', { ...GITHUB, name: '1_Agent' }, /name: "1_Agent" must be lower case letters, digits and -/],
    [
      'a resource spec',
      { ...IMAGE, 'resource-spec': '{redis_cpu: 9, redis_cpu_limit: 1}' },
      /resource-spec\.redis_cpu_limit: must be at least redis_cpu:/,
    ],
    [
      'a field under both names',
      { ...IMAGE, 'resource-spec': '{redis_cpu: 1, cache_cpu: 1}' },
      /resource-spec\.redis_cpu: must not be set together with cache_cpu/,
    ],
  ])('%s', async (_what, inputs, message) => {
    const service = await aService()
    const run = await step(service, inputs)
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toMatch(message)
    expect(writesOf(service)).toEqual([])
  })

  it('an emptied list of secrets', async () => {
    const service = await aService()
    await step(service, { ...GITHUB, secrets: 'KEY=hunter2-secret' })
    service.requests.length = 0
    const run = await step(service, { ...GITHUB, secrets: '{}', 'allow-secret-removal': true })
    expect(theError(run)).toContain('secrets: must not be empty: this service takes an empty list as no change')
    expect(writesOf(service)).toEqual([])
  })
})

describe('messages about the service', () => {
  it('warn of a long name on a self-hosted service', async () => {
    const service = await aService()
    const run = await step(service, { ...GITHUB, name: 'a-name-of-22-character' })
    expect(run.annotations).toContainEqual(
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('name has 22 characters') }),
    )
  })

  it('name the input for a listener that is missing', async () => {
    const service = await aService({ listeners: [LISTENER_ID, '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c44'] })
    const run = await step(service, IMAGE)
    expect(theError(run)).toContain('Set listener-id to one of the listeners that the message names')
  })

  it('say at the queue-timeout what a revision may wait for', async () => {
    const service = await aService({ isStuck: true })
    const run = await step(service, { ...GITHUB, 'queue-timeout': '1s' })
    expect(run.outputs['outcome']).toBe('timed-out')
    expect(theError(run)).toContain('check in the service whether one is stuck, and end it. Revision')
  })
})

describe('a teardown of one deployment', () => {
  it('leaves its tracing project, if not asked otherwise', async () => {
    const service = await aService()
    await step(service, GITHUB)
    const gone = await step(service, { name: 'agent' }, { action: 'teardown' })
    expect(gone.outputs['outcome']).toBe('torn-down')
    expect(linesOf(service).at(-1)).toBe('DELETE /v2/deployments/{id}')
    expect([...service.tracingProjects]).toEqual(['agent'])
  })
})

describe('a rollback', () => {
  it.each<[string, Record<string, InputValue>, Record<string, InputValue>]>([
    ['a redeploy', IMAGE, { 'image-uri': 'registry.example/agent:2' }],
    ['a revision', IMAGE, { 'image-uri': 'registry.example/agent:2', 'resource-spec': 'redis_cpu: 1' }],
    ['a redeploy of a tag', { ...GITHUB, 'repo-ref': 'refs/tags/v1' }, { 'repo-ref': 'refs/tags/v2' }],
  ])('restores the earlier revision by %s', async (how, inputs, change) => {
    const service = await aService()
    await step(service, inputs)
    service.requests.length = 0
    // The address answers before the rollout, and as soon as the revision of the rollback exists.
    const site = await here().serve((_request, response) => {
      response.writeHead(writesOf(service).length === 1 ? 500 : 200).end()
    })
    const run = await step(service, {
      ...inputs,
      ...change,
      'verify-url': `${site}/`,
      'verify-timeout': '3s',
      rollback: 'on-failure',
    })
    expect(run.outputs['outcome']).toBe('rolled-back')
    expect(linesOf(service).at(-1)).toMatch(how === 'a revision' ? /\/revisions$/ : /\/redeploy$/)
    expect(service.refused).toEqual([])
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

  it('leaves the tracing project where delete-tracing-project is false', async () => {
    const [service, gitHub] = [await aService(), await here().openGitHub()]
    opened.push(gitHub)
    await gitHub.seedPullRequest(7)
    await onPullRequest(service, gitHub, 'open')
    await gitHub.closePullRequest(7)
    await onPullRequest(service, gitHub, 'closed', { 'delete-tracing-project': false })
    expect([...service.tracingProjects]).toEqual(['agent-pr-7'])
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
