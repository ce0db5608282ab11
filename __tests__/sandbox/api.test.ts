import { afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts'

const INTEGRATION = '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11'
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const SPEC = { cpu: 1, memory_mb: 1024 }

const git = {
  name: 'agent',
  source: 'git_host',
  source_config: { integration_id: INTEGRATION, repo_url: 'https://git.example/a/b' },
  source_revision_config: { repo_ref: 'main', app_config_path: 'app.json' },
  secrets: [{ name: 'KEY', value: 'hunter2' }],
}
const box = {
  name: 'box',
  source: 'external_container',
  source_config: {},
  source_revision_config: { image_uri: 'a/b:1' },
  secrets: [],
}
const answerSchema = z.object({ status: z.number(), body: z.record(z.string(), z.unknown()) })

let sandbox: Sandbox | undefined
let now = 1_000_000
afterEach(async () => await sandbox?.close())

async function begin(options: SandboxOptions = {}) {
  now = 1_000_000
  const started = await startSandbox({ now: () => now, ...options })
  sandbox = started
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { 'x-api-key': 'sandbox-key' },
  ) => {
    const init = {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    const response = await fetch(started.url + path, init)
    const text = await response.text()
    const answered: unknown = text === '' ? {} : JSON.parse(text)
    return answerSchema.parse({ status: response.status, body: answered })
  }
}

const at = (path: string, field: string): object => {
  const loc: unknown = expect.arrayContaining([path, field])
  return { loc }
}

describe('POST /v2/deployments', () => {
  it('creates a deployment with its first revision', async () => {
    const call = await begin()
    const { status, body } = await call('POST', '/v2/deployments', git)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'agent',
      source: 'git_host',
      active_revision_id: null,
      secrets: [{ name: 'KEY', value: 'hunter2' }],
    })
    expect(body['latest_revision_id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(body).toHaveProperty('source_config.custom_url')
  })

  it('answers 409 for a taken name', async () => {
    const call = await begin()
    await call('POST', '/v2/deployments', git)
    expect(await call('POST', '/v2/deployments', git)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('already exists') },
    })
  })

  it.each<[string, object, object]>([
    ['no secrets', { ...git, secrets: undefined }, { loc: ['body', 'secrets'] }],
    [
      'an integration that is no UUID',
      { ...git, source_config: { integration_id: 'x' } },
      { ...at('source_config', 'integration_id'), input: 'x' },
    ],
    ['an unknown source', { ...git, source: 'moon' }, { loc: ['body', 'source'], input: 'moon' }],
    ['a secret without a value', { ...git, secrets: [{ name: 'A' }] }, { loc: ['body', 'secrets', 0, 'value'] }],
    ['too little cpu', { ...box, source_config: { resource_spec: { cpu: 0.05 } } }, at('resource_spec', 'cpu')],
    [
      'memory that is no multiple of 128',
      { ...box, source_config: { resource_spec: { memory_mb: 1000 } } },
      at('resource_spec', 'memory_mb'),
    ],
    [
      'a limit below its request',
      { ...box, source_config: { resource_spec: { ...SPEC, cpu_limit: 0.5 } } },
      at('resource_spec', 'cpu_limit'),
    ],
    [
      'a cache limit below its request',
      { ...box, source_config: { resource_spec: { cache_memory_mb: 256, cache_memory_limit_mb: 128 } } },
      at('resource_spec', 'cache_memory_limit_mb'),
    ],
    [
      'a mount without its volume',
      { ...box, source_config: { resource_spec: { volume_mounts: [{ name: 'v', mountPath: '/v' }] } } },
      at('volume_mounts', 'name'),
    ],
    [
      'a sidecar whose name is no DNS label',
      { ...box, source_config: { resource_spec: { sidecars: [{ name: 'A_B', image: 'x' }] } } },
      at('sidecars', 'name'),
    ],
    [
      'an environment variable with two values',
      {
        ...box,
        source_config: {
          resource_spec: { sidecars: [{ name: 'a', image: 'x', env: [{ name: 'A', value: 'x', valueFrom: {} }] }] },
        },
      },
      at('env', 'valueFrom'),
    ],
  ])('answers 422 for %s, and says where', async (_case, body, problem) => {
    const call = await begin()
    expect(await call('POST', '/v2/deployments', body)).toMatchObject({ status: 422, body: { detail: [problem] } })
  })

  it.each<[string, object]>([
    ['a git host without app_config_path', { ...git, source_revision_config: { repo_ref: 'main' } }],
    [
      'an app_config_path for a container',
      { ...box, source_revision_config: { image_uri: 'x', app_config_path: 'a.json' } },
    ],
    ['a custom_url for a git host', { ...git, source_config: { ...git.source_config, custom_url: 'https://x' } }],
    ['a listener for a git host', { ...git, source_config: { ...git.source_config, listener_id: UNKNOWN_ID } }],
    ['a resource_spec for a git host', { ...git, source_config: { ...git.source_config, resource_spec: SPEC } }],
    [
      'a tag with build_on_push',
      {
        ...git,
        source_config: { ...git.source_config, build_on_push: true },
        source_revision_config: { ...git.source_revision_config, repo_ref: 'refs/tags/v1' },
      },
    ],
  ])('answers 400 for %s', async (_case, body) => {
    const call = await begin()
    expect(await call('POST', '/v2/deployments', body)).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    })
  })

  it('takes CPU above the stated ceilings, and rounds it to one decimal', async () => {
    const call = await begin()
    const { status, body } = await call('POST', '/v2/deployments', {
      ...box,
      source_config: { resource_spec: { cpu: 12.34 } },
    })
    expect(status).toBe(201)
    expect(body).toHaveProperty('source_config.resource_spec.cpu', 12.3)
  })

  it('answers 422 for what is no JSON', async () => {
    const call = await begin()
    expect(await call('POST', '/v2/deployments', '{"name":')).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'json_invalid' }] },
    })
  })
})

describe('GET /v2/deployments', () => {
  it('pages, filters by a part of the name, and hands over the next offset', async () => {
    const seed = Array.from({ length: 25 }, (_, n) => ({
      ...box,
      source: 'external_container' as const,
      name: `box-${n}`,
    }))
    const call = await begin({ seed })
    const first = await call('GET', '/v2/deployments?name_contains=box-')
    expect(first.body).toMatchObject({ offset: 20 })
    expect(first.body['resources']).toHaveLength(20)
    const second = await call('GET', '/v2/deployments?name_contains=box-&offset=20')
    expect(second.body['resources']).toHaveLength(5)
    expect((await call('GET', '/v2/deployments?offset=25')).body).toEqual({ resources: [], offset: 25 })
    expect((await call('GET', '/v2/deployments?name_contains=box-24')).body['resources']).toHaveLength(1)
  })

  it.each(['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'deployment_type=dev_zero'])(
    'answers 422 for %s',
    async (query) => {
      const call = await begin()
      expect((await call('GET', `/v2/deployments?${query}`)).status).toBe(422)
    },
  )
})

describe('PATCH and POST …/revisions', () => {
  async function created(body: object = git) {
    const call = await begin()
    const { body: deployment } = await call('POST', '/v2/deployments', body)
    const path = `/v2/deployments/${String(deployment['id'])}`
    return { call, path, first: deployment['latest_revision_id'] }
  }

  it('creates a revision by PATCH when a revision-relevant field is there, be it the same as before', async () => {
    const { call, path, first } = await created()
    const same = await call('PATCH', path, { source_config: { build_command: 'make' } })
    expect(same.body['latest_revision_id']).toBe(first)
    const other = await call('PATCH', path, { source_revision_config: { repo_ref: 'main' } })
    expect(other.body['latest_revision_id']).not.toBe(first)
  })

  it('always creates a revision by POST, and keeps what it does not name', async () => {
    const { call, path, first } = await created()
    const { status, body } = await call('POST', `${path}/revisions`, {})
    expect(status).toBe(201)
    expect(body['id']).not.toBe(first)
    expect(body).toMatchObject({
      status: 'CREATING',
      source_revision_config: { repo_ref: 'main', app_config_path: 'app.json' },
    })
  })

  it.each<[string, object]>([
    ['another repository', { source_config: { repo_url: 'https://git.example/c/d' } }],
    ['another integration', { source_config: { integration_id: UNKNOWN_ID } }],
    [
      'a tag while build_on_push is on',
      { source_config: { build_on_push: true }, source_revision_config: { repo_ref: 'refs/tags/v1' } },
    ],
  ])('answers 400 for %s', async (_case, body) => {
    const { call, path } = await created()
    expect((await call('PATCH', path, body)).status).toBe(400)
  })

  it('answers 404 with the stated message', async () => {
    const call = await begin()
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/revisions'],
      ['GET', `/revisions/${UNKNOWN_ID}`],
    ] as const) {
      const answer = await call(method, `/v2/deployments/${UNKNOWN_ID}${path}`, method === 'GET' ? undefined : {})
      expect(answer).toEqual({ status: 404, body: { detail: `Deployment ID ${UNKNOWN_ID} not found.` } })
    }
    expect((await call('GET', '/v2/deployments/x')).status).toBe(422)
  })
})

describe('the way of a revision', () => {
  it('moves active_revision_id when it is DEPLOYED, and never on a failure', async () => {
    const call = await begin({ script: (_deployment, number) => (number === 1 ? {} : { ends: 'DEPLOY_FAILED' }) })
    const { body } = await call('POST', '/v2/deployments', git)
    const path = `/v2/deployments/${String(body['id'])}`
    now += 60_000
    const deployed = await call('GET', path)
    expect(deployed.body['active_revision_id']).toBe(body['latest_revision_id'])
    await call('POST', `${path}/revisions`, {})
    now += 60_000
    const failed = await call('GET', path)
    expect(failed.body['active_revision_id']).toBe(body['latest_revision_id'])
    expect(failed.body['status']).toBe('READY')
  })

  it('is SKIPPED when a newer one comes before it began to deploy', async () => {
    const call = await begin()
    const { body } = await call('POST', '/v2/deployments', git)
    const path = `/v2/deployments/${String(body['id'])}`
    now += 3000
    await call('POST', `${path}/revisions`, {})
    const older = await call('GET', `${path}/revisions/${String(body['latest_revision_id'])}`)
    expect(older.body['status']).toBe('SKIPPED')
  })
})

describe('authentication', () => {
  it.each<[string, Record<string, string>, number]>([
    ['the API key', { 'x-api-key': 'k' }, 200],
    ['the bearer token', { authorization: 'Bearer b' }, 200],
    ['the tenant', { 'x-tenant-id': 't' }, 200],
    ['nothing', {}, 401],
    ['a wrong key', { 'x-api-key': 'x' }, 401],
    ['a wrong key beside the right tenant', { 'x-api-key': 'x', 'x-tenant-id': 't' }, 401],
  ])('with %s', async (_case, headers, status) => {
    const call = await begin({ credentials: { apiKey: 'k', bearerToken: 'b', tenantId: 't' } })
    expect((await call('GET', '/v2/deployments', undefined, headers)).status).toBe(status)
  })
})

describe('faults', () => {
  it('hit so many of the requests that match, after those that pass', async () => {
    const match = { method: 'GET', path: '/v2/deployments' }
    const call = await begin({
      faults: [{ match, skip: 1, times: 2, effect: { kind: 'status', status: 500, body: '{}' } }],
    })
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await call('GET', '/v2/deployments')).status)
    expect(statuses).toEqual([200, 500, 500, 200])
  })

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('break the connection %s acting', async (when, made) => {
    const call = await begin({ faults: [{ match: { method: 'POST' }, effect: { kind: 'drop', when } }] })
    await expect(call('POST', '/v2/deployments', git)).rejects.toThrow()
    expect(sandbox?.deployments()).toHaveLength(made)
  })

  it('cut an answer short after acting', async () => {
    const call = await begin({ faults: [{ match: { method: 'POST' }, effect: { kind: 'truncate' } }] })
    await expect(call('POST', '/v2/deployments', git)).rejects.toThrow()
    expect(sandbox?.deployments()).toHaveLength(1)
  })
})

describe('the journal', () => {
  it('holds every request, those to unknown routes too', async () => {
    const call = await begin({ pathPrefix: '/api-host' })
    await call('GET', '/v2/deployments?limit=5')
    await call('GET', '/v2/nowhere')
    expect(sandbox?.requests).toMatchObject([
      { method: 'GET', path: '/v2/deployments?limit=5', route: '/v2/deployments', status: 200 },
      { method: 'GET', path: '/v2/nowhere', status: 404 },
    ])
  })
})

describe('without the optional routes', () => {
  it('answers 404 for what the contract does not have', async () => {
    const call = await begin({ optionalRoutes: false })
    const { body } = await call('POST', '/v2/deployments', git)
    const path = `/v2/deployments/${String(body['id'])}`
    expect((await call('GET', `${path}/revisions`)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('GET', path)).status).toBe(200)
  })
})
